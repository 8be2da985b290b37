"""Evolved board games: genes, repair, every rule by itself, and the same game described in another language."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.evolved import GENES, RANGES, EvolvedGame, described, game_of, read_genes, repaired, write_genes
from games.evolved.chromosome import MOST_PIECES
from games.evolved.position import EvolvedPosition, read_board
from games.gdl import KIND as GDL
from games.protocol import OVER, IllegalMoveError, NotationError
from games.registry import game, open_source
from tests.games.playthrough import play_out

CHROMOSOMES = st.tuples(*(st.integers(*limits) for limits in RANGES))
WILD = st.lists(st.integers(-99, 99), min_size=GENES, max_size=GENES)


def invented(**changes: Any) -> EvolvedGame:
    """One piece A on a1 that steps straight forward and captures by stepping into, unless something else is said."""
    plain = game_of([1, *[0] * 23, *[6] * 6, *[0] * 20]).chromosome
    return game_of(plain._replace(**changes).genes)


def moves(rules: EvolvedGame, board: str, played: int = 2) -> set[str]:
    """What can be played on a board that need not follow from the set-up."""
    return {str(move) for move in on(rules, board, played).moves()}


def on(rules: EvolvedGame, board: str, played: int = 2) -> EvolvedPosition:
    squares = read_board(board)
    assert squares is not None
    return EvolvedPosition(rules.rules, squares, played)


# ------------------------------------------------------------------------------------------------- genes and texts


@given(WILD)
def test_repair_gives_a_game_and_changes_nothing_more_the_second_time(genes: list[int]) -> None:
    once = repaired(genes)
    assert repaired(once.genes) == once
    assert all(least <= gene <= most for gene, (least, most) in zip(once.genes, RANGES, strict=True))
    assert 1 <= sum(kind > 0 for kind in once.placement) <= MOST_PIECES
    assert once.honour == 0 or once.honour in once.placement


@given(CHROMOSOMES)
def test_repair_leaves_alone_what_is_a_game(genes: tuple[int, ...]) -> None:
    once = repaired(genes)
    pieces = sum(kind > 0 for kind in genes[:24])
    if 1 <= pieces <= MOST_PIECES and (genes[42] == 0 or genes[42] in genes[:24]):
        assert once.genes == genes
    else:
        assert once.genes != genes


def test_each_repair() -> None:
    full = repaired([2] * 24 + [1] * 26)
    assert full.placement == (2,) * 16 + (0,) * 8
    assert repaired([0] * 24 + [1] * 26).placement == (1, *[0] * 23)
    assert full.honour == 0, "no piece of type 1 stands there"
    assert repaired([9] * GENES).genes[:17] == (6,) * 16 + (0,)
    assert repaired([-1] * GENES).movement == (1,) * 6
    with pytest.raises(NotationError, match="50 genes, not 3"):
        repaired([1, 2, 3])


@given(CHROMOSOMES)
def test_texts_read_back_and_numbers_open_the_same_game(genes: tuple[int, ...]) -> None:
    chromosome = repaired(genes)
    assert read_genes(write_genes(chromosome)) == chromosome.genes
    assert read_genes(" ".join(map(str, chromosome.genes))) == chromosome.genes
    assert read_genes(", ".join(map(str, genes)) + "\n") == genes
    opened = open_source("evolved", ",".join(map(str, genes)))
    assert opened == open_source("evolved", opened.source) == game_of(genes)
    assert opened.reference == game_of(chromosome.genes).reference


@pytest.mark.parametrize(
    "text", ["", "1 2 3", "nonsense", "1," * 51, "x " * 50, "1" * 50, "1 " * 49, "row 3 ........\n"]
)
def test_sources_that_are_no_chromosome_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="50 numbers"):
        open_source("evolved", text)


# --------------------------------------------------------------------------------------------------- how pieces go

FROM_D4 = {
    1: "c5 e5",
    2: "c5 e5 c3 e3",
    3: "c5 e5 c3 e3 d5 d3 c4 e4",
    4: "c6 e6 b5 f5 b3 f3 c2 e2",
    5: "d5 d3",
    6: "d5",
}
SLIDING_FROM_D4 = {
    1: "c5 b6 a7 e5 f6 g7 h8",
    2: "c5 b6 a7 e5 f6 g7 h8 c3 b2 a1 e3 f2 g1",
    3: "c5 b6 a7 e5 f6 g7 h8 c3 b2 a1 e3 f2 g1 d5 d6 d7 d8 d3 d2 d1 c4 b4 a4 e4 f4 g4 h4",
    4: "c6 b8 e6 f8 b5 f5 h6 b3 f3 h2 c2 e2",
    5: "d5 d6 d7 d8 d3 d2 d1",
    6: "d5 d6 d7 d8",
}


@pytest.mark.parametrize(("step", "targets"), [(0, FROM_D4), (1, SLIDING_FROM_D4)])
@pytest.mark.parametrize("movement", range(1, 7))
def test_every_movement_with_one_step_and_with_many(movement: int, step: int, targets: dict[int, str]) -> None:
    rules = invented(movement=(movement,) * 6, step=(step,) * 6)
    assert moves(rules, "8/8/8/8/3A4/8/8/8") == {f"d4-{cell}" for cell in targets[movement].split()}


def test_forward_is_down_for_north() -> None:
    assert moves(invented(), "8/8/3a4/8/8/8/8/8", played=3) == {"d6-d5"}
    assert moves(invented(movement=(1,) * 6), "8/8/3a4/8/8/8/8/8", played=3) == {"d6-c5", "d6-e5"}


def test_a_piece_that_slides_ends_before_its_own_and_on_the_opponents_square() -> None:
    rules = invented(movement=(5,) * 6, step=(1,) * 6)
    assert moves(rules, "8/3a4/8/8/3A4/8/3A4/8") == {"d4-d5", "d4-d6", "d4-d7", "d4-d3", "d2-d3", "d2-d1"}
    after = on(rules, "8/3a4/8/8/3A4/8/3A4/8").play(rules.move("d4-d7"))
    assert after.text() == "8/3A4/8/8/8/8/3A4/8 3"


@pytest.mark.parametrize(
    ("step", "board", "expected"),
    [
        (0, "8/8/8/3a4/3A4/8/8/8", {"d4-d6"}),
        (0, "8/8/3a4/3a4/3A4/8/8/8", set()),
        (0, "3a4/3A4/8/8/8/8/8/8", set()),
        (0, "8/8/3a4/8/3A4/8/8/8", {"d4-d5"}),
        (1, "8/8/3a4/8/3A4/8/8/8", {"d4-d5", "d4-d7"}),
        (1, "8/3a4/3a4/8/3A4/8/8/8", {"d4-d5"}),
        (0, "8/8/8/3A4/3A4/8/8/8", {"d5-d6"}),
    ],
)
def test_jumping_over_needs_a_free_square_right_behind_an_opponent(step: int, board: str, expected: set[str]) -> None:
    assert moves(invented(step=(step,) * 6, capture=(1,) * 6), board) == expected


def test_a_leap_jumps_over_with_the_same_leap() -> None:
    rules = invented(movement=(4,) * 6, capture=(1,) * 6)
    here = on(rules, "8/8/8/8/8/1a6/8/A7")
    assert moves(rules, "8/8/8/8/8/1a6/8/A7") == {"a1-c5", "a1-c2"}
    assert here.play(rules.move("a1-c5")).text() == "8/8/8/2A5/8/8/8/8 3"
    assert here.captured(rules.move("a1-c5")) == 1
    assert here.captured(rules.move("a1-c2")) == 0


def test_capturing_is_a_duty_where_the_genes_say_so() -> None:
    board = "8/8/8/8/3a4/3A4/8/A7"
    assert moves(invented(), board) == {"d3-d4", "a1-a2"}
    assert moves(invented(mandatory=1), board) == {"d3-d4"}
    assert moves(invented(mandatory=1), "8/8/8/3a4/8/3A4/8/A7") == {"d3-d4", "a1-a2"}


# ---------------------------------------------------------------------------------- conversion, honour and the end


def test_a_piece_becomes_another_on_its_last_row_only() -> None:
    rules = invented(conversion=(2, 0, 0, 0, 0, 0))
    assert on(rules, "8/A7/8/8/8/8/8/7a").play(rules.move("a7-a8")).text() == "B7/8/8/8/8/8/8/7a 3"
    assert on(rules, "8/8/A7/8/8/8/8/7a").play(rules.move("a6-a7")).text() == "8/A7/8/8/8/8/8/7a 3"
    assert on(rules, "7A/8/8/8/8/8/a7/8", 3).play(rules.move("a2-a1")).text() == "7A/8/8/8/8/8/8/b7 4"


def test_whoever_loses_the_last_piece_of_honour_loses_at_once() -> None:
    rules = invented(placement=(1, 2, *[0] * 22), honour=2)
    before = on(rules, "8/8/8/1b5a/1A6/B7/8/8")
    after = before.play(rules.move("b4-b5"))
    assert (after.to_act, after.winners(), after.goals()) == (OVER, (0,), (100.0, 0.0))
    with pytest.raises(IllegalMoveError, match="over"):
        after.play(rules.move("h5-h4"))
    left = on(rules, "8/8/8/1b5b/1A6/B7/8/8").play(rules.move("b4-b5"))
    assert left.to_act == 1, "another one is left"


def test_a_piece_of_honour_that_becomes_another_is_lost() -> None:
    rules = invented(placement=(1, *[0] * 23), honour=1, conversion=(2, 0, 0, 0, 0, 0))
    assert on(rules, "8/A7/8/8/8/8/8/7a").play(rules.move("a7-a8")).winners() == (1,)
    both = on(rules, "a7/A7/8/8/8/8/8/8").play(rules.move("a7-a8"))
    assert (both.to_act, both.winners(), both.goals()) == (OVER, (), (50.0, 50.0))


def test_whoever_has_to_move_and_cannot_loses() -> None:
    rules = invented()
    blocked = on(rules, "A7/8/8/8/8/8/8/1a6")
    assert (blocked.to_act, blocked.winners()) == (OVER, (1,))
    assert on(rules, "8/8/8/8/8/8/8/1a6").winners() == (1,), "without pieces too"


def test_after_a_hundred_moves_it_is_a_draw() -> None:
    rules = invented(movement=(5,) * 6)
    last = on(rules, "8/7a/8/8/8/8/A7/8", 99)
    assert last.to_act == 1
    end = last.play(rules.move("h7-h6"))
    assert (end.to_act, end.winners(), end.scores()) == (OVER, (), (0, 0))
    honour = invented(movement=(5,) * 6, honour=1)
    assert on(honour, "8/8/8/8/8/7a/7A/8", 99).play(honour.move("h3-h2")).winners() == (1,), "honour counts before"


def test_the_set_up_of_north_is_the_mirror_image() -> None:
    assert invented(placement=(1, 2, *[0] * 14, 3, *[0] * 7)).start().text() == "ab6/8/c7/8/8/C7/8/AB6 0"


# ------------------------------------------------------------------------------------------------------ properties


@settings(max_examples=25, deadline=None)
@given(CHROMOSOMES, st.integers(0, 1 << 30))
def test_whatever_the_genes_games_end_and_pieces_never_become_more(genes: tuple[int, ...], seed: int) -> None:
    rules = game_of(genes)
    position = rules.start()
    for here, move in play_out(rules, str(seed)) if position.to_act != OVER else []:
        assert rules.position(here.text()) == here
        after = here.play(move)
        taken = sum(here.material() or ()) - sum(after.material() or ())
        assert taken == here.captured(move) in (0, 1)
        assert (after.material() or ())[here.to_act] == (here.material() or ())[here.to_act]
        position = after
    assert position.to_act == OVER
    assert position.played <= 100


@settings(max_examples=6, deadline=None)
@given(CHROMOSOMES, st.integers(0, 1 << 30))
def test_the_description_plays_the_same(genes: tuple[int, ...], seed: int) -> None:
    rules = game_of(genes)
    position, other = rules.start(), GDL.open(described(rules.chromosome)).start()
    rng = random.Random(seed)
    while True:
        assert position.to_act == other.to_act
        assert {fact for fact in position.facts() if "control" not in fact} == {
            fact for fact in other.facts() if "control" not in fact
        }
        if position.to_act == OVER:
            break
        ours = {as_term(move): move for move in position.moves()}
        theirs = {str(move): move for move in other.moves()}
        assert set(ours) == set(theirs)
        chosen = rng.choice(sorted(ours))
        position, other = position.play(ours[chosen]), other.play(theirs[chosen])
    assert position.goals() == other.goals()


def as_term(move: Any) -> str:
    places = [f"{square % 8 + 1} {square // 8 + 1}" for square in move]
    return f"(move {' '.join(places)})"


# ----------------------------------------------------------------------------------------------------------- words


def test_the_program_writes_the_rules() -> None:
    texts = game("evolved:second").texts("en")
    assert texts.goal == "Take all of the opponent's pieces E, or leave the opponent without a move."
    board, pieces, turn, end = texts.rules
    assert "2 A, 2 B, 1 C, 8 D, 1 E and 2 F" in board.texts[0]
    assert pieces.texts[4] == (
        "E moves straight forward, any number of squares up to one that is taken, and captures by going onto an "
        "opponent's square. It is the piece of honour. On the last row it becomes B and is a piece of honour no more."
    )
    assert turn.texts[1] == "Whoever can capture has to."
    assert len(end.texts) == 3


@given(CHROMOSOMES)
def test_the_rules_tell_of_every_type_that_can_be_there_in_both_languages(genes: tuple[int, ...]) -> None:
    rules = game_of(genes)
    letters = ["ABCDEF"[kind - 1] for kind in rules.chromosome.types]
    for language in ("en", "de"):
        texts = rules.texts(language)
        assert [told[0] for told in texts.rules[1].texts] == letters
        assert not any("{" in told for section in texts.rules for told in section.texts)


def test_positions_that_no_game_leads_to_are_refused() -> None:
    rules = game("evolved:first")
    for text in (
        "abfcefba/dddddddd/8/8/8/8/DDDDDDDD/ABFCEFBA 101",
        "abfcefba/dddddddd/8/8/8/8/DDDDDDDD/ABFCEFB1 0",
        "abfcefba/dddddddd/8/8/8/7D/DDDDDDDD/ABFCEFBA 3",
        "8/8/8/8/8/8/8/A7 3",
        "abfcefba/dddddddd/44/8/8/8/DDDDDDDD/ABFCEFBA 0",
    ):
        with pytest.raises(NotationError):
            rules.position(text)
