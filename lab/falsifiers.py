"""Signs that somebody does not answer in earnest. Each is a named boolean with its evidence; none deletes anything.

A sign marks a person for a researcher to look at, who confirms or lifts it. The thresholds are arguments, so that a
study can state and change them.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

READING_MS_PER_WORD: Final = (
    120  # about 500 words a minute: faster than careful silent reading (200 to 300) by a clear margin
)
WILSON_Z: Final = 1.96
CLICK_MS: Final = 350  # the least time between seeing an option and choosing it

SIGNS: Final = (
    "profile_changes",
    "too_fast",
    "always_same",
    "contradiction",
    "before_moving",
    "right_too_often",
    "second_account",
)


@dataclass(frozen=True)
class ProfileChange:
    """A profile attribute that got a value, or none (cleared), at a time."""

    attribute: str
    value: str | None
    at: datetime


@dataclass(frozen=True)
class GivenAnswer:
    """An answer with what is needed to doubt it: how long the item was in view and how much there was to read."""

    match: str
    item: str
    seat: int | None
    value: str
    shown_ms: int | None
    words: int


@dataclass(frozen=True)
class Sign:
    """One falsifier sign of one person: its name (one of SIGNS) and what was seen."""

    name: str
    evidence: str


def profile_changes(changes: Iterable[ProfileChange], allowed: int = 2) -> Sign | None:
    """Different values more than `allowed` times. The first value is no change, and neither is clearing one.

    A value that comes back after having been cleared is the same value; only a difference to the last one given counts.
    """
    last: dict[str, str] = {}
    changed: Counter[str] = Counter()
    for change in sorted(changes, key=lambda change: change.at):
        if change.value is None:
            continue
        if change.attribute in last and last[change.attribute] != change.value:
            changed[change.attribute] += 1
        last[change.attribute] = change.value
    worst = [f"{attribute} ({times} times)" for attribute, times in sorted(changed.items()) if times > allowed]
    return Sign("profile_changes", "changed: " + ", ".join(worst)) if worst else None


def too_fast(answers: Sequence[GivenAnswer], share: float = 0.5, at_least: int = 4) -> Sign | None:
    """At least `share` of the timed answers, and no fewer than `at_least`, came before the item can have been read."""
    timed = [answer for answer in answers if answer.shown_ms is not None]
    fast = [a for a in timed if a.shown_ms is not None and a.shown_ms < CLICK_MS + READING_MS_PER_WORD * a.words]
    if len(fast) < at_least or len(fast) < share * len(timed):
        return None
    return Sign("too_fast", f"{len(fast)} of {len(timed)} timed answers")


def always_same(answers: Sequence[GivenAnswer], item: str = "verdict", matches: int = 5) -> Sign | None:
    """One single option of `item` over all seats of at least `matches` matches."""
    of_item = [answer for answer in answers if answer.item == item]
    met = {answer.match for answer in of_item}
    chosen = {answer.value for answer in of_item}
    if len(met) < matches or len(chosen) != 1:
        return None
    return Sign("always_same", f"{item} was “{chosen.pop()}” {len(of_item)} times in {len(met)} matches")


def contradiction(answers: Sequence[GivenAnswer], repeated: Mapping[str, str]) -> Sign | None:
    """An item and its repetition (`repeated` maps it to the original) got different answers for the same seat."""
    given: dict[tuple[str, int | None], dict[str, str]] = defaultdict(dict)
    for answer in answers:
        given[answer.match, answer.seat][answer.item] = answer.value
    found = [
        f"{original} and {repetition} in match {match}"
        for (match, _), values in given.items()
        for repetition, original in repeated.items()
        if repetition in values and original in values and values[repetition] != values[original]
    ]
    return Sign("contradiction", "; ".join(found)) if found else None


def before_moving(answers: Sequence[GivenAnswer], moved: Mapping[tuple[str, int], int]) -> Sign | None:
    """A seat was judged that had made no move; `moved` counts the moves by (match, seat)."""
    found = sorted(
        {
            f"match {answer.match}, seat {answer.seat}"
            for answer in answers
            if answer.seat is not None and answer.item == "verdict" and answer.value != "cannot_tell"
            if not moved.get((answer.match, answer.seat))
        }
    )
    return Sign("before_moving", "; ".join(found)) if found else None


def right_too_often(right: int, of: int, share: float = 0.9, least: int = 20) -> Sign | None:
    """So many verdicts were right that the true share lies above `share`, with 95 percent certainty (Wilson).

    People guess better than chance, but hardly that well; whoever lets a program compare the panel does.
    """
    if of < least:
        return None
    found = right / of
    margin = WILSON_Z * math.sqrt(found * (1 - found) / of + WILSON_Z**2 / (4 * of**2))
    lower = (found + WILSON_Z**2 / (2 * of) - margin) / (1 + WILSON_Z**2 / of)
    return Sign("right_too_often", f"{right} of {of} verdicts were right") if lower > share else None


def second_account(companions: Sequence[tuple[str, str]]) -> Sign | None:
    """Others (pseudonym, and what they share: a browser or a network) who may be the same person."""
    shared = [f"the same {kind} as {pseudonym}" for pseudonym, kind in companions]
    return Sign("second_account", "; ".join(shared)) if shared else None
