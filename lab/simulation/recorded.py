"""A simulated study as a stream of records: persons, matches with books and answers, and the steps of the round.

Nothing is held back: records come as the study goes on, so that ten thousand persons and a million judgements can be
written somewhere without being in memory at once.
"""

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain, repeat
from random import Random
from typing import Final

import numpy as np

from lab.cluster import stream
from lab.judgements import HUMAN, Challenge, Verdict
from lab.probands.factor import Factor
from lab.probands.judging import CANNOT_TELL, HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN
from lab.probands.playing import PlayedMatch, SimulatedSeat, play_match
from lab.refinement.pool import Elements, text
from lab.simulation.records import JudgementRecord, MatchRecord, PersonRecord, SeatRecord, StepRecord, StudyRecord
from lab.simulation.study import SimulationSettings, Study
from lab.simulation.tables import NOBODY, Answers, Tables, judge_tables, judged_per_match, seat_tables
from npc.rules import opened

DAY: Final = 86_400.0
VERDICTS: Final = {SAYS_HUMAN: Verdict.HUMAN, SAYS_ARTIFICIAL: Verdict.ARTIFICIAL, CANNOT_TELL: Verdict.CANNOT_TELL}
AIMS: Final = (
    "Wanted to win as fast as possible.",
    "Played it safe.",
    "Stood in my way whenever it was possible.",
    "Did the same again and again.",
    "No plan that I could see.",
    "Waited for what the others would do.",
)
PROFILE: Final[dict[str, tuple[str, ...]]] = {
    "age": ("under_18", "from_18", "from_25", "from_35", "from_45", "from_55", "from_65"),
    "gender": ("female", "male", "diverse"),
    "experience": ("hardly", "some", "many", "expert"),
    "hours": ("none", "under_2", "from_2", "from_6", "over_10"),
    "country": ("DE", "AT", "CH", "GB", "US", "FR", "IT", "PL"),
    "temperament": ("sanguine", "choleric", "melancholic", "phlegmatic"),
}


@dataclass(frozen=True)
class RecordSettings:
    begin: float = 1_767_225_600.0
    """When the first person joins, in seconds since 1970 (default: the first day of 2026)."""
    days: float = 7.0
    """How long one generation is judged."""
    books: bool = True
    """Whether the matches are played; without books a million judgements take minutes, but matches have no moves."""
    most_books: int | None = None
    """Only so many matches are played, the first ones; None: all of them."""
    most_judgements: int | None = None
    """Stop after the match that reaches so many, the round going on; None: until the round is done."""


def recorded(
    settings: SimulationSettings, seed: int, records: RecordSettings | None = None, pool: Executor | None = None
) -> Iterator[StudyRecord]:
    """The whole study in the order of time. The same settings and seed give the same records, whatever the pool.

    Every person plays as many matches per generation as it takes to give the judgements that are set: each judges all
    other seats.
    """
    return _Recorder(Study(settings, seed), records or RecordSettings(), pool).run()


