"""Reading the questions out of the page after a match, and answers that somebody might give to them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

QUESTION: Final = '<div class="question"'
ATTRIBUTE: Final = re.compile(r'data-([a-z-]+)="([^"]*)"')
CHOICE: Final = re.compile(r'<input type="(radio|checkbox)" name="[^"]*" value="([^"]+)"')
NUMBERS: Final = re.compile(r'min="(\d+)" max="(\d+)" step="(\d+)"')
WORDS: Final = ("always", "took", "the", "longest", "way", "to", "hinder", "me", "again", "and", "again")

AnswerKey = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the page: about a seat or the match, asked always or after certain answers only."""

    item: str
    kind: str
    seat: int | None
    condition: tuple[str, frozenset[str]] | None
    options: tuple[str, ...]
    scale: tuple[int, int, int]

    @property
    def field(self) -> str:
        return self.item if self.seat is None else f"{self.item}.{self.seat}"

    def is_asked(self, answers: Mapping[AnswerKey, Any]) -> bool:
        if self.condition is None:
            return True
        item, one_of = self.condition
        return answers.get((item, self.seat), answers.get((item, None))) in one_of


def questions(page: str) -> list[Question]:
    return [_question(block.partition("</section>")[0]) for block in page.split(QUESTION)[1:]]


def _question(block: str) -> Question:
    opening = block[: block.index(">")]
    data = dict(ATTRIBUTE.findall(opening))
    condition = (data["if-item"], frozenset(data["if-one-of"].split())) if "if-item" in data else None
    numbers = NUMBERS.search(block)
    low, high, step = map(int, numbers.groups()) if numbers else (0, 0, 1)
    return Question(
        item=data["item"],
        kind=data["type"],
        seat=int(data["seat"]) if "seat" in data else None,
        condition=condition,
        options=tuple(value for _, value in CHOICE.findall(block)),
        scale=(low, high, step),
    )


def an_answer(question: Question, plies: int, rng: random.Random) -> Any:
    """What is chosen, marked or written; None where nothing is. `plies` is the length of the match."""
    return ANSWERS[question.kind](question, plies, rng)


def _some_words(question: Question, plies: int, rng: random.Random) -> str | None:  # noqa: ARG001 - like the others
    return " ".join(rng.sample(WORDS, rng.randint(2, 8))) if rng.random() < 0.3 else None


def _some_move(question: Question, plies: int, rng: random.Random) -> int | None:  # noqa: ARG001 - like the others
    return rng.randrange(plies) if rng.random() < 0.3 else None


ANSWERS: Final[Mapping[str, Callable[[Question, int, random.Random], Any]]] = {
    "choice": lambda question, _plies, rng: rng.choice(question.options),
    "scale": lambda question, _plies, rng: rng.randrange(question.scale[0], question.scale[1] + 1, question.scale[2]),
    "move": _some_move,
    "open": _some_words,
    "half_open": _some_words,
}
