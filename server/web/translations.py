"""The gettext catalogues in client_web/locales, compiled in memory; English texts are the keys."""

from __future__ import annotations

from functools import cache
from io import BytesIO

from babel import Locale
from babel.core import parse_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from server.base.settings import ROOT

LOCALES = ROOT / "client_web" / "locales"
DEFAULT_LANGUAGE = "en"
LANGUAGES = ("en", "de")


@cache
def translations(language: str) -> NullTranslations:
    """All of a language's catalogues as one; English needs none."""
    merged: NullTranslations = NullTranslations()
    for path in sorted((LOCALES / language).glob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language, domain=path.stem)
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        part = Translations(compiled)
        if isinstance(merged, Translations):
            merged.merge(part)
        else:
            merged = part
    return merged


def negotiate(accept_language: str) -> str:
    """The first of our languages that the browser's Accept-Language header asks for."""
    wishes: list[tuple[float, str]] = []
    for part in accept_language.split(",")[:20]:
        tag, _, quality = part.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), parse_locale(tag.strip(), sep="-")[0]))
        except ValueError:
            continue  # a tag we cannot read, such as "*", asks for nothing we could choose
    for _, language in sorted(wishes, key=lambda wish: wish[0]):
        if language in LANGUAGES:
            return language
    return DEFAULT_LANGUAGE


def locale(language: str) -> Locale:
    return Locale.parse(language)
