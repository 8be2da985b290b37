"""The prior of thinking times, from a record of people, and how well it hides a program among people it has not seen.

    python -m tests.blind people --data fourinarow-hvh.tsv

The record is of four-in-a-row on 4 × 9 squares without gravity (van Opheusden et al., Nature 2023; repository
basvanopheusden/fourinarow); it is not part of this project. Columns, parted by tabs: the squares of black and of white
as bit masks, who moves, the move as a mask, milliseconds, a fold, and the person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import exp, log, log1p
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from server.live.thinking.fitting import Observation, as_record, expectations, fit, recorded_shape
from server.live.thinking.prior import CENTRE, PRIOR, WEIGHTS
from server.live.thinking.situations import SETTLED, Situation
from server.live.thinking.times import Thinking, thinking_ms
from tests.blind.classifier import areas
from tests.blind.evidence import evidence_of_times

ROWS, COLUMNS, IN_A_LINE = 4, 9, 4
KIND: Final = "choice"
OF_OPTIONS: Final = WEIGHTS[0]
LEAST_DECISIONS: Final = 4


def _lines() -> list[int]:
    """Four squares in a line, as masks."""
    found = []
    for row, column, (down, right) in product(range(ROWS), range(COLUMNS), ((0, 1), (1, 0), (1, 1), (1, -1))):
        squares = [(row + n * down, column + n * right) for n in range(IN_A_LINE)]
        if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in squares):
            found.append(sum(1 << (r * COLUMNS + c) for r, c in squares))
    return found


LINES: Final = _lines()


class Decided(NamedTuple):
    """One decision: in which game, by whom, what stood before the person, and how long it took."""

    game: int
    person: str
    situation: Situation
    ms: float


def read(path: Path) -> list[Decided]:
    """The record with its situations; a new game begins with an empty board."""
    decided: list[Decided] = []
    game, before = 0, {"Black": 0, "White": 0}
    for line in path.read_text(encoding="utf-8").splitlines():
        black, white, mover, _, ms, _, person = line.split("\t")
        if black == white == "0":
            game, before = game + 1, {"Black": 0, "White": 0}
        own, other = (int(black), int(white)) if mover == "Black" else (int(white), int(black))
        decided.append(Decided(game, person, situation(own, other, before[mover]), float(ms)))
        before[mover] += 1
    return decided


def situation(own: int, other: int, number: int) -> Situation:
    """The features of situations.py: nothing is taken or scored in this game."""
    free = ROWS * COLUMNS - (own | other).bit_count()
    wins = _can_win(own, other)
    features = (
        log(free),
        0.0,
        0.0,
        log1p(min(number, SETTLED)),
        float(number == 0),
        float(wins),
        float(not wins and _can_win(other, own)),
    )
    return Situation(KIND, number, features)


def _can_win(own: int, other: int) -> bool:
    return any((line & own).bit_count() == IN_A_LINE - 1 and not line & other for line in LINES)


def learnt(decided: Iterable[Decided]) -> Thinking:
    """The model of these decisions. On this board the number of moves falls as the stage rises, so their weights cannot
    be told apart: that of the number of moves is the one that is shipped, an estimate of ours."""
    observations = [
        Observation(
            f"{one.game}:{one.person}",
            one.situation.kind,
            one.ms * exp(-OF_OPTIONS * (one.situation.features[0] - CENTRE[0])),
            (0.0, *one.situation.features[1:]),
        )
        for one in decided
    ]
    model = fit(observations, prior=Thinking())
    record = as_record(observations, [KIND], 1.0)
    rest = record.values - expectations(record, {0: model.kinds[KIND]})
    own = np.bincount(record.seats, rest) / np.bincount(record.seats)
    around = rest - own[record.seats]
    times = model.kinds[KIND]
    weights = (OF_OPTIONS, *times.weights[1:])
    # As the middle is shipped: for a decision in the middle of a game, whatever the middle of this one is.
    mean = times.mean + float(np.dot(times.weights[1:], np.subtract(CENTRE[1:], times.centre[1:])))
    return model.model_copy(
        update={
            "kinds": {KIND: times.model_copy(update={"weights": weights, "centre": CENTRE, "mean": mean})},
            # The shape alone, with a spread of 1: spread and differences between people stand beside it.
            "shape": recorded_shape(around / around.std()),
            "classes": [],
            "paces": None,
        }
    )


def told(model: Thinking, decided: Sequence[Decided]) -> str:
    """How well times tell people from programs that think about the very same situations."""
    seats: Mapping[tuple[int, str], list[Decided]] = defaultdict(list)
    for one in decided:
        seats[one.game, one.person].append(one)
    games, person, numbers = [], [], []
    for place, ((game, _), own) in enumerate(seats.items()):
        if len(own) < LEAST_DECISIONS:
            continue
        secret = f"real people {place}".encode()
        for is_person in (True, False):
            times = [
                (one.situation, one.ms if is_person else thinking_ms(model, secret, 0, one.situation)) for one in own
            ]
            games.append(game)
            person.append(is_person)
            numbers.append(evidence_of_times(times))
    return areas(games, person, numbers)


def halves(decided: Sequence[Decided]) -> tuple[list[Decided], list[Decided]]:
    """By persons."""
    names = sorted({one.person for one in decided})
    first = set(names[::2])
    return [one for one in decided if one.person in first], [one for one in decided if one.person not in first]


def measure(path: Path) -> None:
    decided = read(path)
    model = learnt(decided)
    own = model.kinds[KIND]
    print(f"{len(decided)} decisions of {len({one.person for one in decided})} persons, by everybody's:")
    print(f"middle {np.exp(own.mean):.0f} ms, spread {own.spread:.2f}, between people {model.between:.2f},")
    print(f"lasting {model.lasting:.2f}, echo {model.echo:.2f}, weights {[round(one, 2) for one in own.weights]},")
    print(f"shape {model.shape}\n")
    print("| times of programs | looked at | area under the curve, by a line / by trees |\n|---|---|---|")
    one, other = halves(decided)
    for name, fitted, shown in (
        ("learnt from the other half of the people", learnt(one), other),
        ("learnt from the other half of the people", learnt(other), one),
        ("the prior that is shipped", PRIOR, decided),
    ):
        print(f"| {name} | {len({each.person for each in shown})} persons | {told(fitted, shown)} |", flush=True)
