"""The fast judgement model: who judges which seat in a generation, and what they say, without playing the matches."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from lab.arrays import Floats, Ints
from lab.probands.persons import Persons

HUMAN_SEAT: Final = -1
"""In place of the number of a strategy."""

SAYS_HUMAN: Final = 0
SAYS_ARTIFICIAL: Final = 1
CANNOT_TELL: Final = 2


@dataclass(frozen=True)
class Session:
    """The judgements of one generation: arrays with one entry per judgement, in the order of time."""

    person: Ints
    truth: Ints
    """Number of the judged strategy, or HUMAN_SEAT."""
    verdict: Ints

    def __len__(self) -> int:
        return len(self.person)


def plan(
    persons: int, strategies: int, judgements: int, human_share: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """(person, truth) of every judgement, in turns in which everybody judges one seat.

    Everybody judges equally often, and every strategy is judged equally often (±1). A person meets all strategies
    before one comes again. In the standard match (two probands, one program) half of the judged seats are human.
    """
    programs = judgements - round(judgements * human_share)
    truth = np.full((persons, judgements), HUMAN_SEAT, dtype=np.int64)
    deal = rng.permutation(strategies)[np.arange(persons * programs) % strategies]
    truth[:, :programs] = deal.reshape(persons, programs)[rng.permutation(persons)]
    truth = rng.permuted(truth, axis=1)
    person = rng.permuted(np.tile(np.arange(persons), (judgements, 1)), axis=1)
    return person.ravel(), truth[person, np.arange(judgements)[:, None]].ravel()


def perceive(
    persons: Persons, person: Ints, artificialness: Floats, career: Floats, session: Floats, rng: np.random.Generator
) -> Floats:
    """How far above the person's criterion a seat seems that looks so artificial; below zero it rather seems human."""
    sensitivity = persons.sensitivity_at(person, career, session)
    return np.asarray(
        sensitivity * artificialness + rng.standard_normal(len(person)) - persons.criterion[person], dtype=np.float64
    )


def answer(persons: Persons, person: Ints, above: Floats, rng: np.random.Generator) -> Ints:
    """What each person says about what was perceived; falsifiers throw a coin."""
    verdict = np.where(above > persons.settings.doubt, SAYS_ARTIFICIAL, CANNOT_TELL)
    verdict = np.where(above < -persons.settings.doubt, SAYS_HUMAN, verdict)
    coin = rng.integers(0, 2, len(person))
    return np.where(persons.falsifier[person], coin, verdict)


def hold_session(
    persons: Persons,
    artificialness: Floats,
    judgements: int,
    human_share: float,
    career: int,
    rng: np.random.Generator,
) -> Session:
    """One generation: everybody judges `judgements` seats of humans and of strategies that look so artificial."""
    person, truth = plan(len(persons), len(artificialness), judgements, human_share, rng)
    other = (person + rng.integers(1, len(persons), len(person))) % len(persons)
    look = np.where(truth == HUMAN_SEAT, persons.look[other], artificialness[truth])
    turn = np.repeat(np.arange(judgements), len(persons)).astype(np.float64)
    above = perceive(persons, person, look, career + turn, turn / judgements, rng)
    return Session(person, truth, answer(persons, person, above, rng))
