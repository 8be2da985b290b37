"""Texts of findings: headings, lists, links and figures, and nothing that a browser would run."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.findings.markdown import blocks, figures, spans
from server.storage.database import Database
from tests.conftest import SignIn
from tests.server.dashboards.study import fill
from tests.servers import PageClient

TEXT = """## What we asked
Who is *human*?
Nobody knows.

- first **point**
- second

1. one
2) two

### Smaller

![How often](strategies)"""


def test_a_text_is_read_block_by_block() -> None:
    assert [(block.kind, *map(str, block.parts)) for block in blocks(TEXT.replace("\n", "\r\n"))] == [
        ("heading", "What we asked"),
        ("paragraph", "Who is <em>human</em>?", "Nobody knows."),
        ("points", "first <strong>point</strong>", "second"),
        ("numbers", "one", "two"),
        ("subheading", "Smaller"),
        ("figure", "How often"),
    ]
    assert figures(TEXT) == {"strategies"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
        ("[go](javascript:alert)", "[go](javascript:alert)"),
        ("[go](//evil.example.org)", "[go](//evil.example.org)"),
        ('[<b>](/a"b)', '<a href="/a&#34;b" rel="noopener noreferrer nofollow">&lt;b&gt;</a>'),
        ("2 * 3 * 4 < 25", "2 <em> 3 </em> 4 &lt; 25"),
    ],
)
def test_only_what_is_meant_becomes_html(text: str, html: str) -> None:
    assert str(spans(text)) == html


@given(st.text(alphabet="<>\"'&*[]()!#- \n1.ahttps:/", max_size=200))
def test_no_text_brings_html_of_its_own(text: str) -> None:
    made = "".join(str(part) for block in blocks(text) for part in block.parts)
    tags = re.sub(r"</?(?:strong|em)>|</a>|<a href=\"(?:https?://|/(?!/))[^\"<>\s]*\" rel=\"[a-z ]+\">", "", made)
    assert not set(tags) & set("<>\"'")


async def test_a_published_finding_has_headings_lists_and_figures(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    await sign_in("researcher")
    words = {"title_en": "Title", "title_de": "Titel", "body_en": TEXT, "body_de": TEXT}
    assert (await client.post("/research/findings", data=words)).status_code == 303
    await client.post("/research/findings/1/publish", data={"public": "true"})
    page = (await client.get("/findings")).text
    assert "<h3>What we asked</h3>" in page
    assert "<li>first <strong>point</strong></li>" in page
    assert "This figure has no data yet." in page
    assert "<h3>What we asked</h3>" in (await client.get("/research/findings")).text, "as everybody sees it"
    await fill(database, persons=20, judgements=12, most=400)
    page = (await client.get("/findings")).text
    assert '<th scope="row">Real humans</th>' in page
    assert "Shares with 95 % intervals" in page
