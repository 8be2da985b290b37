"""Reads what people read about a game: `texts/en.json` and `texts/de.json` beside its rules."""

import json
from functools import cache
from importlib import resources
from typing import Final

from games.protocol import Section, Texts

LANGUAGES: Final = ("en", "de")


def texts_beside(package: str, language: str) -> Texts:
    """The texts of the game in this package; English for languages that it does not speak."""
    return _read(package, language if language in LANGUAGES else LANGUAGES[0])


@cache
def _read(package: str, language: str) -> Texts:
    file = resources.files(package).joinpath("texts", f"{language}.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    return Texts(
        title=data["title"],
        summary=data["summary"],
        seats=tuple(data["seats"]),
        goal=data["goal"],
        rules=tuple(Section(heading, tuple(told)) for heading, told in data["rules"]),
        keys=tuple((keys, meaning) for keys, meaning in data.get("keys", ())),
    )
