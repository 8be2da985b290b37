"""Home, the language switch, privacy, and the operational pages."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse

from server.accounts.dependencies import DatabaseOf, SettingsOf
from server.errors import Forbidden
from server.metrics import exposition
from server.pages.health import check_health
from server.pages.selfcheck import expected_self_check
from server.translations import LANGUAGES
from server.web import LANGUAGE_COOKIE, YEAR, local_path, redirect, render

router = APIRouter(tags=["pages"])
LOOPBACK = frozenset({"127.0.0.1", "::1"})


@router.get("/", response_class=Response)
async def home(request: Request) -> Response:
    return render(request, "home.html")


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
    return render(request, "status.html", health=await check_health(database), check=await expected_self_check())


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
