"""Game play books: exact in both directions, replayed without dice, and refused with line, move and reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.book import (
    Book,
    BookError,
    Line,
    PlayedBook,
    TimedMove,
    read_book,
    record,
    replay,
    standard_headers,
    write_book,
)
from games.book_text import parse
from games.jostle import AGAIN, JOSTLE, KEEP, PASS, JostleGame, JostlePosition, Layout, Piece, Roll, read_position
from games.jostle.notation import dice_for_pass
from games.protocol import GameError, NotationError
from tests.games.playthrough import play_out

EQUALIZER = "0r4 3g1 6b3 --- 1r1 3g1 6b5 --- 2r1 3g4 6b9 --- 0r8"
MISPRINTED = "0r4 4g6 6b2 --- 0r8 4g0 6b4 ---"

# On so short a track twelve points are too many for every piece, so that every pass can be explained.
SHORT = JostleGame(Layout("short", fields=9, goals=(1, 2, 3, 4)))
RED_IS_HOME = "0r5 3g0 6b0 --- 1r6 3g1 6b1 --- 2r7 3g2 6b2 ---"
ALL_GOALS = "0r5 3g0 6b0 --- 1r6 --- 2r7 --- 3g8"


def lines(words: str) -> str:
    return "\n".join(words.split()) + "\n"


def replayed(words: str, game: JostleGame = JOSTLE) -> PlayedBook:
    return replay(read_book(lines(words), game), game)


def refused(text: str, game: JostleGame | None = None) -> str:
    with pytest.raises(BookError) as error:
        replay(read_book(text, game), game)
    return str(error.value)


def pieces_after(done: PlayedBook, line: int) -> tuple[int, ...]:
    position = done.played[line - 1].position
    assert isinstance(position, JostlePosition)
    return position.pieces


# The worked examples


def test_the_equalizer_example_replays_completely() -> None:
    done = replayed(EQUALIZER)
    on_stack = [number for number in range(2, 13) if pieces_after(done, number)[3] == -1]
    assert on_stack == [9], "piece 3 is jostled to its stack once, by 2r1"
    assert pieces_after(done, 12) == (3, 0, 1, 4, -1, -1, 9, -1, -1)
    assert done.played[12].moves == (Roll(5), Piece(0))
    assert done.position.text() == "8,0,1/4,-1,-1/9,-1,-1 g"
    assert (done.book.moves, done.book.rounds, done.over) == (10, 3, False)


def test_the_first_example_is_refused_where_it_is_misprinted() -> None:
    assert refused(lines(MISPRINTED)) == "line 6: 4g0: piece 4 stands on 14 and cannot reach 0"


def test_the_first_example_replays_with_piece_three_as_its_text_says() -> None:
    assert replayed(MISPRINTED.replace("4g0", "3g0")).book.rounds == 2


# Points


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("0r0", (Roll(1), Piece(0))),
        ("0r4", (Roll(5), Piece(0))),
        ("0r5", (Roll(6), KEEP, Piece(0))),
        ("0r6", (Roll(6), AGAIN, Roll(1), Piece(0))),
        ("0r11", (Roll(6), AGAIN, Roll(6), Piece(0))),
    ],
)
def test_the_points_follow_from_the_fields(line: str, moves: tuple[object, ...]) -> None:
    assert replayed(line).moves == moves


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("0r12", "line 1: 0r12: piece 0 stands on its stack and cannot reach 12"),
        ("0r31", "line 1: 0r31: piece 0 cannot pass field 30"),
        ("0r4 3g0 6b0 --- 0r4", "line 5: 0r4: piece 0 stands on 4 and cannot reach 4"),
        ("0r11 3g0 6b0 --- 0r21 3g1 6b1 --- 0r27 3g2 6b2 --- 0r28", "the goal 27 and stays there"),
        ("3g0", "line 1: 3g0: r cannot have passed: piece 0 on its stack could have moved with every roll"),
        ("0r4 6b0", "line 2: 6b0: g cannot have passed"),
        ("0r4 3g0 ---", "line 3: ---: b cannot have passed: piece 6 on its stack could have moved with every roll"),
        ("---", "line 1: ---: r cannot have passed"),
        ("0r4 1r5", "line 2: 1r5: r has had its turn in this round, which --- must close first"),
        ("0r4 3g0 6b2 0r5", "line 4: 0r5: r has had its turn"),
        ("0r4 3g0 6b2 6b4", "line 4: 6b4: b has had its turn"),
        ("4r4", "line 1: 4r4: piece 4 belongs to g, not to r"),
        ("9r4", "line 1: 9r4: a move is a piece 0 to 8"),
        ("0r04", "line 1: 0r04: a move is"),
        ("0r-1", "line 1: 0r-1: a move is"),
        ("0r4 ----", "line 2: ----: a move is"),
        ("0R4", "line 1: 0R4: a move is"),
        ("0r٣", "line 1: 0r٣: a move is"),
    ],
)
def test_a_book_that_cannot_be_replayed_names_the_line_the_move_and_the_rule(words: str, error: str) -> None:
    assert error in refused(lines(words))


# Passes and round marks


def test_a_seat_without_a_line_has_passed() -> None:
    done = replayed(f"{RED_IS_HOME} 3g3 6b3 ---", SHORT)
    assert done.played[12].moves[:2] == (Roll(1), PASS)
    assert done.book.rounds == 4


def test_a_round_mark_says_who_passed() -> None:
    done = replayed(f"{RED_IS_HOME} ---", SHORT)
    assert [str(move) for move in done.played[-1].moves if move is PASS] == ["pass"] * 3
    assert done.position.text().endswith(" r")


@pytest.mark.parametrize(
    ("pieces", "dice"),
    [
        ("26,27,28", (Roll(1),)),
        ("26,27,25", (Roll(6), KEEP)),
        ("20,27,25", (Roll(6), AGAIN, Roll(5))),
        ("19,27,25", (Roll(6), AGAIN, Roll(6))),
    ],
)
def test_a_pass_is_explained_by_the_lowest_rolls_that_allow_no_move(pieces: str, dice: tuple[object, ...]) -> None:
    assert dice_for_pass(read_position(f"{pieces}/-1,-1,-1/-1,-1,-1 r")) == dice


def test_a_pass_that_no_roll_explains_is_an_error() -> None:
    with pytest.raises(GameError, match="r cannot have passed: piece 0 on 18 could have moved with every roll"):
        dice_for_pass(read_position("18,27,25/-1,-1,-1/-1,-1,-1 r"))


# The end


def test_the_last_mark_closes_a_round_that_was_cut_short() -> None:
    done = replayed(f"{ALL_GOALS} 6b1 --- 4g3 ---", SHORT)
    assert done.over
    assert done.book.rounds == 5


def test_at_the_last_mark_seats_pass_only_until_the_game_is_over() -> None:
    done = replayed(f"{ALL_GOALS} --- ---", SHORT)
    assert done.over
    assert [move for move in done.played[-2].moves if move is PASS] == [PASS], "blue passes"
    assert [move for move in done.played[-1].moves if move is PASS] == [PASS, PASS], "red and green, and no more"


@pytest.mark.parametrize("after", ["---", "6b2"])
def test_nothing_follows_the_last_mark(after: str) -> None:
    assert refused(lines(f"{ALL_GOALS} 6b1 --- 4g3 --- {after}"), SHORT) == f"line 14: {after}: the game is over"


def test_a_move_cannot_follow_passes_that_end_the_game() -> None:
    assert "line 12: 6b2: the game is over" in refused(lines(f"{ALL_GOALS} 6b1 --- 6b2"), SHORT)


def test_a_book_may_stop_anywhere() -> None:
    words = f"{ALL_GOALS} 6b1 --- 4g3 ---".split()
    for length in range(len(words) + 1):
        done = replayed(" ".join(words[:length]), SHORT)
        assert done.over == (length >= len(words) - 1)
    assert replay(read_book("")).position == JOSTLE.start()


# Headers and comments

WITH_HEADERS = """\
[Format "1"]
[Game "jostle"]
[Layout "standard"]
[Seats "A \\"quoted\\" name, back\\\\slash, ü"]
[Result "*"]

