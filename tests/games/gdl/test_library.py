"""The rules of the larger described games, held to what others have counted, or said a second time, and more simply."""

import random
from itertools import islice, product

import pytest

from games.gdl.position import GdlPosition
from games.jostle import JOSTLE
from games.protocol import OVER, Event
from games.registry import game
from tests.games.gdl.twins import compare, described_jostle, random_positions

POSITIONS = 200
"""`python -m tests.games.gdl.twins` takes ten thousand."""


def at(reference: str, text: str) -> GdlPosition:
    position = game(reference).position(text)
    assert isinstance(position, GdlPosition)
    return position


def legal(position: GdlPosition) -> set[str]:
    return {str(move) for move in position.moves()}


def after(position: GdlPosition, *moves: str) -> GdlPosition:
    for move in moves:
        position = position.play(position.game.move(move))
    return position


# -------------------------------------------------------------------------------------------------------- Jostle


def test_the_described_jostle_is_the_native_one() -> None:
    rules = described_jostle()
    moves = [compare(position, rules) for position in islice(random_positions("sample"), POSITIONS)]
    assert sum(moves) > POSITIONS


def test_both_play_on_the_same_board() -> None:
    rules = described_jostle()
    assert (rules.board, rules.setup()) == (JOSTLE.board, JOSTLE.setup())


# ------------------------------------------------------------------------------------------------------ checkers


def ways_to_take(position: GdlPosition, moves: set[str]) -> list[GdlPosition]:
    """All ends of turns in which somebody takes, and goes on taking as long as possible."""
    ends = []
    for move in sorted(moves):
        following = after(position, move)
        more = legal(following) - {"stop"} if "(taking" in following.text() else set()
        ends += ways_to_take(following, more) if more else [following]
    return ends


def turns(position: GdlPosition, depth: int) -> int:
    """How many ways there are if taking were compulsory, as in the tournament rules."""
    if depth == 0:
        return 1
    moves = legal(position)
    jumps = {move for move in moves if move.startswith("(jump")}
    ends = ways_to_take(position, jumps) if jumps else [after(position, move) for move in sorted(moves)]
    return sum([turns(end, depth - 1) for end in ends])


@pytest.mark.parametrize(("depth", "count"), [(1, 7), (2, 49), (3, 302), (4, 1469)])
def test_checkers_has_as_many_ways_to_begin_as_others_have_counted(depth: int, count: int) -> None:
    """The counts of English draughts that authors of programs compare; there taking is compulsory."""
    start = game("gdl:checkers").start()
    assert isinstance(start, GdlPosition)
    assert turns(start, depth) == count


def test_whoever_takes_in_checkers_may_go_on_with_the_same_piece_or_stop() -> None:
    men = "(cell 1 1 whiteman) (cell 2 2 blackman) (cell 4 4 blackman) (cell 7 7 blackman) (cell 8 2 whiteman)"
    position = at("gdl:checkers", f"{men} (control white) (quiet 7)")
    assert legal(position) == {"(jump 1 1 3 3)", "(move 8 2 7 3)"}, "nobody has to take"
    taken = after(position, "(jump 1 1 3 3)")
    assert legal(taken) == {"(jump 3 3 5 5)", "stop"}
    grid = taken.grid(0)
    assert grid is not None
    assert [move.move for move in grid.moves] == ["(jump 3 3 5 5)"], "to stop needs no square"
    assert after(taken, "stop").to_act == 1
    end = after(taken, "(jump 3 3 5 5)")
    assert end.text() == "(cell 5 5 whiteman) (cell 7 7 blackman) (cell 8 2 whiteman) (control black) (quiet 0)"
    assert position.events(position.game.move("(jump 1 1 3 3)")) == (
        Event("take", "blackman", "b2", ""),
        Event("move", "whiteman", "a1", "c3"),
    )


def test_a_man_in_checkers_is_crowned_and_rests_and_kings_go_back() -> None:
    men = "(cell 2 6 whiteman) (cell 3 7 blackman) (cell 5 7 blackman)"
    position = at("gdl:checkers", f"{men} (control white) (quiet 0)")
    crowned = after(position, "(jump 2 6 4 8)")
    assert crowned.to_act == 1, "it could go on over e7, but has just been crowned"
    assert "(cell 4 8 whiteking)" in crowned.text()
    king = after(crowned, "(move 5 7 6 6)")
    assert {"(move 4 8 3 7)", "(move 4 8 5 7)"} <= legal(king)


def test_whoever_cannot_move_in_checkers_has_lost_and_nothing_goes_on_for_ever() -> None:
    stuck = at("gdl:checkers", "(cell 1 7 whiteman) (cell 2 8 blackman) (control white) (quiet 3)")
    assert (stuck.to_act, stuck.winners()) == (OVER, (1,))
    quiet = at("gdl:checkers", "(cell 1 1 whiteking) (cell 8 8 blackking) (control white) (quiet 40)")
    assert (quiet.to_act, quiet.winners(), quiet.scores()) == (OVER, (), (50, 50))


