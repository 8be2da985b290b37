"""`grintu gdl match` and `grintu gdl serve`, called as a person calls them."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.gdl import gdl_app as app
from server.controller.wire import request_bytes
from tests.games.gdl.sheets import COUNTING

runner = CliRunner()
ROOT = Path(__file__).parents[3]
OURS = "composed:RANDOMIZER"


def test_a_match_is_played_told_and_written(tmp_path: Path) -> None:
    file, out = tmp_path / "counting.kif", tmp_path / "matches"
    file.write_text(COUNTING, encoding="utf-8")
    call = ["match", "--game", str(file), "--player", OURS, "--player", OURS, "--out", str(out)]
    result = runner.invoke(app, [*call, "--start-clock", "120", "--play-clock", "120", "--seed", "7"])
    assert result.exit_code == 0, result.output
    assert f"white: {OURS} grintu is available" in result.stdout
    assert "over after 3 turns: white 100, black 50" in result.stdout
    (written,) = out.glob("*.json")
    assert json.loads(written.read_text())["goalValues"] == [100, 50]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "gdl:bids", "--player", OURS], "2 players are needed (left right), not 1"),
        (["--game", "gdl:bids", "--player", OURS, "--player", "ftp://x:1"], "http://HOST:PORT"),
        (["--game", "gdl:bids", "--player", OURS, "--player", "oracle:x"], "oracle"),
        (["--game", "jostle:standard", "--player", OURS], "not described in the Game Description Language"),
        (["--game", "nowhere.kif", "--player", OURS], "there is no file nowhere.kif"),
    ],
)
def test_what_is_no_match_is_refused(arguments: list[str], words: str) -> None:
    result = runner.invoke(app, ["match", *arguments])
    assert result.exit_code == 2
    assert words in result.stderr


def test_it_serves_until_it_is_interrupted() -> None:
    call = [sys.executable, "-m", "server.cli", "gdl", "serve", "--port", "0", "--player", OURS]
    with subprocess.Popen(call, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith(f"{OURS} waits for game managers at http://127.0.0.1:")
            port = int(line.partition(";")[0].rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port)) as manager:
                manager.sendall(request_bytes("h", "p", "(INFO)"))
                assert b"( ( name grintu ) ( status available ) )" in manager.recv(4096)
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0
        finally:
            process.kill()


def test_who_is_no_player_is_not_served() -> None:
    result = runner.invoke(app, ["serve", "--player", "oracle:x", "--port", "0"])
    assert result.exit_code == 2
    assert "oracle" in result.stderr
