"""The fast judgement model: who judges which seat in a generation, and what they say, without playing the matches."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from lab.arrays import Bools, Floats, Ints
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
    match: Ints
    """After which match of the session it was given; only together with the person it says which one."""

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


@dataclass(frozen=True)
class Sights:
    """How artificial seats look: a row per strategy, a column per match that was seen of it; and humans, per match.

    One column means that a strategy always looks the same.
    """

    programs: Floats
    humans: Floats


def always(artificialness: Floats) -> Sights:
    return Sights(artificialness[:, None], np.zeros(1))


@dataclass(frozen=True)
class Gathering:
    """Who is there for a session, and which programs each of them meets, by person; without a `deal` chance says."""

    present: Ints
    deal: Ints | None = None


def hold_session(
    persons: Persons,
    sights: Sights,
    judgements: int,
    human_share: float,
    career: int,
    rng: np.random.Generator,
    gathering: Gathering | None = None,
) -> Session:
    """One generation: everybody judges `judgements` seats of humans and of strategies that look so artificial."""
    there = gathering or Gathering(np.arange(len(persons)))
    here, truth = plan(len(there.present), len(sights.programs), judgements, human_share, rng)
    if there.deal is not None:
        truth = _dealt(here, truth, there.deal)
    person = there.present[here]
    other = there.present[(here + rng.integers(1, len(there.present), len(here))) % len(there.present)]
    of_human = truth == HUMAN_SEAT
    seen = sights.programs[truth, _drawn(sights.programs.shape[1], len(truth), rng)]
    look = np.where(of_human, persons.look[other] + sights.humans[_drawn(len(sights.humans), len(truth), rng)], seen)
    turn = np.repeat(np.arange(judgements), len(there.present)).astype(np.float64)
    above = perceive(persons, person, look, career + turn, turn / judgements, rng)
    if persons.settings.comparing:
        above = _compared(here, of_human, above, persons.settings.comparing)
    return Session(person, truth, answer(persons, person, above, rng), _ordinals(here, of_human))


def _ordinals(person: Ints, of_human: Bools) -> Ints:
    """Each person's first program and first human sat at one table, the second ones at another, and so on."""
    match = np.empty(len(person), dtype=np.int64)
    for kind in (of_human, ~of_human):
        places = np.flatnonzero(kind)
        order = places[np.argsort(person[places], kind="stable")]
        who = person[order]
        match[order] = np.arange(len(order)) - np.searchsorted(who, who)
    return match


def _drawn(matches: int, judgements: int, rng: np.random.Generator) -> Ints:
    """Which match each judgement is about."""
    return rng.integers(0, matches, judgements) if matches > 1 else np.zeros(judgements, dtype=np.int64)


def _dealt(person: Ints, truth: Ints, deal: Ints) -> Ints:
    """The plan with each person's programs replaced, in the order of time, by those that are dealt to him or her."""
    changed = truth.copy()
    seats = _in_rows(person, truth != HUMAN_SEAT, len(deal))
    changed[seats] = deal[:, : seats.shape[1]]
    return changed


def _compared(person: Ints, of_human: Bools, above: Floats, much: float) -> Floats:
    """Of the two others at a table the one seems the more human, the more artificial the other seems."""
    people = int(person.max()) + 1
    programs, humans = _in_rows(person, ~of_human, people), _in_rows(person, of_human, people)
    pairs = min(programs.shape[1], humans.shape[1])
    programs, humans = programs[:, :pairs], humans[:, :pairs]
    apart = much * (above[programs] - above[humans])
    changed = above.copy()
    changed[programs] += apart
    changed[humans] -= apart
    return changed


def _in_rows(person: Ints, chosen: Bools, people: int) -> Ints:
    """Where the chosen judgements of each person stand, a row per person; everybody has equally many."""
    places = np.flatnonzero(chosen)
    return places[np.argsort(person[places], kind="stable")].reshape(people, -1)


def shown_again(met: Bools, misjudged: Bools, programs: int, rng: np.random.Generator) -> Ints:
    """Programs by person as `lab.selection` chooses: what is new first, then what was misjudged last, then the rest."""
    rank = np.where(~met, 0.0, np.where(misjudged, 1.0, 2.0)) + rng.random(met.shape)
    order = np.argsort(rank, axis=1)
    return np.asarray(order[:, np.arange(programs) % met.shape[1]], dtype=np.int64)
