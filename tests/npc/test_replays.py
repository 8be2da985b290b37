"""Frames for boards that replay, and the check of the dice, as pages ask for them."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from games import dice
from games.book import record, write_book
from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER, GameError
from npc import replays

SEED = bytes(range(32))


def a_match() -> list[str]:
    """A match whose dice follow from SEED and whose seats always take their first move."""
    position = JOSTLE.start()
    moves: list[str] = []
    while position.to_act != OVER:
        move = dice.draw(SEED, len(moves), position) if position.to_act == CHANCE else position.moves()[0]
        position = position.play(move)
        moves.append(str(move))
    return moves


def test_frames_follow_each_other_and_their_steps_lead_from_position_to_position() -> None:
    moves = a_match()
    told = replays.of_moves("jostle", moves)
    assert [frame["move"] for frame in told["frames"]] == moves
    assert json.loads(json.dumps(told))["setup"]["goals"] == [[26, 1], [27, 2], [28, 3], [29, 4], [30, 5]]
    for before, after in pairwise(told["frames"]):
        pieces = list(JOSTLE.position(before["position"]).pieces)
        for _, piece, source, target in after["events"]:
            assert pieces[int(piece)] == int(source)
            pieces[int(piece)] = int(target)
        assert tuple(pieces) == JOSTLE.position(after["position"]).pieces


def test_a_book_gives_the_same_pieces_as_its_match() -> None:
    moves = a_match()
    book = write_book(record(JOSTLE, [JOSTLE.move(text) for text in moves]))
    ours = [frame["position"] for frame in replays.of_moves("jostle", moves)["frames"] if frame["events"]]
    assert [frame["position"] for frame in replays.of_book(book)["frames"] if frame["events"]] == ours


def test_a_book_that_cannot_be_replayed_is_refused_at_its_line() -> None:
    with pytest.raises(GameError, match="line 2"):
        replays.of_book("0r4\n3g31\n")


def test_fair_dice_pass_and_a_changed_one_is_found() -> None:
    moves = a_match()
    check = replays.check_dice("jostle", SEED.hex(), dice.commitment(SEED), moves)
    assert check == {"fair": True, "dice": sum(text.isdigit() for text in moves), "ply": None, "reason": ""}
    changed = ["1" if moves[0] != "1" else "2", *moves[1:]]
    assert replays.check_dice("jostle", SEED.hex(), dice.commitment(SEED), changed)["ply"] == 0
    assert not replays.check_dice("jostle", SEED.hex(), "0" * 64, moves)["fair"]
