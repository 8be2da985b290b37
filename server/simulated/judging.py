"""What simulated probands say: they hold one session of matches after another, as a round goes on.

Everything follows from the round's seed and the number of the session.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

import numpy as np

from games.protocol import Game
from lab.judgements import HUMAN, Challenge, Verdict
from lab.probands.factor import HumanFactor
from lab.probands.judging import CANNOT_TELL, HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN
from lab.probands.persons import Persons, PersonSettings, draw_persons
from lab.probands.playing import PlayedMatch, SimulatedSeat, play_match
from lab.refinement import pool_of
from lab.refinement.pool import Elements, text
from lab.simulation.recorded import AIMS, DAY, carrier, simulated_profile
from lab.simulation.records import JudgementRecord, MatchRecord, PersonRecord, SeatRecord
from lab.simulation.tables import NOBODY, Answers, Tables, judge_tables, judged_per_match, seat_tables
from npc.rules import opened
from server.rounds.deciding import Rules
from server.rounds.simulated_probands import SimulatedProbands, Span, rhythm

VERDICTS: Final = {SAYS_HUMAN: Verdict.HUMAN, SAYS_ARTIFICIAL: Verdict.ARTIFICIAL, CANNOT_TELL: Verdict.CANNOT_TELL}
CHALLENGES: Final = tuple(Challenge)
IDLE: Final = 5
"""For so many persons who judge there is one who never does."""
BOOKS: Final = 12
"""So many matches of a session that takes days are really played, the last ones; the others have no moves."""
LASTED: Final = 400.0
ANSWERED: Final = 25.0


def people(simulation: SimulatedProbands, seed: int) -> Persons:
    return draw_persons(simulation.persons, PersonSettings(), np.random.default_rng([seed, 0]))


def person_records(simulation: SimulatedProbands, seed: int, begin: float) -> list[PersonRecord]:
    """Everybody who judges joins before the first session begins; with days, some come later and never play."""
    persons = people(simulation, seed)
    idle = range(simulation.persons, simulation.persons + (simulation.persons // IDLE if simulation.days else 0))
    return [
        *_judging(simulation, seed, begin, persons),
        *(
            PersonRecord(number, begin + joined_before(simulation, seed, number), {}, 0.0, 0.0, False)
            for number in idle
        ),
    ]


def _judging(simulation: SimulatedProbands, seed: int, begin: float, persons: Persons) -> list[PersonRecord]:
    return [
        PersonRecord(
            number,
            begin - joined_before(simulation, seed, number),
            simulated_profile(seed, number) if simulation.days else {},
            float(sensitivity),
            float(criterion),
            bool(falsifier),
        )
        for number, (sensitivity, criterion, falsifier) in enumerate(
            zip(persons.sensitivity, persons.criterion, persons.falsifier, strict=True)
        )
    ]


def joined_before(simulation: SimulatedProbands, seed: int, number: int) -> float:
    """How many seconds before the round."""
    return Random(f"joined:{seed}:{number}").random() * 2 * simulation.days * DAY


def session_records(
    simulation: SimulatedProbands,
    rules: Rules,
    seed: int,
    number: int,
    population: tuple[Elements, ...],
    span: Span,
) -> list[MatchRecord]:
    """Session `number` (from 1 on) with this population."""
    game = opened(*rules)
    persons = people(simulation, seed)
    rng = np.random.default_rng([seed, number])
    factor = simulation.factor(pool_of(game))
    looks = np.array([factor.artificialness(elements) for elements in population])
    turns = max(1, simulation.judgements // judged_per_match(len(game.seats)))
    tables = seat_tables(len(persons), len(population), turns, len(game.seats), rng)
    answers = judge_tables(tables, persons, looks, turns, (number - 1) * simulation.judgements, rng)
    return list(_matches(tables, answers, game, population, f"{seed}:{number}", number, span, factor))


def _matches(
    tables: Tables,
    answers: Answers,
    game: Game,
    population: tuple[Elements, ...],
    seed: str,
    session: int,
    span: Span,
    factor: HumanFactor,
) -> Iterator[MatchRecord]:
    names = [text(elements) for elements in population]
    books = len(tables) - (BOOKS if span.seconds >= DAY else 0)
    first = np.searchsorted(answers.match, np.arange(len(tables) + 1)).tolist()
    tick = span.seconds / (len(tables) + 1)
    # A match takes minutes and an answer seconds, unless the whole session takes only one.
    lasted, pause = (LASTED, ANSWERED) if span.seconds >= DAY else (0.0, tick / 10)
    for row, (people_here, strategies) in enumerate(zip(tables.person.tolist(), tables.strategy.tolist(), strict=True)):
        seats = tuple(
            SeatRecord(
                None if who == NOBODY else who,
                None if what == HUMAN_SEAT else names[what],
                f"{seed}:{row}:{place}",
            )
            for place, (who, what) in enumerate(zip(people_here, strategies, strict=True))
        )
        rng = Random(f"answers:{seed}:{row}")
        at = span.begin + row * tick if lasted == 0 else rhythm(span.begin + row * tick)
        played = _play(game, people_here, strategies, population, factor, f"{seed}:{row}") if row >= books else None
        ended = at + (played.seconds if played else lasted)
        given = tuple(
            _judgement(answers, place, names, rng, ended + pause * (1 + place - first[row]))
            for place in range(first[row], first[row + 1])
        )
        yield MatchRecord(row, session, at, ended, seats, played, given)


def _play(
    game: Game,
    persons: list[int],
    strategies: list[int],
    population: tuple[Elements, ...],
    factor: HumanFactor,
    seed: str,
) -> PlayedMatch:
    """A whole match, in which humans play the planted factor with a basic strategy of their own."""
    seats = [
        SimulatedSeat(
            carrier(factor, who) if what == HUMAN_SEAT else population[what], what == HUMAN_SEAT, f"{seed}:{place}"
        )
        for place, (who, what) in enumerate(zip(persons, strategies, strict=True))
    ]
    return play_match(game, seats, seed)


def _judgement(answers: Answers, place: int, names: list[str], rng: Random, at: float) -> JudgementRecord:
    truth = int(answers.session.truth[place])
    seat_truth = HUMAN if truth == HUMAN_SEAT else names[truth]
    return JudgementRecord(
        person=int(answers.session.person[place]),
        seat=int(answers.seat[place]),
        truth=seat_truth,
        verdict=VERDICTS[int(answers.session.verdict[place])],
        sureness=5 * rng.randint(0, 20),
        challenge=rng.choices(CHALLENGES, _challenge(seat_truth))[0],
        enjoyment=min(5, max(1, round(rng.gauss(_fun(seat_truth), 1.0)))),
        aim=rng.choice(AIMS) if rng.random() < 0.3 else None,
        answered=at,
    )


@cache
def _fun(truth: str) -> float:
    """How much this opponent is enjoyed, of 1 to 5: a matter of taste, but the same for everybody."""
    return Random(f"fun:{truth}").uniform(2.3, 4.2)


@cache
def _challenge(truth: str) -> tuple[float, ...]:
    """How likely each answer about its challenge is."""
    strength = Random(f"challenge:{truth}").uniform(0.15, 0.85)
    return ((1 - strength) ** 2, 2 * strength * (1 - strength), strength**2, 0.1)
