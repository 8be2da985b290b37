"""`grintu replay` and `grintu show`, called as a person or a script calls them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from server.cli.games import app

CORPUS = Path(__file__).parent / "corpus"
EQUALIZER = "0r4\n3g1\n6b3\n---\n1r1\n3g1\n6b5\n---\n2r1\n3g4\n6b9\n---\n0r8\n"
runner = CliRunner()


def test_replay_tells_machines_where_a_book_ends(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text(EQUALIZER)
    result = runner.invoke(app, ["replay", "--json", str(book)])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["game"] == "jostle:standard"
    assert told["position"] == "8,0,1/4,-1,-1/9,-1,-1 g"
    assert told["scores"] == [0, 0, 0]
    assert (told["moves"], told["rounds"], told["over"], told["acting"]) == (10, 3, False, [])


def test_replay_gives_one_object_per_book_and_line() -> None:
    books = [str(CORPUS / f"good-{name}.txt") for name in ("equalizer", "finished", "tic-tac-toe")]
    result = runner.invoke(app, ["replay", "--json", *books])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["file"] for row in told] == books
    assert [row["over"] for row in told] == [False, True, False]
    assert [row["acting"] for row in told] == [[], [], ["o"]]
    assert told[1]["scores"] == [1, 10, 4]


def test_replay_reads_the_standard_input() -> None:
    assert json.loads(runner.invoke(app, ["replay", "--json", "-"], input=EQUALIZER).stdout)["moves"] == 10


def test_replay_can_tell_every_line() -> None:
    result = runner.invoke(app, ["replay", "--json", "--every-line", "-"], input=EQUALIZER)
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["line"] for row in told] == list(range(1, 14))
    assert told[8]["text"] == "2r1"
    assert told[8]["position"].split("/")[1] == "-1,-1,-1"


def test_replay_shows_people_a_table() -> None:
    result = runner.invoke(app, ["replay", "-"], input=EQUALIZER)
    assert "8,0,1/4,-1,-1/9,-1,-1 g" in result.stdout
    assert "rounds" in result.stdout


def test_a_book_that_cannot_be_replayed_gives_status_2_and_its_line() -> None:
    result = runner.invoke(app, ["replay", "--json", str(CORPUS / "bad-first-example-misprinted.txt")])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == "line 6: 4g0: piece 4 stands on 14 and cannot reach 0\n"


def test_among_several_books_the_bad_ones_are_named_and_the_good_ones_replayed() -> None:
    bad, good = str(CORPUS / "bad-pass.txt"), str(CORPUS / "good-equalizer.txt")
    result = runner.invoke(app, ["replay", "--json", bad, good])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{bad}: line 2: ---: g cannot have passed")
    assert json.loads(result.stdout)["file"] == good


@pytest.mark.parametrize("path", sorted(CORPUS.glob("bad-*.txt")), ids=lambda path: path.stem)
def test_no_bad_book_shows_a_traceback(path: Path) -> None:
    result = runner.invoke(app, ["replay", str(path)])
    # The command line, unlike the library, forgives a byte order mark, which Windows editors write.
    assert result.exit_code == (0 if path.stem == "bad-byte-order-mark" else 2)
    assert "Traceback" not in result.output


def test_a_file_that_is_not_there_is_an_error_with_its_name() -> None:
    result = runner.invoke(app, ["replay", "no-such-book.txt"])
    assert (result.exit_code, result.stderr) == (2, "no-such-book.txt: No such file or directory\n")


def test_replay_takes_a_board_of_ones_own(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text('{"name": "tiny", "fields": 9, "goals": [1, 2, 3, 4]}')
    result = runner.invoke(app, ["replay", "--json", "--rules", str(board), "-"], input="0r5\n---\n")
    assert json.loads(result.stdout)["scores"] == [1, 0, 0]
    assert result.stderr == ""
    board.write_text('{"name": "long", "fields": 31, "goals": [1, 2, 3, 4, 5], "minus_three": [24, 25]}')
    result = runner.invoke(app, ["replay", "--rules", str(board), "-"], input="0r5\n---\n")
    assert "board.json: warning: games among strategies do not end on the board long" in result.stderr
    board.write_text('{"name": "tiny", "fields": 1, "goals": [1]}')
    result = runner.invoke(app, ["replay", "--rules", str(board), "-"], input="0r5\n")
    assert result.exit_code == 2
    assert "2 to 200 fields, not 1" in result.stderr


def test_show_draws_a_position_and_writes_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    result = runner.invoke(app, ["show", "4,-1,-1/1,-1,-1/3,-1,-1 r", "--svg", str(picture)])
    assert result.exit_code == 0
    assert "●0" in result.stdout
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")  # noqa: S314  # our own file


def test_show_takes_positions_that_begin_with_a_stack() -> None:
    result = runner.invoke(app, ["show", "--json", "-1,-1,-1/-1,-1,-1/-1,-1,-1 r 4"])
    assert json.loads(result.stdout)["moves"] == {"r": ["p0", "p1", "p2"]}


def test_show_refuses_what_is_no_position() -> None:
    result = runner.invoke(app, ["show", "4,4,-1/1,-1,-1/3,-1,-1 r"])
    assert (result.exit_code, result.stderr) == (2, "pieces 0 and 1 cannot both stand on 4\n")


def test_show_knows_the_other_games() -> None:
    assert "b2" in runner.invoke(app, ["show", "--game", "tic-tac-toe", "x../.../..."]).stdout
    assert runner.invoke(app, ["show", "--game", "chess", "x"]).exit_code == 2


def test_the_commands_are_part_of_grintu() -> None:
    """As a program of its own, in a terminal that knows no Unicode."""
    done = subprocess.run(
        [sys.executable, "-m", "server.cli", "replay", "--json", "-"],
        input=EQUALIZER.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        check=True,
    )
    assert json.loads(done.stdout)["position"].endswith(" g")
