"""The joined table says what the other tables say, and the R script beside the notebook starts from it."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from lab.turing.table import turing_table
from server.base.settings import ROOT
from server.exports.joined import JOINED
from server.exports.service import Wanted, export
from server.exports.tables import chosen
from server.judgements.repository import read_log
from server.storage.database import Database
from tests.server.exports.test_export import answered_match

SCRIPT = ROOT / "docs" / "notebooks" / "main-figure.R"


async def tables(database: Database, folder: Path, *names: str) -> dict[str, list[dict[str, Any]]]:
    await export(database, Wanted(chosen(list(names)), "jsonl"), folder)
    return {name: [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()] for name in names}


async def test_every_judgement_is_joined_with_what_the_other_tables_say(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    for _ in range(2):
        await answered_match(session)
    names = ("judgements", "judgements_joined", "matches", "seats", "moves", "sheets")
    found = await tables(database, tmp_path / "out", *names)
    matches = {row["match"]: row for row in found["matches"]}
    seats = {(row["match"], row["seat"]): row for row in found["seats"]}
    sheets = {(row["match"], row["person"]): row for row in found["sheets"]}
    assert len(found["judgements_joined"]) == len(found["judgements"]) == 4
    for joined, judgement in zip(found["judgements_joined"], found["judgements"], strict=True):
        assert {name: joined[name] for name in judgement} == judgement
        truth = judgement["seat_truth"] == "human"
        assert (joined["seat_is_human"], joined["right"]) == (truth, not truth), "all were judged artificial"
        judged = seats[joined["match"], joined["seat"]]
        own = seats[joined["match"], joined["person_seat"]]
        assert own["person"] == joined["person"]
        assert (joined["seat_person"], joined["seat_score"], joined["seat_won"]) == (
            judged["person"],
            judged["score"],
            judged["won"],
        )
        assert (joined["person_score"], joined["device"]) == (own["score"], own["device"])
        made = [row for row in found["moves"] if (row["match"], row["seat"]) == (joined["match"], joined["seat"])]
        assert joined["seat_moves"] == len(made)
        match = matches[joined["match"]]
        assert (joined["match_started_at"], joined["match_moves"]) == (match["started_at"], match["moves"])
        sheet = sheets[joined["match"], joined["person"]]
        assert joined["questionnaire_version"] == sheet["questionnaire_version"]
        assert joined["sheet_seconds"] >= 0
        assert joined["answers"]["verdict"] == "artificial"
        assert joined["answers"]["enjoyment"] == "very"
    counted = [(row["person"], row["person_judgements_before"]) for row in found["judgements_joined"]]
    assert len(set(counted)) == 4, "each person's judgements are counted from 0 on"
    assert min(before for _, before in counted) == 0


def code(script: str) -> str:
    """The script without its comments, and without what stands in quotes."""
    return re.sub(r'"[^"\n]*"', '""', "\n".join(line.split("# ")[0] for line in script.splitlines()))


def test_the_r_script_asks_for_columns_that_there_are_and_its_brackets_close() -> None:
    """All that can be said of it where there is no R."""
    text = SCRIPT.read_text()
    columns = {column.name for column in JOINED.columns}
    asked = set(re.findall(r"\b(?:judgements|rows)\$(\w+)", text))
    assert {"game", "person", "verdict", "seat_truth"} == asked
    assert asked <= columns
    assert "judgements_joined.csv" in text
    open_brackets = []
    for sign in code(text):
        if sign in "([{":
            open_brackets.append(sign)
        elif sign in ")]}":
            assert open_brackets.pop() + sign in ("()", "[]", "{}")
    assert not open_brackets


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed here")
async def test_the_r_script_computes_what_the_platform_does(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    for _ in range(3):
        await answered_match(session)
    await export(database, Wanted(chosen(["judgements"])), tmp_path / "export")
    environment = os.environ | {"GRINTU_EXPORT": str(tmp_path / "export")}
    await asyncio.to_thread(subprocess.run, ["Rscript", str(SCRIPT)], env=environment, check=True, timeout=240)
    with (tmp_path / "export" / "main-figure-table.csv").open(newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if row["seat_truth"] == "Observing PALS"]
    expected = turing_table(await read_log(session, "jostle:standard")).strategies["Observing PALS"].judged_human
    ends = (expected.share, expected.interval.low, expected.interval.high)
    assert [float(row[name]) for name in ("share", "low", "high")] == pytest.approx(ends)
