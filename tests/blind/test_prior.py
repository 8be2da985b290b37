"""The prior of thinking times follows from a record of people."""

from __future__ import annotations

import random
from math import exp
from pathlib import Path

import pytest

from server.live.thinking.situations import FEATURES
from tests.blind.prior import KIND, halves, learnt, read

WIN, STAGE = FEATURES.index("winning"), FEATURES.index("stage")


def written(folder: Path) -> Path:
    """Thirty people who fill rows from the left, quickly where they win and slower from move to move."""
    rng, lines = random.Random(7), []
    for game in range(150):
        pace = {"Black": rng.gauss(0, 0.3), "White": rng.gauss(0, 0.3)}
        squares = {"Black": 0, "White": 0}
        for number in range(4):
            for row, mover in enumerate(squares):
                ms = exp(8 + pace[mover] - 1.0 * (number == 3) + 0.1 * number + rng.gauss(0, 0.4))
                move = 1 << (9 * row + number)
                person = game % 15 + 15 * row
                both = f"{squares['Black']}\t{squares['White']}"
                lines.append(f"{both}\t{mover}\t{move}\t{ms:.0f}\t1\t{person}")
                squares[mover] |= move
                if number == 3:
                    break
    file = folder / "record.tsv"
    file.write_text("\n".join(lines))
    return file


def test_situations_and_times_are_read_from_a_record_of_moves(tmp_path: Path) -> None:
    decided = read(written(tmp_path))
    assert len({one.game for one in decided}) == 150
    first, last = decided[0].situation, decided[6].situation
    assert first.features[1:] == (0, 0, 0, 1, 0, 0)
    assert exp(first.features[0]) == pytest.approx(36)
    assert (last.number, last.features[WIN]) == (3, 1)
    assert decided[5].situation.features[WIN + 1] == 1, "the other threatens to win"
    model = learnt(decided)
    assert model.kinds[KIND].weights[WIN] == pytest.approx(-1.0, abs=0.3)
    assert model.kinds[KIND].spread == pytest.approx(0.4, abs=0.05)
    assert model.between == pytest.approx(0.3, abs=0.1)


def test_no_person_is_in_both_halves(tmp_path: Path) -> None:
    one, other = halves(read(written(tmp_path)))
    assert one
    assert other
    assert not {each.person for each in one} & {each.person for each in other}
