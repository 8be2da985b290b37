"""Turning errors into answers: a page for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import quote, urlsplit

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.base.errors import N_, GrintuError, InvalidInput, NotFound, Unavailable
from server.web.dependencies import settings_of
from server.web.headers import headers_for
from server.web.rendering import gettext, local_path, redirect, render, wants_page

log = structlog.get_logger()

HTTP_MESSAGES = {
    404: NotFound.message,
    405: N_("This address does not take this kind of request."),
    408: N_("The data took too long to arrive."),
    413: N_("That is too much data."),
    500: N_("Something went wrong on our side. It has been written down."),
}
UNSTORABLE = N_("This holds characters or numbers that cannot be stored.")

UNREACHABLE = (
    OperationalError,
    InterfaceError,
    NoConnectionFree,
    ConnectionError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InternalClientError,
)
"""The database is away or frozen, has no connection left, or is being started or stopped; for the latter SQLAlchemy has
no name, so causes count too."""


Identify = Callable[[Request], Awaitable[object]]
Notice = Callable[[Request, str], None]


def install(app: FastAPI, identify: Identify, notice: Notice) -> None:
    """`identify` finds out who makes a request, for pages that show it; `notice` counts what is suspicious."""
    app.state.identify = identify
    app.state.notice = notice
    app.add_exception_handler(GrintuError, refuse)
    app.add_exception_handler(HTTPException, refuse_http)
    app.add_exception_handler(RequestValidationError, refuse_input)
    for unreachable in UNREACHABLE:
        app.add_exception_handler(unreachable, wait)
    app.add_exception_handler(DBAPIError, refuse_data)
    app.add_exception_handler(asyncpg.DataError, refuse_data)
    app.add_exception_handler(Exception, apologise)


async def refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, GrintuError)
    if error.remedy is not None and wants_page(request) and request.method == "GET":
        path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return redirect(f"{error.remedy}?next={quote(path, safe='/')}")
    message = gettext(request, error.text, **error.values)
    answer = await _answer(request, error.status, error.code, message, error.headers, remedy=error.remedy)
    if error.suspicious is not None:
        request.app.state.notice(request, error.suspicious)
    return answer


async def refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = HTTP_MESSAGES.get(error.status_code, str(error.detail))
    return await _answer(request, error.status_code, "HttpError", gettext(request, text), error.headers or {})


async def refuse_input(request: Request, error: Exception) -> Response:
    """Say which input was wrong, what was expected and what came; never echo what may be a password."""
    assert isinstance(error, RequestValidationError)
    fields = {".".join(str(part) for part in found["loc"]): found["msg"] for found in error.errors()}
    message = gettext(request, N_("Some of the input is missing or wrong."))
    if wants_page(request):
        return await _answer(request, 422, "InvalidInput", message, {})
    return JSONResponse({"error": "InvalidInput", "message": message, "fields": fields}, 422)


async def wait(request: Request, error: Exception) -> Response:
    """The database cannot be reached: that passes, and the next request tries again."""
    log.error("database unreachable", path=request.url.path, reason=repr(error))
    message = gettext(request, Unavailable.message)
    return await _answer(request, 503, "Unavailable", message, {"Retry-After": "5"}, known=False)


async def refuse_data(request: Request, error: Exception) -> Response:
    """What no page has foreseen and the database cannot keep, such as the character NUL; all else is our mistake."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, (asyncpg.DataError, *UNREACHABLE)):
        cause = cause.__cause__
    if isinstance(cause, UNREACHABLE):
        return await wait(request, error)
    if cause is None:
        return await apologise(request, error)
    log.warning("data refused by the database", path=request.url.path, reason=type(cause).__name__)
    return await _answer(request, 422, InvalidInput.__name__, gettext(request, UNSTORABLE), {}, known=False)


async def apologise(request: Request, error: Exception) -> Response:
    """Starlette calls this outside of all middleware, so the headers that every answer has are added here."""
    log.error("unhandled error", path=request.url.path, method=request.method, exc_info=error)
    message, headers = gettext(request, HTTP_MESSAGES[500]), headers_for(https=settings_of(request).secure_cookies)
    return await _answer(request, 500, "InternalError", message, headers, known=False)


async def _answer(
    request: Request,
    status: int,
    code: str,
    message: str,
    headers: Mapping[str, str],
    *,
    known: bool = True,
    remedy: str | None = None,
) -> Response:
    if not wants_page(request):
        return JSONResponse({"error": code, "message": message}, status, headers=dict(headers))
    if known:
        await request.app.state.identify(request)  # so that the navigation is the person's own
    else:
        request.state.identity = None  # the error may come from the database itself
    came_from = _came_from(request)
    response = render(request, "error.html", status=status, message=message, came_from=came_from, remedy=remedy)
    response.headers.update(headers)
    return response


def _came_from(request: Request) -> str:
    """The page with the form that was refused, to come back to after log-in; empty if it was none of ours."""
    referrer = urlsplit(request.headers.get("referer", ""))
    if referrer.netloc != request.url.netloc:
        return ""
    return local_path(referrer.path + (f"?{referrer.query}" if referrer.query else ""), "")
