"""Drafts with mistakes in them: what is wrong and where, which of it a draft may keep, and what the draft looks like.

Whoever writes a questionnaire has half a sentence in it most of the time. So a draft is kept if it has the form of a
questionnaire, whatever its texts, keys and numbers are, and checked as a whole only when it is published.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from server.base.errors import N_
from server.questionnaires.content import Item, Place, Questionnaire, Text, UnsoundError
from server.storage.texts import is_storable

REASONS: Final[Mapping[str, str]] = {
    "string_too_short": N_("a text is missing"),
    "string_too_long": N_("this text may have at most %(max_length)s characters"),
    "string_pattern_mismatch": N_("a key begins with a small letter and has small letters, digits and _, 40 at most"),
    "too_short": N_("at least %(min_length)s are needed here"),
    "too_long": N_("at most %(max_length)s are possible here"),
    "int_type": N_("a whole number is missing"),
    "int_from_float": N_("this must be a whole number"),
    "greater_than_equal": N_("this must be at least %(ge)s"),
    "less_than_equal": N_("this may be at most %(le)s"),
    "missing": N_("this is missing"),
    "extra_forbidden": N_("this is not known"),
}
"""What the checker's own words mean to people who write questions."""
UNFINISHED: Final = frozenset(REASONS) - {"too_long", "missing", "extra_forbidden"}
"""The kinds of mistakes that a draft may keep. Of a list that is too long the checker does not look at the rest."""
BLANK: Final = "…"


@dataclass(frozen=True)
class Mistake:
    """One place that is wrong, and what is wrong with it, to be translated."""

    at: Place
    text: str
    values: Mapping[str, object]
    may_be_kept: bool
    about: str = ""

    @property
    def place(self) -> str:
        """As the editor names its fields."""
        return ".".join(map(str, self.at))

    def english(self) -> str:
        said = self.text % self.values if self.values else self.text
        return f"{self.about or self.place or 'questionnaire'}: {said}"


def fingerprint(content: Mapping[str, Any]) -> str:
    """By which an editor knows whether a draft is still the one that it began with."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def mistakes_in(data: object) -> list[Mistake]:
    """Everything that keeps this from being published."""
    try:
        Questionnaire.model_validate(data)
    except ValidationError as error:
        found = mistakes(error)
        if all(mistake.may_be_kept for mistake in found) and not all(map(is_storable, _texts(data))):
            found.append(Mistake((), N_("this text has characters that cannot be stored"), {}, may_be_kept=False))
        return found
    return []


def mistakes(error: ValidationError) -> list[Mistake]:
    return [mistake for details in error.errors(include_url=False) for mistake in _mistakes_of(details)]


def _mistakes_of(details: ErrorDetails) -> Iterator[Mistake]:
    context = details.get("ctx", {})
    cause = context.get("error")
    if isinstance(cause, UnsoundError):
        for flaw in cause.flaws:
            yield Mistake(flaw.at, flaw.text, flaw.values, True, flaw.item and f"item {flaw.item}")
        return
    kind = details["type"]
    # A blank field of numbers is null; anything else that is no number is not from the editor.
    may_be_kept = kind in UNFINISHED and (kind != "int_type" or details["input"] is None)
    text = REASONS.get(kind, str(cause) if cause else details["msg"])
    values = {name: value for name, value in context.items() if f"%({name})s" in text}
    yield Mistake(_without_type(details["loc"]), text, values, may_be_kept)


def _without_type(place: Place) -> Place:
    """In its places the checker names the type that an item was read as: ("items", 2, "choice", "text", "de")."""
    return (*place[:2], *place[3:]) if place[:1] == ("items",) else place


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


_AN_ITEM: Final[TypeAdapter[Item]] = TypeAdapter(Item)


def shown(content: Mapping[str, Any]) -> tuple[Questionnaire, list[int]]:
    """As much of a draft as can be shown, with something in the place of blank texts, and which questions cannot."""
    items: list[Item] = []
    hidden: list[int] = []
    for number, item in enumerate(content["items"], 1):
        try:
            items.append(_AN_ITEM.validate_python(_without_blanks(item)))
        except ValidationError:
            hidden.append(number)
    introduction = content.get("introduction")
    made = Questionnaire.model_construct(
        purpose=content["purpose"],
        title=Text.model_construct(**_without_blanks(content["title"])),
        introduction=Text.model_construct(**_without_blanks(introduction)) if introduction else None,
        items=tuple(items),
    )
    return made, hidden


def _without_blanks(value: Any) -> Any:
    """A text that is missing in one language is shown in the other."""
    if isinstance(value, dict) and value.keys() == {"en", "de"}:
        english, german = value["en"].strip(), value["de"].strip()
        return {"en": english or german or BLANK, "de": german or english or BLANK}
    if isinstance(value, dict):
        return {name: _without_blanks(inner) for name, inner in value.items()}
    return [_without_blanks(inner) for inner in value] if isinstance(value, list) else value