0r4 {die=5 ms=2310}
3g6 {die=6+1 ms=87}
6b3 {a thought}
---
"""


def test_headers_and_comments_are_kept_exactly() -> None:
    book = read_book(WITH_HEADERS)
    assert book.header("Seats") == 'A "quoted" name, back\\slash, ü'
    assert [line.comment for line in book.lines] == ["die=5 ms=2310", "die=6+1 ms=87", "a thought", None]
    assert book.lines[1].notes == {"die": "6+1", "ms": "87"}
    assert [line.number for line in book.lines] == [7, 8, 9, 10]
    assert write_book(book) == WITH_HEADERS
    replay(book)


def test_the_headers_name_the_board() -> None:
    book = read_book('[Layout "sixth-goal"]\n0r4\n')
    assert replay(book).game.reference == "jostle:sixth-goal"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("0r4 {die=4}", "line 1: 0r4: its comment says die=4, but the fields say die=5"),
        ("0r5 {die=6+6}", "die=6+6, but the fields say die=6"),
        ("0r4 {ms=-3}", "line 1: 0r4: its comment says ms=-3"),
        ("0r4 {die=5", "line 1: 0r4 {die=5: a line is a move and at most one comment"),
        ("0r4 {a} {b}", "a line is a move and at most one comment"),
        ("{die=5}", "a line is a move"),
        ("--- {x}", "line 1: --- {x}: --- stands alone on its line"),
        ('0r4\n\n[Game "jostle"]', 'line 3: [Game "jostle"]: headers stand before the first move'),
        ('[Game "jostle"]\n[Game "jostle"]', 'line 2: [Game "jostle"]: the header Game stands there twice'),
        ('\n[Game "chess"]', "line 2: [Game \"chess\"]: there is no game 'chess'"),
        ('[Layout "standard"]\n[Game "chess"]', "line 2: [Game \"chess\"]: there is no game 'chess'"),
        ('[Layout "moon"]', "line 1: [Layout \"moon\"]: there is no game 'jostle:moon'"),
        ('[Format "2"]', 'line 1: [Format "2"]: only books of format 1 can be read'),
        ('[Result "5-5-5"]\n0r4', 'line 1: [Result "5-5-5"]: the moves lead to *'),
        ("[Game jostle]", "line 1: [Game jostle]: a header looks like"),
        ("0r4\x00", "line 1: '0r4\\x00': a move is printable text"),
        ("x" * 1000, f"line 1: {'x' * 39}…: a move is a piece"),
    ],
)
def test_headers_and_comments_that_are_wrong_are_refused(text: str, error: str) -> None:
    assert error in refused(text)


def test_blank_lines_spaces_and_windows_line_ends_do_not_matter() -> None:
    assert read_book("\n  0r4 \r\n\t3g1\r\n\n") == read_book("0r4\n3g1")


def test_line_numbers_count_every_line() -> None:
    assert refused("\n\n0r4\n\n0r5\n").startswith("line 5: 0r5:")


def test_the_books_of_the_platform_tell_everything_about_a_game() -> None:
    played = play_out(JOSTLE, "platform book")
    moves = [TimedMove(move, 100 + ply) for ply, (_, move) in enumerate(played)]
    end = played[-1][0].play(played[-1][1])
    book = record(JOSTLE, moves, standard_headers(JOSTLE, end, seats="anna, ben, cleo", time="2007-06-05T12:00:00Z"))
    assert [key for key, _ in book.headers] == ["Format", "Rules", "Seats", "Result", "Time"]
    assert book.header("Rules") == "jostle:standard"
    assert book.header("Result") == "-".join(map(str, end.scores()))
    assert all({"die", "ms"} <= line.notes.keys() for line in book.lines if not line.is_round_mark)
    assert book.lines[-1].is_round_mark
    assert replay(read_book(write_book(book))).position == end


@pytest.mark.parametrize("text", ["", " 0r4", "0r4 ", "[x", "a{b", "a\nb", "a\u2028b", "\ud800"])
def test_no_line_exists_that_could_not_be_written(text: str) -> None:
    with pytest.raises(NotationError):
        Line(text)


printable = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=30)
books = st.builds(
    Book,
    lines=st.lists(
        st.builds(
            Line,
            text=st.builds("{}{}{}".format, st.integers(0, 8), st.sampled_from("rgb"), st.integers(0, 99)),
            comment=st.none() | printable.map(lambda text: text.replace("{", "").replace("}", "")),
        )
        | st.just(Line("---"))
    ).map(tuple),
    headers=st.dictionaries(st.from_regex(r"[A-Z][A-Za-z0-9_]{0,15}", fullmatch=True), printable).map(
        lambda headers: tuple(headers.items())
    ),
)


@given(books)
@settings(max_examples=300, deadline=None)
def test_every_book_reads_back_from_its_text(book: Book) -> None:
    assert parse(write_book(book)) == book
