"""Pages: templates with translations, assets and CSRF tokens.

return render(request, "accounts/login.html", form=form)            # status 200
return render(request, "accounts/login.html", status=422, form=form)
return redirect("/account")                                          # after a successful POST
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast
from urllib.parse import urlsplit

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response

from server.base.settings import ROOT, Settings
from server.web import csrf, figures, times
from server.web.translations import DEFAULT_LANGUAGE, LANGUAGES, negotiate, translations

log = structlog.get_logger()

TEMPLATES = ROOT / "client_web" / "templates"
MANIFEST = ROOT / "client_web" / "dist" / "manifest.json"
ASSETS = "/assets/"
LANGUAGE_COOKIE = "language"
YEAR = 365 * 24 * 3600


@cache
def environment(language: str) -> Environment:
    """One Jinja environment per language, so that compiled templates are shared between requests.

    Macros are imported without context: then their files are run once, and not for each page, where they would hold
    everything that the page was given until the garbage collector came by.
    """
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]  # added by the extension
    counted = cast("Callable[..., str]", made.globals["ngettext"])

    @pass_context
    def ngettext(context: Context, one: str, many: str, number: int, **values: object) -> str:
        """The count stands in the text in the form of the language."""
        return counted(context, one, many, number, **{"num": figures.figure(number, 0, language=language)} | values)

    made.globals |= {"ngettext": ngettext, "language": language, "languages": LANGUAGES, "asset": asset, "csrf": _csrf}
    made.filters |= {
        "day": partial(times.day, language=language),
        "moment": partial(times.shown_moment, language=language),
        "clock": partial(times.shown_clock, language=language),
        "duration": partial(times.duration, language=language),
        "figure": partial(figures.figure, language=language),
        "significant": partial(figures.significant, language=language),
        "percent": partial(figures.percent, language=language),
        "plain": _plain,
    }
    return made


def render(request: HTTPConnection, template: str, *, status: int = 200, **context: Any) -> Response:
    """A page from client_web/templates. Gives every template: request, user, notices, site, language, csrf_token, _(),
    asset() and csrf()."""
    settings: Settings = request.app.state.settings
    token = csrf.Token.of(request, settings)
    page = environment(language_of(request)).get_template(template)
    text = page.render(
        request=request,
        user=getattr(request.state, "identity", None),
        notices=getattr(request.state, "notices", frozenset()),
        site=settings.base_url,
        status=status,
        csrf_token=token.field,
        **context,
    )
    response = HTMLResponse(text, status, headers={"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"})
    token.keep(response, settings)
    return response


def redirect(path: str) -> Response:
    """Go on to another of our pages after a POST."""
    return RedirectResponse(path, status_code=303)


def language_of(request: HTTPConnection) -> str:
    """The language chosen on the page, else the one the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else negotiate(request.headers.get("accept-language", DEFAULT_LANGUAGE))


def gettext(request: HTTPConnection, text: str, **values: object) -> str:
    """A text in the request's language, for messages that are made in Python."""
    translated = translations(language_of(request)).ugettext(text)
    return translated % values if values else translated


def wants_page(request: HTTPConnection) -> bool:
    """Whether the caller is a person with a browser rather than a program."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def local_path(target: str | None, default: str = "/") -> str:
    """`target` if it is a path on this site, else `default`: nobody is sent elsewhere by a crafted link."""
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")) or not target.isprintable():
        return default
    parts = urlsplit(target)
    return default if parts.scheme or parts.netloc else target


def asset(name: str) -> str:
    """The address of a built file of client_web, such as ``asset("pages/home.js")``. Unbuilt ones get an address that
    answers 404, so that a page without its script still shows."""
    hashed = _manifest().get(name)
    if hashed is None:
        log.warning("asset not built", asset=name, remedy="make setup")
    return ASSETS + (hashed or name)


def _manifest() -> dict[str, str]:
    try:
        changed = MANIFEST.stat().st_mtime_ns
    except FileNotFoundError:
        return {}
    return _manifest_of(changed)


@cache
def _manifest_of(changed: int) -> dict[str, str]:  # noqa: ARG001 - the time is the cache's key: a new build is seen at once
    loaded: dict[str, str] = json.loads(MANIFEST.read_text())
    return loaded


@pass_context
def _csrf(context: Context) -> Markup:
    """What every form that posts holds."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(context["csrf_token"])


def _plain(value: object) -> object:
    """A number as people write it: 20 instead of 20.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