# ------------------------------------------------------------------------------------------------------ skirmish


def positions_after(position: GdlPosition, depth: int) -> int:
    moves = position.moves()
    return len(moves) if depth == 1 else sum([positions_after(position.play(move), depth - 1) for move in moves])


@pytest.mark.parametrize(("depth", "count"), [(1, 20), (2, 400), (3, 8902)])
def test_skirmish_has_as_many_ways_to_begin_as_chess(depth: int, count: int) -> None:
    """Well-known counts; in so few moves nobody can be kept from moving by a check."""
    start = game("gdl:skirmish").start()
    assert isinstance(start, GdlPosition)
    assert positions_after(start, depth) == count


def test_a_pawn_in_skirmish_takes_askew_and_becomes_a_queen() -> None:
    few = "(cell 1 8 blackking) (cell 2 7 whitepawn) (cell 8 1 whiteking)"
    position = at("gdl:skirmish", f"{few} (control white) (taken black 0) (taken white 0) (turn 9)")
    assert {"(move 2 7 2 8)", "(move 2 7 1 8)"} <= legal(position)
    end = after(position, "(move 2 7 1 8)")
    assert (end.to_act, end.winners(), end.scores()) == (OVER, (0,), (100, 0)), "the king counts as any other piece"
    queen = after(position, "(move 2 7 2 8)")
    assert "(cell 2 8 whitequeen)" in queen.text()
    assert legal(queen) == {"(move 1 8 1 7)", "(move 1 8 2 7)", "(move 1 8 2 8)"}, "a king may go where it can be taken"


def test_skirmish_ends_after_a_hundred_turns() -> None:
    kings = "(cell 1 1 whiteking) (cell 8 8 blackking) (control black)"
    position = at("gdl:skirmish", f"{kings} (taken black 3) (taken white 2) (turn 99)")
    end = after(position, "(move 8 8 8 7)")
    assert (end.to_act, end.winners()) == (OVER, (1,))


# --------------------------------------------------------------------------------------------------- nine boards

LINES = [
    *[[(column, row) for row in range(3)] for column in range(3)],
    *[[(column, row) for column in range(3)] for row in range(3)],
    [(place, place) for place in range(3)],
    [(place, 2 - place) for place in range(3)],
]
Square = tuple[int, int]


def allowed(signs: dict[Square, str], last: Square | None) -> set[Square]:
    """The squares on which somebody may mark, all counted from 0."""
    free = {square for square in product(range(9), range(9)) if square not in signs}
    board = None if last is None else (last[0] % 3, last[1] % 3)
    sent = {(column, row) for column, row in free if (column // 3, row // 3) == board}
    return sent or free


def has_line(signs: dict[Square, str], sign: str) -> bool:
    return any(
        all(signs.get((3 * column + x, 3 * row + y)) == sign for x, y in line)
        for column, row, line in product(range(3), range(3), LINES)
    )


def test_nine_boards_is_what_a_few_lines_of_python_say() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        position, turn = game("gdl:nine-boards").start(), 0
        signs: dict[Square, str] = {}
        last: Square | None = None
        while position.to_act != OVER:
            squares = allowed(signs, last)
            assert {str(move) for move in position.moves()} == {f"(mark {x + 1} {y + 1})" for x, y in squares}
            # Whoever avoids lines plays long.
            quiet = [each for each in sorted(squares) if not has_line({**signs, each: "xo"[turn]}, "xo"[turn])]
            last = rng.choice(quiet or sorted(squares))
            signs = {**signs, last: "xo"[turn]}
            position = position.play(position.game.move(f"(mark {last[0] + 1} {last[1] + 1})"))
            assert (position.to_act == OVER) == (has_line(signs, "xo"[turn]) or len(signs) == 81)
            turn = 1 - turn
        won = tuple([seat for seat in (0, 1) if has_line(signs, "xo"[seat])])
        assert position.winners() == won


def test_whoever_is_sent_to_a_full_board_chooses_freely() -> None:
    rows = ["xox", "xoo", "oxx"]
    signs = [(column, row, sign) for row, line in enumerate(rows) for column, sign in enumerate(line)]
    cells = " ".join(sorted([f"(cell {column + 1} {row + 1} {sign})" for column, row, sign in signs]))
    position = at("gdl:nine-boards", f"{cells} (control o) (sent 1 1)")
    assert len(position.moves()) == 72
    assert len(at("gdl:nine-boards", f"{cells} (control o) (sent 2 1)").moves()) == 9
