"""`grintu gdl`, called as a person or a script calls it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.gdl.checks import checked
from games.gdl.reasoner import Reasoner
from games.gdl.traces import record
from server.cli.gdl import gdl_app as app
from tests.games.gdl.descriptions import EXPONENTIAL
from tests.games.gdl.sheets import COUNTING, solitaire

runner = CliRunner()


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    file = tmp_path / "counting.kif"
    file.write_text(COUNTING, encoding="utf-8")
    return file


def test_check_tells_errors_with_place_rule_and_hint(tmp_path: Path, counting: Path) -> None:
    unsafe = tmp_path / "unsafe.kif"
    unsafe.write_text(solitaire("(<= (p ?x) on)"), encoding="utf-8")
    result = runner.invoke(app, ["check", str(counting), str(unsafe)])
    assert result.exit_code == 2
    assert f"{counting}: 0 errors, 1 warnings" in result.stdout  # black can never have all points
    assert f"{unsafe}: line 2, column 1: error: safety: ?x is in the head" in result.stdout
    assert runner.invoke(app, ["check", str(counting)]).exit_code == 0


def test_explain_tells_roles_and_what_random_games_show(counting: Path) -> None:
    result = runner.invoke(app, ["explain", str(counting)])
    assert result.exit_code == 0
    for words in (
        "roles: white black",
        "20 random games: 3 to 3 moves",
        "white can win: found",
        "black can win: not found",
    ):
        assert words in result.stdout


def test_play_watches_or_asks(counting: Path) -> None:
    watched = runner.invoke(app, ["play", str(counting)])
    assert "white: (say 1)\nblack: (say 2)\nwhite: (say 3)\n" in watched.stdout
    assert "over: white 100, black 50" in watched.stdout
    asked = runner.invoke(app, ["play", str(counting), "--seat", "Black"], input="7\n1\n")
    assert "a number from 1 to 1" in asked.stdout
    assert "over: white 100, black 50" in asked.stdout
    assert runner.invoke(app, ["play", str(counting), "--seat", "red"]).exit_code == 2


def test_trace_gives_the_first_difference_and_status_1(tmp_path: Path, counting: Path) -> None:
    lines = list(record(Reasoner(checked(COUNTING).rules), 1, "cli"))
    file = tmp_path / "trace.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert runner.invoke(app, ["trace", str(counting), str(file)]).exit_code == 0
    lines[1]["goals"] = ["1", "2"]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    result = runner.invoke(app, ["trace", str(counting), str(file)])
    assert result.exit_code == 1
    assert "the goals are ['100', '50'], not ['1', '2']" in result.stdout


SPELT = """
(role one) (init Open) (init shut) (legal one go)
(<= (next done) (true open))
(<= terminal (true done)) (<= terminal (not (true shut)))
(goal one 100)
"""
"""Two words for a reasoner that tells capital letters apart; then the game ends after one move without `done`."""


def test_trace_tells_where_capital_letters_make_the_difference(tmp_path: Path) -> None:
    description, file = tmp_path / "spelt.kif", tmp_path / "trace.jsonl"
    description.write_text(SPELT, encoding="utf-8")
    ply = {"facts": ["Open", "shut"], "legal": [["go"]], "joint": ["go"]}
    game = {"plies": [ply, {"facts": list[str]()}], "terminal": True, "goals": ["100"]}
    file.write_text("\n".join(map(json.dumps, [{"roles": ["one"]}, game])), encoding="utf-8")
    result = runner.invoke(app, ["trace", str(description), str(file)])
    assert result.exit_code == 0
    for words in (
        "the same in every ply, but only if capital letters tell words apart",
        "line 3, column 23: open is the same word as Open",
        "by the language, game 1, ply 1: the facts: only we have done",
    ):
        assert words in result.stdout
    game["goals"] = ["0"]
    file.write_text("\n".join(map(json.dumps, [{"roles": ["one"]}, game])), encoding="utf-8")
    assert runner.invoke(app, ["trace", str(description), str(file)]).exit_code == 1


HOSTILE = {
    "parentheses": (b"(" * 1_000_000, "more than 100 parentheses are nested"),
    "comments": (b"#|a " * 400_000, "error"),
    "bytes": (b"\xff\xfe", "UTF-8"),
    "size": (b"(p a)" * 500_000, "2500000 characters; 2000000 are allowed"),
    "endless": (solitaire("(init (n z)) (<= (init (n (s ?x))) (init (n ?x)))").encode(), "nested more than"),
    "exponential": (EXPONENTIAL.encode(), "steps to compute"),
    "later": (
        b"(role one) (legal one go) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true z))",
        "nested more than",
    ),
}
"""Files that would cost all time and memory, and what their refusal says. The last one can be played for a while."""


@pytest.mark.parametrize("command", ["check", "explain", "play", "trace", "match"])
@pytest.mark.parametrize(("data", "words"), HOSTILE.values(), ids=HOSTILE)
def test_every_command_refuses_hostile_files_with_a_sentence(
    tmp_path: Path, command: str, data: bytes, words: str
) -> None:
    file, trace = tmp_path / "hostile.kif", tmp_path / "trace.jsonl"
    file.write_bytes(data)
    long = {"plies": [{"facts": [], "legal": [["go"]], "joint": ["go"]}] * 200, "terminal": False, "goals": None}
    trace.write_text("\n".join(map(json.dumps, [{"roles": ["one"]}, long])), encoding="utf-8")
    asked = {
        "trace": ["trace", str(file), str(trace)],
        "match": ["match", "--game", str(file), "--player", "http://127.0.0.1:1", "--start-clock", "1"],
    }.get(command, [command, str(file)])
    result = runner.invoke(app, asked)
    assert isinstance(result.exception, SystemExit)
    if command == "trace" and words not in result.output:  # it ends at the first difference
        assert result.exit_code == 1
        return
    assert result.exit_code == (1 if "given up" in result.output else 2)
    assert words in result.output


def test_a_refused_file_keeps_no_other_from_being_checked(tmp_path: Path, counting: Path) -> None:
    hostile = tmp_path / "hostile.kif"
    hostile.write_bytes(b"\xff\xfe")
    result = runner.invoke(app, ["check", str(hostile), str(counting)])
    assert result.exit_code == 2
    assert f"{counting}: 0 errors" in result.output