class _Recorder:
    """Where the stream stands."""

    def __init__(self, study: Study, settings: RecordSettings, pool: Executor | None) -> None:
        self.study = study
        self.settings = settings
        self.pool = pool
        self.matches = 0
        self.judgements = 0

    def run(self) -> Iterator[StudyRecord]:
        yield from self._persons()
        while not self.study.done:
            seats = len(self.study.settings.rules.seats)
            turns = max(1, self.study.settings.judgements // judged_per_match(seats))
            rng = self.study.rng_of_session()
            tables = seat_tables(len(self.study.persons), len(self.study.state.members), turns, seats, rng)
            answers = judge_tables(tables, self.study.persons, self.study.looks(), turns, self.study.career, rng)
            for match in self._matches(tables, answers):
                yield match
                self.judgements += len(match.judgements)
                if self.settings.most_judgements is not None and self.judgements >= self.settings.most_judgements:
                    return
            before, at = self.study.state, self._time(1.0)
            self.study.hold(answers.session)
            yield StepRecord(at, before, self.study.last, tuple(sorted(self.study.log.experts)))

    def _time(self, share: float) -> float:
        """When so much of the session that is being held is over."""
        return self.settings.begin + DAY * self.settings.days * (self.study.log.sessions + share)

    def _persons(self) -> Iterator[PersonRecord]:
        persons = self.study.persons
        for number in range(len(persons)):
            yield PersonRecord(
                number,
                self.settings.begin - DAY * Random(f"joined:{self.study.seed}:{number}").random(),
                simulated_profile(self.study.seed, number),
                float(persons.sensitivity[number]),
                float(persons.criterion[number]),
                bool(persons.falsifier[number]),
            )

    def _matches(self, tables: Tables, answers: Answers) -> Iterator[MatchRecord]:
        seats = [self._seats(tables, row) for row in range(len(tables))]
        first = np.searchsorted(answers.match, np.arange(len(tables) + 1))
        books = self._books(len(tables))
        game = self.study.settings.rules
        tasks = (
            (game.reference, game.source, seats[row], f"{self.study.seed}:{self.matches + row}") for row in range(books)
        )
        played = chain(stream(self.pool, _play, tasks, size=25), repeat(None, len(tables) - books))
        generation = self.study.log.sessions
        for row, moves in enumerate(played):
            started = self._time(row / len(tables) * 0.99)
            ended = started + (moves.seconds if moves else 300.0)
            number = self.matches + row
            rng = Random(f"answers:{self.study.seed}:{number}")
            given = tuple(
                self._judgement(answers, place, tables, moves, ended, rng)
                for place in range(first[row], first[row + 1])
            )
            people = tables.person[row].tolist()
            chairs = tuple(
                SeatRecord(None if who == NOBODY else who, None if seat.human else text(seat.elements), seat.seed)
                for who, seat in zip(people, seats[row], strict=True)
            )
            yield MatchRecord(number, generation, started, ended, chairs, moves, given)
        self.matches += len(tables)

    def _books(self, matches: int) -> int:
        """How many of the next matches are played."""
        if not self.settings.books:
            return 0
        most = self.settings.most_books
        return matches if most is None else min(matches, max(0, most - self.matches))

    def _seats(self, tables: Tables, row: int) -> tuple[SimulatedSeat, ...]:
        population, number = self.study.state.population, self.matches + row
        return tuple(
            SimulatedSeat(
                carrier(self.study.settings.factor, who) if what == HUMAN_SEAT else population[what],
                what == HUMAN_SEAT,
                f"{self.study.seed}:{number}:{seat}",
            )
            for seat, (who, what) in enumerate(
                zip(tables.person[row].tolist(), tables.strategy[row].tolist(), strict=True)
            )
        )

    def _judgement(
        self, answers: Answers, place: int, tables: Tables, played: PlayedMatch | None, ended: float, rng: Random
    ) -> JudgementRecord:
        session, seat = answers.session, int(answers.seat[place])
        person, truth = int(session.person[place]), int(session.truth[place])
        verdict = VERDICTS[int(session.verdict[place])]
        own = tables.person[answers.match[place]].tolist().index(person)
        return JudgementRecord(
            person=person,
            seat=seat,
            truth=HUMAN if truth == HUMAN_SEAT else text(self.study.state.population[truth]),
            verdict=verdict,
            sureness=0 if verdict is Verdict.CANNOT_TELL else _sureness(float(answers.above[place])),
            challenge=_challenge(played, own, seat, rng),
            enjoyment=_enjoyment(played, own, person, self.study.seed),
            aim=rng.choice(AIMS) if rng.random() < 0.3 else None,
            answered=ended + rng.uniform(20, 90),
        )


def carrier(factor: Factor, person: int) -> Elements:
    """How a human plays: the planted factor, with a basic strategy of his or her own if it has none."""
    if factor.pool.basics_of(factor.planted):
        return factor.planted
    return (*factor.planted, factor.pool.basics[person % len(factor.pool.basics)])


def simulated_profile(seed: int, number: int) -> dict[str, str]:
    """What a simulated proband says of him- or herself; some of it is left out, as people do."""
    rng = Random(f"profile:{seed}:{number}")
    return {key: rng.choice(options) for key, options in PROFILE.items() if rng.random() < 0.7}


def _play(task: tuple[str, str, tuple[SimulatedSeat, ...], str]) -> PlayedMatch:
    reference, source, seats, seed = task
    return play_match(opened(reference, source), seats, seed)


def _sureness(above: float) -> int:
    """0 to 100 in steps of five: the further from the criterion, the surer."""
    return 5 * round(20 * (1 - math.exp(-abs(above))))


def _challenge(played: PlayedMatch | None, own: int, seat: int, rng: Random) -> Challenge:
    lead = played.scores[seat] - played.scores[own] if played else rng.randint(-6, 6)
    if rng.random() < 0.1:
        return Challenge.UNSURE
    return Challenge.OVERSTRAINING if lead > 4 else Challenge.SOMEWHAT if lead > -2 else Challenge.NOT


def _enjoyment(played: PlayedMatch | None, own: int, person: int, seed: int) -> int:
    """1 to 5, the same for all seats that a person judges after a match: a temper of one's own, and winning helps."""
    temper = Random(f"temper:{seed}:{person}").choice((-1, 0, 0, 1))
    won = 1 if played and own in played.winners else 0
    return min(5, max(1, 3 + temper + won))
