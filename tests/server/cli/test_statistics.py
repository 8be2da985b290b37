"""The statistics on the command line: planning a study, readers that have enough, and numbers that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import app

HEADER = "time,match,person,seat_truth,verdict,sureness,enjoyment,challenge"


def grintu(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_power_says_how_many_judgements_a_study_needs() -> None:
    assert json.loads(grintu("power", "--json"))["judgements"] == 429
    assert json.loads(grintu("power", "--humans", 0, "--json"))["judgements"] == 215
    assert json.loads(grintu("power", "--judgements", 214, "--json"))["power"] == pytest.approx(0.34, abs=0.02)
    assert "by 43 judges" in grintu("power", "--each", 10)
    refused = CliRunner().invoke(app, ["power", "--gap", "0.2"])
    assert (refused.exit_code, "is not within ±0.1" in refused.stderr) == (2, True)


@pytest.mark.parametrize("form", [["--json"], []])
def test_whoever_has_read_enough_ends_a_command_quietly(tmp_path: Path, form: list[str]) -> None:
    file = tmp_path / "responses.csv"
    rows = [f"p{person},i{item},{(person * item) % 3 % 2}" for person in range(1500) for item in range(8)]
    file.write_text("\n".join(["person,item,response", *rows]))
    command = [sys.executable, "-m", "server.cli", "rasch", str(file), *form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read().decode()
        assert (process.wait(60), said) == (0, "")


def test_a_design_in_parts_is_warned_of(tmp_path: Path) -> None:
    """Two circles of persons who met nothing in common."""
    rows = [
        (f"p{n % 4 + 4 * circle}", f"s{n % 3 + 3 * circle}", (n * n) % 3 == 0) for circle in (0, 1) for n in range(40)
    ]
    responses, judgements = tmp_path / "responses.csv", tmp_path / "judgements.csv"
    responses.write_text("\n".join(["person,item,response", *(f"{who},{what},{one:d}" for who, what, one in rows)]))
    said = {True: "artificial", False: "human"}
    judgements.write_text(
        "\n".join([HEADER, *(f"{n},m{n},{who},{what},{said[one]},,," for n, (who, what, one) in enumerate(rows))])
    )
    for command, file in (("rasch", responses), ("rate", judgements)):
        shown = grintu(command, file)
        assert "falls into 2 parts" in shown
        assert "s0, s1, s2" in shown
        assert "conven" in shown, "both kinds of fit have their names"


ONE_SIDED = {
    "one judgement": ["1,m1,ann,S,human,,,"],
    "programs alone": [f"{n},m{n},p{n % 3},S,artificial,,,unsure" for n in range(12)],
    "humans alone": [f"{n},m{n},p{n % 3},human,human,100,," for n in range(12)],
    "everybody agrees": [f"{n},m{n},p{n % 4},{('S', 'human')[n % 2]},artificial,100,5,not" for n in range(24)],
}


@pytest.mark.parametrize("name", ONE_SIDED)
@pytest.mark.parametrize("form", [["--json"], []])
def test_what_is_no_number_is_never_shown(tmp_path: Path, name: str, form: list[str]) -> None:
    file = tmp_path / "judgements.csv"
    file.write_text("\n".join([HEADER, *ONE_SIDED[name]]))
    words = grintu("rate", file, *form).casefold().replace("–", " ").split()
    assert not [word for word in words if word.strip('",:()') in {"nan", "inf", "-inf", "infinity", "-infinity"}]
