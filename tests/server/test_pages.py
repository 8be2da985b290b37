"""What all pages have in common."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from jinja2.runtime import Context
from starlette.requests import HTTPConnection

from server.base.settings import Settings
from tests.conftest import SignIn
from tests.servers import PageClient


@contextmanager
def kept_garbage() -> Iterator[list[object]]:
    """Collects nothing meanwhile; afterwards the list holds all that nothing but the garbage collector would free."""
    found: list[object] = []
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("path", ["/", "/login", "/practice", "/lobby", "/account", "/findings"])
async def test_a_page_is_forgotten_as_soon_as_it_is_sent(client: PageClient, sign_in: SignIn, path: str) -> None:
    """Else every page, with all that it was given, would wait for a collection, which holds up everybody's moves."""
    if path in ("/lobby", "/account"):
        await sign_in()
    await client.get(path)  # whatever is made once is made now
    with kept_garbage() as garbage:
        assert (await client.get(path)).status_code == 200
    assert not [one for one in garbage if isinstance(one, Context | HTTPConnection)]


async def test_a_link_has_a_preview_and_a_phone_an_icon(client: PageClient, settings: Settings) -> None:
    page = (await client.get("/findings")).text
    assert '<meta property="og:title" content="Findings · GRINTU">' in page
    (image,) = re.findall(r'<meta property="og:image" content="([^"]+)">', page)
    assert image.startswith(f"{settings.base_url}/assets/images/icon-512")
    (place,) = re.findall(r'<link rel="manifest" href="([^"]+)">', page)
    answer = await client.get(place)
    assert answer.headers["content-type"] == "application/manifest+json"
    assert [(one["sizes"], one["type"]) for one in answer.json()["icons"]][:2] == [
        ("192x192", "image/png"),
        ("512x512", "image/png"),
    ]
