"""What real studies have and simulated probands would not do by themselves: they wait in the lobby, leave, and skip.

Judgements are never touched: waiting is noted beside the match, and whoever leaves or skips does so in a further match
that nobody judges. All of it follows from the study and the number of the match.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from random import Random
from typing import Final

from lab.simulation.records import MatchRecord, SeatRecord
from server.questionnaires.service import closing_time
from server.simulated.rows import Row, moment, seat_rows

EVERY: Final = 9
"""After so many matches one more is played that is not judged."""
WAIT_MS: Final = 6000
"""Half of those who wait are seated within about this time."""
LONGEST_MS: Final = 60_000
LATER: Final = 40.0
"""Seconds after the match that it is added to."""
SKIPPED_AFTER: Final = timedelta(seconds=6)


class Ending(Enum):
    """How a match goes that nobody judges."""

    LEFT = "somebody leaves and a stand-in plays on; the others skip"
    SKIPPED = "everybody skips the questionnaire"
    FORGOTTEN = "everybody leaves it open until its day is over"


ENDINGS: Final = (Ending.LEFT, Ending.SKIPPED, Ending.LEFT, Ending.FORGOTTEN)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A further match with the people and programs of another one."""

    record: MatchRecord
    ending: Ending

    @property
    def stand_in(self) -> str:
        """The program that takes a seat over: one that sits at the table already."""
        return next(seat.strategy for seat in self.record.seats if seat.strategy is not None)

    def seats(self, match_id: int, persons: Sequence[int]) -> Iterator[Row]:
        """Whoever leaves is the first person at the table."""
        left = self.ending is Ending.LEFT
        for row in seat_rows(self.record.seats, match_id, persons):
            if left and row[2] is not None:
                left = False
                yield (*row[:3], self.stand_in, 0, moment(self.record.ended))
            else:
                yield row

    def sheets(self, persons: Sequence[int]) -> Iterator[tuple[int, Row]]:
        """The person, and what follows version, person and match in the row of a sheet."""
        opened = moment(self.record.ended)
        closes = closing_time(opened)
        seated = [(place, seat.person) for place, seat in enumerate(self.record.seats) if seat.person is not None]
        for place, person in seated[1:] if self.ending is Ending.LEFT else seated:
            others = json.dumps([other for other in range(len(self.record.seats)) if other != place])
            forgotten = self.ending is Ending.FORGOTTEN
            skipped, closed = (None, closes) if forgotten else (opened + SKIPPED_AFTER, None)
            yield persons[person], (others, opened, closes, None, skipped, closed)


def unjudged(record: MatchRecord) -> Unjudged | None:
    """The match that follows this one without being judged, after some of them."""
    with_program = any(seat.strategy for seat in record.seats) and any(seat.person is not None for seat in record.seats)
    if record.number % EVERY or not with_program:
        return None
    seats = tuple(SeatRecord(seat.person, seat.strategy, f"{seat.seed}:unjudged") for seat in record.seats)
    later = replace(
        record, started=record.started + LATER, ended=record.ended + LATER, seats=seats, played=None, judgements=()
    )
    return Unjudged(later, ENDINGS[record.number // EVERY % len(ENDINGS)])


def waits(record: MatchRecord, match_id: int, study: str) -> Iterator[Row]:
    """How long each person waited before being seated."""
    rng = Random(f"waits:{study}:{record.generation}:{record.number}")
    for place, seat in enumerate(record.seats):
        if seat.person is not None:
            waited = min(LONGEST_MS, round(WAIT_MS * rng.lognormvariate(0, 0.8)))
            yield (match_id, place, moment(record.started), "seated", json.dumps({"waited_ms": waited}))
