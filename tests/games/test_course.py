"""What decided a match: the same few rules for every game."""

import random
from itertools import pairwise

import pytest

from games.course import course
from games.protocol import CHANCE, OVER, Position
from games.registry import game as find_game
from games.registry import shelf


def test_a_game_without_points_before_its_end_is_decided_by_the_last_move() -> None:
    game = find_game("tic-tac-toe:standard")
    position, moves = game.start(), []
    while position.to_act != OVER:
        moves.append(str(position.moves()[0]))
        position = position.play(position.moves()[0])
    told = course(game, moves)
    assert position.winners(), "else this shows nothing"
    assert told.lead is not None
    assert (told.lead.number, told.lead.leaders) == (told.decisions, position.winners())
    assert told.lead_changes == 0


def test_points_and_lead_in_a_game_with_both() -> None:
    """Ten: whoever draws most without exceeding the limit."""
    game = find_game("ten:standard")
    for seed in range(20):
        moves, positions = _random_match("ten:standard", seed)
        told = course(game, moves)
        final = positions[-1]
        assert [sum(one.gains[seat] for one in told.scored) for seat in range(len(game.seats))] == [
            now - before for now, before in zip(final.scores(), positions[0].scores(), strict=True)
        ]
        led = [leaders for one in positions if (leaders := one.winners() or _ahead(one))]
        assert told.lead_changes == sum(one != other for one, other in pairwise(led))
        if told.lead is not None:
            assert told.lead.leaders == final.winners()
            before = positions[told.lead.ply]
            assert (before.winners() or _ahead(before)) != told.lead.leaders, "it was another's before that move"
            for later in positions[told.lead.ply + 1 :]:
                assert (later.winners() or _ahead(later)) == told.lead.leaders, "and stayed theirs after it"


@pytest.mark.parametrize("reference", sorted(shelf()))
def test_every_game_has_a_course(reference: str) -> None:
    moves, positions = _random_match(reference, 1, most=60)
    told = course(find_game(reference), moves)
    actors = [position.to_act for position in positions[:-1]]
    assert told.decisions == sum(seat != CHANCE for seat in actors)
    assert all(actors[one.ply] == one.seat and any(one.gains) for one in told.scored)
    assert all(one.number <= told.decisions for one in told.scored)


def _ahead(position: Position) -> tuple[int, ...]:
    points = position.scores()
    return tuple(seat for seat, own in enumerate(points) if own == max(points)) if len(set(points)) > 1 else ()


def _random_match(reference: str, seed: int, most: int = 400) -> tuple[list[str], list[Position]]:
    game, source = find_game(reference), random.Random(seed)
    position: Position = game.start()
    moves: list[str] = []
    positions = [position]
    while position.to_act != OVER and len(moves) < most:
        chance = position.to_act == CHANCE
        move = position.drawn(source.randrange(position.ways)) if chance else source.choice(position.moves())
        moves.append(str(move))
        position = position.play(move)
        positions.append(position)
    return moves, positions
