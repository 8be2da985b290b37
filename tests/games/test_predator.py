"""Predator and prey: genes and text, what a step does, and whole games by their dice. Not yet on the shelf."""

import hashlib
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import commitment, draw, verify
from games.predator import KIND, RANGES, Dice, PredatorGame, PredatorPosition, game_of, read_source, repaired
from games.predator import write_source as written
from games.predator.chromosome import AGENT, Chromosome
from games.predator.field import NOWHERE, Field, Piece, after_step, around, walls
from games.protocol import CHANCE, OVER, IllegalMoveError, NotationError

GENES = st.tuples(*[st.integers(*limits) for limits in RANGES])
ONE_RED = (1, 0, 0)


def rules(mine: int = 0, theirs: int = 0, points: int = 0, movement: int = 0) -> Chromosome:
    """One red piece; what meeting it does to the agent, to it, and to the score."""
    effects = ((0, 0, 0, theirs), (0,) * 4, (0,) * 4, (mine, 0, 0))
    return Chromosome(ONE_RED, (movement, 0, 0), effects, (0, 0, 0, points, 0, 0, 0, 0, 0))


def play_out(game: PredatorGame, seed: str) -> list[tuple[PredatorPosition, str]]:
    secret, rng = hashlib.sha256(seed.encode()).digest(), random.Random(seed)
    position = game.start()
    played: list[tuple[PredatorPosition, str]] = []
    while position.to_act != OVER:
        move = draw(secret, len(played), position) if position.to_act == CHANCE else rng.choice(position.moves())
        played.append((position, str(move)))
        position = position.play(move)
    return [*played, (position, "")]


@given(GENES)
def test_genes_are_a_text_and_back(genes: tuple[int, ...]) -> None:
    chromosome = repaired(genes)
    assert chromosome.genes == genes
    assert read_source(written(chromosome)) == chromosome
    assert read_source(" ".join(map(str, genes))) == chromosome


@given(st.lists(st.integers(-99, 99), min_size=30, max_size=30))
def test_what_is_repaired_stays(genes: list[int]) -> None:
    once = repaired(genes)
    assert repaired(once.genes) == once


@pytest.mark.parametrize("text", ["", "1 2 3", "size 14\n", "x" * 500, " ".join(["0"] * 31)])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="30"):
        read_source(text)


def test_the_field_has_two_walls_of_seven_and_looks_the_same_turned_by_half() -> None:
    assert len(walls(14)) == 14
    assert {195 - cell for cell in walls(14)} == walls(14)


@pytest.mark.parametrize(
    ("mine", "theirs", "agent", "red"),
    [(0, 0, 0, 1), (0, 1, 1, None), (1, 0, NOWHERE, 1), (1, 1, NOWHERE, None)],
)
def test_what_a_meeting_does(mine: int, theirs: int, agent: int, red: int | None) -> None:
    field, _ = after_step(rules(mine, theirs, points=1), Field(0, 1, (Piece(1, 0, 0),)), 7)
    assert (field.agent, field.score) == (agent, 1)
    assert [piece.cell for piece in field.pieces] == ([] if red is None else [red])


def test_whoever_is_moved_is_put_on_a_free_cell_and_the_other_comes() -> None:
    places = set()
    for number in range(50):
        field, changes = after_step(rules(theirs=2), Field(0, 1, (Piece(1, 0, 0),)), number)
        assert field.agent == 1
        places.add(field.pieces[0].cell)
        assert [change.colour for change in changes] == [0, AGENT]
    assert len(places) > 20
    assert not places & {0, 1, *walls(14)}


@pytest.mark.parametrize(("movement", "facing"), [(1, 1), (2, 3)])
def test_at_an_obstacle_they_turn(movement: int, facing: int) -> None:
    corner = Piece(13 * 14 + 5, 0, 0)
    field, _ = after_step(rules(movement=movement), Field(0, 1, (corner,)), 1)
    assert field.pieces == (corner._replace(facing=facing),)


@settings(max_examples=15, deadline=None)
@given(GENES, st.integers(0, 99))
def test_whole_games_keep_the_rules(genes: tuple[int, ...], seed: int) -> None:
    game = game_of(genes)
    played = play_out(game, str(seed))
    for (position, move), (after, _) in pairwise(played):
        assert game.position(position.text()) == position
        assert str(game.move(move)) == move
        if position.field is None or after.field is None:
            continue
        cells = [after.field.agent, *[piece.cell for piece in after.field.pieces]]
        assert len(set(cells)) == len(cells)
        assert not set(cells) & walls(14)
        signs = {piece.cell: piece.sign for piece in position.grid().pieces}
        for event in position.events(game.move(move)):
            signs.pop(event.source, None)
            if event.target:
                assert event.target not in signs
                signs[event.target] = event.piece
        assert signs == {piece.cell: piece.sign for piece in after.grid().pieces}
    end = played[-1][0]
    assert end.steps == 100 or (end.field is not None and end.field.agent == NOWHERE)


def test_the_dice_of_a_game_can_be_verified() -> None:
    game = KIND.open(KIND.library["combined"])
    secret = hashlib.sha256(b"fair").digest()
    moves = [move for _, move in play_out(game, "fair")[:-1]]
    assert verify(game, secret.hex(), commitment(secret), moves).fair
    forged = [*moves[:2], str(Dice(1)), *moves[3:]]
    assert verify(game, secret.hex(), commitment(secret), forged).ply == 2


def test_nobody_walks_into_a_wall_and_who_is_late_goes_on() -> None:
    game = KIND.open(KIND.library["beat"])
    for position, _ in play_out(game, "late"):
        if position.to_act == 0 and position.field is not None:
            there = around(14)[position.field.agent]
            assert [step.direction for step in position.moves()] == [d for d in range(4) if there[d] != NOWHERE]
            ahead = there[position.field.facing] != NOWHERE
            assert position.default(0) in position.moves()
            assert (position.default(0).direction == position.field.facing) == ahead
            with pytest.raises(IllegalMoveError, match="you can go"):
                position.play(Dice(0))
    assert game.tempo.clock_ms == 400


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", KIND.library)
def test_the_rules_are_in_words(name: str, language: str) -> None:
    texts = KIND.open(KIND.library[name]).texts(language)
    assert len(texts.rules) == 4
    assert not any("{" in text for section in texts.rules for text in section.texts)
