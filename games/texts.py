"""Reads what people read about a game: `texts/en.json` and `texts/de.json` beside its rules, and `texts/lessons.json`,
which says for the lessons of both when they are told and which position shows them."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from games.protocol import Lesson, Section, Texts

LANGUAGES: Final = ("en", "de")


def texts_beside(package: str, language: str) -> Texts:
    """The texts of the game in this package; English for languages that it does not speak."""
    return _read(package, language if language in LANGUAGES else LANGUAGES[0])


@cache
def _read(package: str, language: str) -> Texts:
    folder = resources.files(package).joinpath("texts")
    data = json.loads(folder.joinpath(f"{language}.json").read_text(encoding="utf-8"))
    lessons = folder.joinpath("lessons.json")
    shown = json.loads(lessons.read_text(encoding="utf-8")) if lessons.is_file() else []
    return Texts(
        title=data["title"],
        summary=data["summary"],
        seats=tuple(data["seats"]),
        goal=data["goal"],
        rules=tuple(Section(heading, tuple(told)) for heading, told in data["rules"]),
        keys=tuple((keys, meaning) for keys, meaning in data.get("keys", ())),
        lessons=tuple(_lesson(one, *data["lessons"][one["key"]]) for one in shown),
    )


def _lesson(shown: Mapping[str, Any], heading: str, text: str) -> Lesson:
    """What is shown is the same in every language."""
    return Lesson(shown["key"], shown["when"], heading, text, shown["position"], tuple(shown.get("moves", ())))
