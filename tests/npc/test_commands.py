"""The commands simulate, decide and prolog."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from games import dice
from games.registry import game
from npc.prolog.host import use_host
from server.cli.main import app
from tests.npc.prolog.scripts import LAST

POSITION = "4,-1,-1/1,-1,-1/3,-1,-1 r"


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setattr("server.prolog.start.user_cache", lambda: tmp_path_factory.getbasetemp() / "engine")
    use_host(None)


def run(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == status, done.output
    return done.stdout if status == 0 else done.stderr


def decided(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run("decide", *arguments, "--json"))
    return answer


def test_decide_tells_the_piece_and_why() -> None:
    answer = decided("--strategy", "Observing PALS", "--position", POSITION, "--after", "4")
    assert (answer["seat"], answer["move"]) == ("r", "p1")
    assert "Observing" in answer["explanation"]
    assert "move: p1" in run("decide", "--strategy", "observing,pals", "--position", POSITION, "--after", "4")


def test_after_a_six_it_tells_whether_it_rolls_again_and_then_the_piece() -> None:
    asked = ("--strategy", "ADVANCER", "--position", POSITION, "--after", "6")
    assert decided(*asked)["move"] == "again"
    assert decided(*asked, "--after", "keep")["move"] == "p0"
    answer = decided("--strategy", "ADVANCER", "--position", "20,-1,-1/1,-1,-1/3,-1,-1 r", "--after", "6")
    assert answer["move"] == "keep"
    assert "move: again" in run("decide", *asked)


def test_decide_answers_a_file_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{POSITION} 4\n\n{POSITION} 6?\n26,27,28/1,-1,-1/3,-1,-1 r !2 12\n")
    lines = run("decide", "--strategy", "ADVANCER", "--positions", str(file)).splitlines()
    answers = [json.loads(line) for line in lines]
    assert [answer["move"] for answer in answers] == ["p0", "again", "pass"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--strategy", "OBSERVER", "--position", POSITION, "--after", "4"), "'OBSERVER' is no element"),
        (("--strategy", "Observing", "--position", POSITION, "--after", "4"), "needs a basic element"),
        (("--strategy", "PALS", "--position", "4,4,-1/1,-1,-1/3,-1,-1 r", "--after", "4"), "cannot both stand on 4"),
        (("--strategy", "PALS", "--position", "40,4,-1/1,-1,-1/3,-1,-1 r", "--after", "4"), "last field is 30"),
        (("--strategy", "PALS", "--position", "nonsense", "--after", "4"), "a position looks like"),
        (("--strategy", "PALS", "--position", POSITION, "--after", "13"), "a move is 1 to 6"),
        (("--strategy", "PALS", "--position", f"{POSITION} 4", "--after", "4"), "the seat moves one of its pieces"),
        (("--strategy", "PALS", "--position", POSITION), "play it with --after"),
        (("--strategy", "PALS"), "say which --position"),
        (("--strategy", "PALS", "--position", "4,5,6/1,-1,-1/3,-1,-1 -", "--after", "4"), "the game is over"),
        (("--strategy", "missing.pl", "--position", POSITION, "--after", "4"), "missing.pl"),
    ],
)
def test_what_cannot_be_decided_is_refused_with_the_reason(arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in run("decide", *arguments, status=2)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{POSITION} 4\n{POSITION} x\n")
    assert "line 2" in run("decide", "--strategy", "PALS", "--positions", str(file), status=2)


def test_simulate_prints_every_measure_as_a_table_and_as_json() -> None:
    arguments = ("simulate", "--seats", "ADVANCER,Observing PALS,RANDOMIZER", "--games", "20", "--seed", "1")
    found = json.loads(run(*arguments, "--json"))
    assert [seat["strategy"] for seat in found["seats"]] == ["ADVANCER", "Observing PALS", "RANDOMIZER"]
    assert {"wins", "score", "turns", "displaced", "distance", "special"} <= set(found["seats"][0])
    assert set(found["rounds"]) == {"mean", "low", "high"}
    assert json.loads(run(*arguments, "--json", "--workers", "1")) == found
    assert "displaced" in run(*arguments)


def test_players_of_any_game_are_asked_and_simulated() -> None:
    """A bare list of elements is composed; a kind says otherwise; where several choose, the seat is named."""
    winning = ("--game", "tic-tac-toe", "--position", "xx./oo./...")
    assert decided("--strategy", "Winning RANDOMIZER", *winning)["move"] == "c1"
    assert decided("--strategy", "composed:Winning RANDOMIZER", *winning)["move"] == "c1"
    assert "a strategy needs" in run("decide", "--strategy", "Winning", *winning, status=2)
    tricks = game("tricks")
    deal = dice.draw(b"a" * dice.SEED_BYTES, 0, tricks.start())
    dealt = ("decide", "--strategy", "GREEDY", "--game", "tricks", "--position", tricks.start().text())
    assert "say with --seat who of" in run(*dealt, "--after", str(deal), status=2)
    answer = json.loads(run(*dealt, "--after", str(deal), "--seat", tricks.seats[1], "--json"))
    assert answer["move"] in {str(move) for move in tricks.start().play(deal).moves(1)}
    seats = ("--seats", "Winning GREEDY,RANDOMIZER")
    found = json.loads(run("simulate", "--game", "tic-tac-toe", *seats, "--games", "20", "--json"))
    assert found["game"] == "tic-tac-toe:standard"
    assert found["seats"][0]["wins"]["mean"] > found["seats"][1]["wins"]["mean"]
    assert "2 players, not 3" in run("simulate", "--game", "tic-tac-toe", "--seats", "GREEDY,GREEDY,GREEDY", status=2)


def test_simulate_writes_books_that_replay(tmp_path: Path) -> None:
    run("simulate", "--seats", "PALS,PALS,ADVANCER", "--games", "3", "--books", str(tmp_path))
    books = sorted(tmp_path.glob("*.txt"))
    assert len(books) == 3
    run("replay", *map(str, books))


def test_a_rule_base_decides_and_plays_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "last.pl"
    file.write_text(LAST)
    asked = ("--strategy", str(file), "--position", POSITION, "--after", "6")
    assert decided(*asked)["move"] == "again"
    answer = decided(*asked, "--after", "keep")
    assert (answer["move"], answer["fault"]) == ("p2", None)
    found = json.loads(run("simulate", "--seats", f"{file},PALS,PALS", "--games", "2", "--json"))
    assert found["seats"][0]["strategy"] == "Takes the last"
    assert "0 decisions lost" in run("prolog", "--check", str(file))


def test_prolog_writes_and_checks_rule_bases(tmp_path: Path) -> None:
    file = tmp_path / "generated.pl"
    file.write_text(run("prolog", "--strategy", "Aggressive ADVANCER"))
    assert "Aggressive ADVANCER: " in run("prolog", "--check", str(file))
    assert "stateSearch" in run("prolog", "--prelude")
    broken = tmp_path / "broken.pl"
    broken.write_text("move(A, B) :- foo(.\n")
    assert "syntax error" in run("prolog", "--check", str(broken), status=2)
    loser = tmp_path / "loser.pl"
    loser.write_text("move(_, _) :- fail.\n")
    assert CliRunner().invoke(app, ["prolog", "--check", str(loser)]).exit_code == 1
    assert "say --strategy" in run("prolog", status=2)
