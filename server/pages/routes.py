"""Home, the language switch, privacy, and the operational pages."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse

from server.base.errors import Forbidden
from server.base.metrics import exposition
from server.pages.health import check_health
from server.pages.selfcheck import PLAYOUTS, SEED, expected_self_check
from server.rules.service import describe, open_game
from server.study.settings import read_settings
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.rendering import LANGUAGE_COOKIE, YEAR, asset, language_of, local_path, redirect, render
from server.web.translations import LANGUAGES

router = APIRouter(tags=["pages"])
PAPER = "#f5efe3"
LOOPBACK = frozenset({"127.0.0.1", "::1"})


@router.get("/", response_class=Response)
async def home(request: Request, session: Session) -> Response:
    offered = (await read_settings(session)).games
    language = language_of(request)
    games = [describe(await open_game(session, reference), reference, language) for reference in offered]
    return render(request, "home.html", games=games)


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> JSONResponse:
    """What a phone needs to know to put the platform among its apps."""
    icons = [
        {"src": asset(f"images/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)
    ]
    return JSONResponse(
        {
            "name": "GRINTU",
            "short_name": "GRINTU",
            "lang": language_of(request),
            "start_url": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": [*icons, {"src": asset("images/icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
        },
        media_type="application/manifest+json",
    )


@router.post("/language", status_code=303, response_class=Response)
async def choose_language(
    language: Annotated[str, Form()], next_page: Annotated[str, Form(alias="next")] = "/"
) -> Response:
    """Remember the language that was chosen on a page and go back there."""
    response = redirect(local_path(next_page))
    if language in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, httponly=True, samesite="lax")
    return response


@router.get("/health")
async def health(database: DatabaseOf) -> JSONResponse:
    """200 if this process can serve, else 503."""
    found = await check_health(database)
    return JSONResponse(found.as_json(), 200 if found.good else 503)


@router.get("/status", response_class=Response)
async def status_page(request: Request, database: DatabaseOf) -> Response:
    return render(request, "status.html", health=await check_health(database), seed=SEED, playouts=PLAYOUTS)


@router.get("/api/self-check")
async def self_check() -> JSONResponse:
    """What the status page's computation gives on the server."""
    return JSONResponse(await expected_self_check())


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, settings: SettingsOf) -> Response:
    """For the monitoring system: with the token from the settings, or from this machine."""
    if settings.metrics_token is not None:
        expected = f"Bearer {settings.metrics_token.get_secret_value()}"
        if not secrets.compare_digest(request.headers.get("authorization", "").encode(), expected.encode()):
            raise Forbidden
    elif request.client is None or request.client.host not in LOOPBACK:
        raise Forbidden
    body, kind = exposition()
    return Response(body, media_type=kind)
