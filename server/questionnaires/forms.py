"""Between a questionnaire and an HTML form: which field belongs to which item, and what a submitted form says.

A field is named after its item and, where it asks about a seat, the seat: ``verdict.1``. A correlation has one field
per element of its left list: ``pairs.1:apple``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from server.questionnaires.content import AnswerKey, ChoiceItem, CorrelationItem, Item, Questionnaire, is_asked


@dataclass(frozen=True)
class Field:
    """One item as it stands on a page: about which seat, what was answered, and whether it is asked now."""

    item: Item
    seat: int | None
    value: Any
    asked: bool

    @property
    def name(self) -> str:
        return self.item.key if self.seat is None else f"{self.item.key}.{self.seat}"


def fields(questionnaire: Questionnaire, answers: dict[AnswerKey, Any], seat: int | None, scope: str) -> list[Field]:
    """The fields of one part of the page: of a seat, of the match, or of the person."""
    return [
        Field(item, seat, answers.get((item.key, seat)), is_asked(item, seat, answers))
        for item in questionnaire.items
        if item.scope == scope
    ]


def read(questionnaire: Questionnaire, seats: Sequence[int], form: FormData) -> Iterator[tuple[Item, int | None, Any]]:
    """Every item with what the form says about it; None where it says nothing."""
    for item in questionnaire.items:
        for seat in seats if item.scope == "seat" else [None]:
            name = item.key if seat is None else f"{item.key}.{seat}"
            yield item, seat, _value(item, name, form)


def _value(item: Item, name: str, form: FormData) -> Any:
    if isinstance(item, CorrelationItem):
        pairs = {option.key: form.get(f"{name}:{option.key}") for option in item.left}
        return {left: right for left, right in pairs.items() if right} or None
    if isinstance(item, ChoiceItem) and item.several:
        return [value for value in form.getlist(name) if value] or None
    value = form.get(name)
    if not isinstance(value, str) or not value.strip():
        return None
    if item.type in ("scale", "move"):
        return int(value) if value.strip().removeprefix("-").isdecimal() and len(value) < 12 else value
    return value
