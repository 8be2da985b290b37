"""The statistics on the command line: planning a study, readers that have enough, and numbers that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab.simulation.verdicts import World, verdicts
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


def judged_log(tmp_path: Path, judged: bool) -> Path:
    """Twenty-four persons in sixteen matches each, beside a human program and three clumsy ones."""
    file = tmp_path / "judgements.csv"
    log = verdicts(World(persons=24, matches=16, people=0.6, plays=0.8), 3)
    rows = [
        f"{one.time},{one.match},{one.person},{one.seat_truth},{one.verdict},{40 + n % 50},3,not,{one.judged or ''}"
        for n, one in enumerate(log)
    ]
    head = HEADER + ",judged"
    file.write_text("\n".join(row if judged else row.rpartition(",")[0] for row in (head, *rows)))
    return file


def test_a_file_that_says_who_was_judged_gives_the_main_analysis(tmp_path: Path) -> None:
    mixed = json.loads(grintu("rate", judged_log(tmp_path, judged=True), "--json"))["mixed"]
    assert mixed["judges"] == 24
    assert mixed["spreads"]["person"] > 0.2
    shown = " ".join(grintu("rate", judged_log(tmp_path, judged=True)).split())
    assert "crossed mixed model of 24 judges" in shown
    assert f"{mixed['strategies']['s1']['estimate']:.3f}" in shown
    assert "mixed model needs ten" in " ".join(grintu("rate", judged_log(tmp_path, judged=False)).split())


def test_models_and_judges_are_checked_on_request(tmp_path: Path) -> None:
    file = judged_log(tmp_path, judged=True)
    found = json.loads(grintu("rate", file, "--checks", "--json"))["checks"]
    assert found["agreement"]["seats"] == 192
    assert found["slopes"]["df"] == 4
    assert len(found["shrunk"]) == 4
    assert [one["number"] for one in found["programs_learnt"]] == list(range(2, 33, 2))
    shown = " ".join(grintu("rate", file, "--checks").split())
    for words in (
        f"alpha {found['agreement']['alpha']:.3f}",
        f"p = {found['slopes']['p']:.3f}. A small p speaks against",
        f"miscalibration {found['calibration']['miscalibration']:.3f}",
        "Seen through by the same persons",
        "to be quoted for the best of many",
        "corrected for those who stop: humans",
    ):
        assert words in shown, words
    assert "Krippendorff" not in grintu("rate", file)


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
    words = grintu("rate", file, "--checks", *form).casefold().replace("–", " ").split()
    assert not [word for word in words if word.strip('",:()') in {"nan", "inf", "-inf", "infinity", "-infinity"}]
