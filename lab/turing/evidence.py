"""Evidence that may be looked at after every judgement: e-values by betting on matched pairs.

A pair is one judge's verdict on the program and the same judge's verdict on a human, from the same match where
possible and else from the matches next to it. If the program cannot be told from humans, the two are exchangeable,
whatever the judge's habits. A bettor against that starts with 1; what the capital becomes is the e-value. By Ville's
inequality it ever reaches 20 with probability at most 5 % under the hypothesis, however often one looks, so stopping
at 20 is an honest 5 % test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln

from lab.arrays import Floats
from lab.judgements import Judgement, in_order, place

ENOUGH = 20.0
"""The e-value at which a sequential test of level 5 % may stop."""

LARGEST = 690.0
"""The logarithm at which capital is no longer counted: 10²⁹⁹ convinces everybody, and numbers end soon after."""


NEAR = 86_400.0
"""Seconds up to which judgements of different matches make a pair: a day."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One judge's verdicts: was the program, was the human called human?"""

    program_human: bool
    human_human: bool

    @property
    def gain(self) -> int:
        """+1 if only the program was called human, −1 if only the human was, else 0."""
        return int(self.program_human) - int(self.human_human)


def pairs(judgements: Iterable[Judgement], strategy: str) -> list[Pair]:
    """Pairs in the order in which they became complete: within a match first, then what was judged next to each other.

    Later judgements only append pairs, they never change earlier ones.
    """
    log = in_order(judgements)
    return match_up((one for one in log if one.seat_truth == strategy), by_match(one for one in log if one.of_human))


def by_judge(judgements: Iterable[Judgement]) -> dict[str, list[Judgement]]:
    sorted_out: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        sorted_out[judgement.person].append(judgement)
    return sorted_out


def by_match(judgements: Iterable[Judgement]) -> dict[str, dict[str, list[Judgement]]]:
    """Judgements by judge, and those of each judge by match, in the order in which they come."""
    sorted_out: dict[str, dict[str, list[Judgement]]] = defaultdict(lambda: defaultdict(list))
    for judgement in judgements:
        sorted_out[judgement.person][judgement.match].append(judgement)
    return sorted_out


def match_up(programs: Iterable[Judgement], humans: Mapping[str, Mapping[str, Sequence[Judgement]]]) -> list[Pair]:
    """Pairs of judgements that are in log order already: those of one strategy, and those of humans by judge and match.

    What finds no partner in its own match takes the nearest unused human before it, or waits for the next one, within
    a day and not beyond: while a judge's criterion drifts, a program of the last week and a human of the first are
    not exchangeable.
    """
    matched: list[tuple[Judgement, Judgement]] = []
    for judge, own in by_judge(programs).items():
        of_match = humans.get(judge, {})
        used: Counter[str] = Counter()
        spare: list[Judgement] = []
        for program in own:
            partners = of_match.get(program.match, ())
            if used[program.match] < len(partners):
                matched.append((program, partners[used[program.match]]))
                used[program.match] += 1
            else:
                spare.append(program)
        if spare:
            left = [human for match, partners in of_match.items() for human in partners[used[match] :]]
            matched += _neighbours(spare, left)
    matched.sort(key=lambda two: (max(two[0].time, two[1].time), two[0].person, two[0].match))
    return [Pair(program.judged_human, human.judged_human) for program, human in matched]


def _neighbours(programs: Sequence[Judgement], humans: Sequence[Judgement]) -> list[tuple[Judgement, Judgement]]:
    """Each judgement is paired, as it comes, with the latest match's first one of the other kind that still waits."""
    found: list[tuple[Judgement, Judgement]] = []
    waiting: list[Judgement] = []
    for one in sorted((*programs, *humans), key=place):
        if waiting and waiting[-1].of_human != one.of_human and one.time - waiting[-1].time <= NEAR:
            latest = len(waiting) - 1
            while latest > 0 and waiting[latest - 1].match == waiting[-1].match:
                latest -= 1
            other = waiting.pop(latest)
            found.append((other, one) if one.of_human else (one, other))
        else:
            waiting.append(one)
    return found


def e_told_apart(given: Sequence[Pair]) -> Floats:
    """E-value after every pair against "the program cannot be told from humans".

    Only pairs with different verdicts speak. Under the hypothesis each is a fair coin; betting on the coin by the
    Krichevsky–Trofimov mixture gives E = 2ⁿ B(k + ½, n − k + ½) / B(½, ½) after k of n in favour of the human.
    """
    gains = np.array([pair.gain for pair in given], dtype=np.float64)
    speaking = np.cumsum(gains != 0)
    for_human = np.cumsum(gains < 0)
    log_e = speaking * np.log(2.0) + betaln(for_human + 0.5, speaking - for_human + 0.5) - betaln(0.5, 0.5)
    return np.asarray(np.exp(np.minimum(log_e, LARGEST)), dtype=np.float64)


def e_equivalent(given: Sequence[Pair], margin: float = 0.10, bets: int = 20) -> Floats:
    """E-value after every pair for equivalence, against "the shares differ by the margin or more".

    Two bettors, each on a grid of stakes λ whose capital is averaged: E₊ = mean over λ of ∏(1 + λ(z + m)) against
    "z is −m or less on average", E₋ with −z against the other side; the smaller of the two is what has been shown.
    """
    gains = np.array([pair.gain for pair in given], dtype=np.float64)
    stakes = (np.arange(bets) + 0.5) / bets / (1 + margin)
    sides = [
        np.exp(np.minimum(np.cumsum(np.log1p(stakes[:, None] * (side * gains + margin)), axis=1), LARGEST)).mean(axis=0)
        for side in (1.0, -1.0)
    ]
    return np.asarray(np.minimum(sides[0], sides[1]), dtype=np.float64)
