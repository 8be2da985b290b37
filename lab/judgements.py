"""A judgement: what one person said after a match about one other seat, and what that seat really was.

The judgement log is the only input of every rating. What must be left out of ratings (stand-in seats, aborted matches,
skipped questionnaires) never becomes a `Judgement`; marked falsifiers are left out by `without`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

HUMAN = "human"
"""The truth of a seat on which a proband sat; every other truth is the name of a strategy."""

ENJOYMENT_STEPS = 5
"""Enjoyment is answered in five steps, 1 (not at all) to 5 (very much); 3 is the neutral middle."""


class Verdict(StrEnum):
    HUMAN = "human"
    ARTIFICIAL = "artificial"
    CANNOT_TELL = "cannot tell"


class Challenge(StrEnum):
    NOT = "not"
    SOMEWHAT = "somewhat"
    OVERSTRAINING = "overstraining"
    UNSURE = "unsure"


CHALLENGE_VALUES: dict[Challenge, float] = {
    Challenge.NOT: 0.0,
    Challenge.SOMEWHAT: 0.5,
    Challenge.OVERSTRAINING: 1.0,
}
"""What an answer counts in the challenge rating; "unsure" does not count and has no value."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One row of the log. `time` is in seconds since 1970; answers that were not given are None.

    `judged` is the person who sat on a human seat, None where that is not known or a program sat there.
    """

    time: float
    match: str
    person: str
    seat_truth: str
    verdict: Verdict
    sureness: int | None = None
    enjoyment: int | None = None
    challenge: Challenge | None = None
    judged: str | None = None

    @property
    def of_human(self) -> bool:
        return self.seat_truth == HUMAN

    @property
    def judged_artificial(self) -> bool:
        return self.verdict is Verdict.ARTIFICIAL

    @property
    def judged_human(self) -> bool:
        return self.verdict is Verdict.HUMAN

    @property
    def right(self) -> bool:
        """Not being able to tell counts as not right, for humans as for strategies."""
        return self.judged_human if self.of_human else self.judged_artificial

    @property
    def stimulus(self) -> tuple[str, str]:
        """What was judged, the same for all who judged it: a person, or a program as it played in this match.

        Where the person is not known, nobody else is assumed to have judged the same one.
        """
        if not self.of_human:
            return (self.seat_truth, self.match)
        return (HUMAN, self.judged) if self.judged is not None else (self.match, self.person)

    @property
    def fun(self) -> float | None:
        """Enjoyment on 0…1."""
        return None if self.enjoyment is None else (self.enjoyment - 1) / (ENJOYMENT_STEPS - 1)

    @property
    def challenge_value(self) -> float | None:
        """Challenge on 0…1, None for "unsure" and for no answer."""
        return None if self.challenge is None else CHALLENGE_VALUES.get(self.challenge)


Place = tuple[float, str, str, str, str, int, int, str, str]


def place(judgement: Judgement) -> Place:
    """Where a judgement stands in the log: by time, ties by content, so that the order of arrival changes no rating."""
    return (
        judgement.time,
        judgement.match,
        judgement.person,
        judgement.seat_truth,
        judgement.verdict,
        -1 if judgement.sureness is None else judgement.sureness,
        -1 if judgement.enjoyment is None else judgement.enjoyment,
        judgement.challenge or "",
        judgement.judged or "",
    )


def in_order(judgements: Iterable[Judgement]) -> list[Judgement]:
    return sorted(judgements, key=place)


def without(judgements: Iterable[Judgement], persons: Collection[str]) -> list[Judgement]:
    """The log without the judgements of some persons (those marked as falsifiers)."""
    left_out = frozenset(persons)
    return [judgement for judgement in judgements if judgement.person not in left_out]
