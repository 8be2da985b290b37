"""Which judgements may enter the tests: those of first meetings, because what comes again was chosen by its verdicts.

`lab.selection` shows people the strategies again that they misjudged. Whoever takes a strategy for human meets it more
often than somebody who does not, and the share judged human rises without anything having become more human. The first
meeting of a judge with a strategy depends on no verdict about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lab.judgements import Judgement


def first_meetings(log: Sequence[Judgement]) -> list[Judgement]:
    """Of a log in order: each judge's first match with each strategy, and all of the humans judged in such a match.

    Humans of other matches are left out with them: later matches are those in which judges have learnt more, and the
    yardstick must come from the same ones. Matches without any program stay.
    """
    met: dict[tuple[str, str], str] = {}
    programs: dict[tuple[str, str], bool] = {}
    for one in log:
        if not one.of_human:
            first = met.setdefault((one.person, one.seat_truth), one.match) == one.match
            programs[one.person, one.match] = programs.get((one.person, one.match), False) or first
    return [
        one
        for one in log
        if (
            programs.get((one.person, one.match), True)
            if one.of_human
            else met[one.person, one.seat_truth] == one.match
        )
    ]


def all_meetings(log: Sequence[Judgement]) -> list[Judgement]:
    return list(log)


MEETINGS: Final[Mapping[str, Callable[[Sequence[Judgement]], list[Judgement]]]] = {
    "first": first_meetings,
    "all": all_meetings,
}
"""The choices of `TuringSettings.meetings`."""
