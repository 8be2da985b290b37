"""Who sits with whom in one session of matches, and what everybody answers about the others at the table."""

from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats, Ints
from lab.probands.judging import HUMAN_SEAT, Session, answer, perceive
from lab.probands.persons import Persons

NOBODY = -1


@dataclass(frozen=True)
class Tables:
    """One row per match in the order of time, one column per seat."""

    person: Ints
    """The person on the seat, or NOBODY."""
    strategy: Ints
    """The place in the population of the strategy on the seat, or HUMAN_SEAT."""
    turn: Ints
    """The how many-th match of the session it is for its persons; one entry per match."""

    def __len__(self) -> int:
        return len(self.turn)

    @property
    def seats(self) -> int:
        return int(self.person.shape[1])


def judged_per_match(seats: int) -> int:
    """Everybody judges all other seats of a table."""
    return seats - 1


@dataclass(frozen=True)
class Answers:
    """One entry per judgement, in the order of time."""

    match: Ints
    seat: Ints
    session: Session
    above: Floats
    """How far above the criterion of the person the judged seat seemed."""


def seat_tables(persons: int, strategies: int, turns: int, seats: int, rng: np.random.Generator) -> Tables:
    """Everybody plays `turns` matches with changing partners; every strategy plays equally often (±1).

    Two persons and programs at a table; with an odd number of persons one of them meets programs alone. In games of two
    seats half of the persons meet a person, the others a program.
    """
    pairs = persons // 2 if seats > 2 else persons // 4
    single = persons - 2 * pairs
    order = rng.permuted(np.tile(np.arange(persons), (turns, 1)), axis=1)
    alone = np.full((turns, single, 1), NOBODY)
    couples = order[:, : 2 * pairs].reshape(turns, pairs, 2)
    singles = np.concatenate((order[:, 2 * pairs :, None], alone), axis=2)
    people = np.concatenate((couples, singles), axis=1).reshape(-1, 2)
    person = np.concatenate((people, np.full((len(people), seats - 2), NOBODY)), axis=1)
    program = person == NOBODY
    deal = rng.permutation(strategies)[np.arange(int(program.sum())) % strategies]
    strategy = np.full(person.shape, HUMAN_SEAT)
    strategy[program] = deal
    shuffled = np.argsort(rng.random(person.shape), axis=1)
    return Tables(
        np.take_along_axis(person, shuffled, axis=1),
        np.take_along_axis(strategy, shuffled, axis=1),
        np.repeat(np.arange(turns), pairs + single),
    )


def judge_tables(
    tables: Tables, persons: Persons, looks: Floats, turns: int, career: int, rng: np.random.Generator
) -> Answers:
    """Every person judges all other seats of the table."""
    seats = np.arange(tables.seats)
    match, judge, seat = (index.ravel() for index in np.meshgrid(np.arange(len(tables)), seats, seats, indexing="ij"))
    kept = (judge != seat) & (tables.person[match, judge] != NOBODY)
    match, judge, seat = match[kept], judge[kept], seat[kept]
    person, truth, other = tables.person[match, judge], tables.strategy[match, seat], tables.person[match, seat]
    look = np.where(truth == HUMAN_SEAT, persons.look[other], looks[truth])
    turn = tables.turn[match].astype(np.float64)
    above = perceive(persons, person, look, career + judged_per_match(tables.seats) * turn, turn / turns, rng)
    return Answers(match, seat, Session(person, truth, answer(persons, person, above, rng), match), above)
