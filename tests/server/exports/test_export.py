"""Exports: every format says the same, columns are explained, hashes fit, spreadsheets are safe, memory stays flat."""

from __future__ import annotations

import csv
import hashlib
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it comes without type information
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from games.book import read_book, replay
from games.registry import game
from server.base.clock import now
from server.exports.service import Wanted, export
from server.exports.tables import TABLES, Column, ColumnKind, chosen
from server.exports.writers import csv_cell
from server.questionnaires import service
from server.rules.service import add_source
from server.storage.database import Database
from tests.server.played import finished_match
from tests.server.questionnaires.conftest import PLIES, beginning_of_a_game, played_match


async def answered_match(session: AsyncSession, aim: str = "=1+1") -> None:
    match = await played_match(session)
    sheet = await service.open_sheet(session, match.first, match.id)
    for seat in sheet.seats:
        await service.save_answer(session, sheet, "verdict", seat, "artificial")
        await service.save_answer(session, sheet, "challenge", seat, "somewhat")
        await service.save_answer(session, sheet, "aim", seat, aim)
    await service.save_answer(session, sheet, "enjoyment", None, "very")
    await service.finish(session, sheet)
    await session.commit()


TYPES: dict[ColumnKind, tuple[type, ...]] = {
    ColumnKind.INTEGER: (int,),
    ColumnKind.NUMBER: (float,),
    ColumnKind.TEXT: (str,),
    ColumnKind.BOOLEAN: (bool,),
    ColumnKind.TIME: (datetime,),
    ColumnKind.JSON: (str, int, list, dict),
}


def as_value(column: Column, cell: Any) -> Any:
    return datetime.fromisoformat(cell) if column.kind is ColumnKind.TIME and cell is not None else cell


async def test_every_format_holds_the_same_rows(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    aim = 'first, "second"\n\u2028third\x85 \\ wie blöd 🎲'
    await answered_match(session, aim)
    await session.execute(text("UPDATE persons SET created_at = date_trunc('second', created_at) WHERE id % 2 = 0"))
    await session.execute(text("UPDATE answers SET value = NULL WHERE id = (SELECT min(id) FROM answers)"))
    await session.commit()
    for form in ("csv", "jsonl", "parquet"):
        await export(database, Wanted(TABLES, form), tmp_path / form)
    seen = {}
    for table in TABLES:
        with (tmp_path / "csv" / f"{table.name}.csv").open(newline="") as file:
            from_csv = list(csv.reader(file))[1:]
        lines = [json.loads(line) for line in (tmp_path / "jsonl" / f"{table.name}.jsonl").read_text().splitlines()]
        names = [column.name for column in table.columns]
        assert all(list(line) == names for line in lines)
        rows = [[as_value(column, line[column.name]) for column in table.columns] for line in lines]
        for row in rows:
            for column, value in zip(table.columns, row, strict=True):
                assert value is None or type(value) in TYPES[column.kind], (table.name, column.name, value)
        assert from_csv == [
            [str(csv_cell(column, value)) for column, value in zip(table.columns, row, strict=True)] for row in rows
        ]
        packed = pq.read_table(tmp_path / "parquet" / f"{table.name}.parquet").to_pylist()
        for row, other in zip(rows, packed, strict=True):
            assert row == [
                json.loads(value) if value and column.kind is ColumnKind.JSON else value
                for column, value in zip(table.columns, other.values(), strict=True)
            ]
        seen[table.name] = lines
    assert [line["seat_truth"] for line in seen["judgements"]] == ["Observing PALS", "human"]
    assert [line["value"] for line in seen["answers"] if line["item"] == "aim"] == [aim, aim]
    assert {len(line["since"]) for line in seen["persons"]} == {len("2026-11-16T12:00:00.000000+00:00")}


async def test_the_manifest_counts_rows_and_hashes_files(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    await answered_match(session)
    manifest = await export(database, Wanted(TABLES), tmp_path / "out")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == manifest
    assert manifest["judgement_log_position"] == 2
    for file in manifest["files"]:
        assert hashlib.sha256((tmp_path / "out" / file["file"]).read_bytes()).hexdigest() == file["sha256"]
    rows = {file["file"]: file["rows"] for file in manifest["files"] if "rows" in file}
    assert (rows["judgements.csv"], rows["seats.csv"], rows["moves.csv"], rows["persons.csv"]) == (2, 3, PLIES, 2)


async def test_the_codebook_explains_every_column_and_every_item(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    await answered_match(session)
    await export(database, Wanted(TABLES), tmp_path / "out")
    book = json.loads((tmp_path / "out" / "codebook.json").read_text())
    for table in book["tables"]:
        with (tmp_path / "out" / f"{table['table']}.csv").open(newline="") as file:
            assert next(csv.reader(file)) == [column["column"] for column in table["columns"]]
        assert all(column["meaning"] for column in table["columns"])
    items = {(item["questionnaire"], item["version"], item["item"]) for item in book["items"]}
    assert ("after_match", 1, "verdict") in items
    assert "cannot_tell = cannot tell" in (tmp_path / "out" / "codebook.md").read_text()


async def test_no_address_leaves_the_house(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    await answered_match(session)
    await session.execute(
        text(
            "INSERT INTO accounts (person_id, email, password_hash, role, language, created_at)"
            " SELECT id, 'secret-' || id || '@example.org', 'hash', 'proband', 'en', now() FROM persons"
        )
    )
    await session.commit()
    await export(database, Wanted(TABLES, "jsonl"), tmp_path / "out")
    written = "".join(path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert "example.org" not in written
    assert "hash" not in json.dumps([json.loads(line) for line in (tmp_path / "out/persons.jsonl").open()])


async def test_books_replay_and_hold_every_move(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    await answered_match(session)
    manifest = await export(database, Wanted(chosen(["matches"]), books=True), tmp_path / "out")
    (name,) = [file["file"] for file in manifest["files"] if file["file"].startswith("books/")]
    book = read_book((tmp_path / "out" / name).read_text())
    assert str(replay(book).position.text()) == beginning_of_a_game()[1].text()
    names = set(await session.scalars(text("SELECT pseudonym FROM persons")))
    assert len(names & set(dict(book.headers)["Seats"].split(", "))) == 2


async def test_books_of_all_games_replay_and_their_tables_name_the_rules(
    session: AsyncSession, database: Database, tmp_path: Path
) -> None:
    """Also of a board that lies in the database and is forgotten by the process, and of a rule base that stood in."""
    source = '{"name": "short way", "fields": 20, "goals": [1, 2, 3], "switches": [[4, 9]]}'
    added = await add_source(session, "jostle", source, "The short way", "tests")
    played = {
        "tic-tac-toe:standard": {1: "Winning RANDOMIZER"},
        "tricks:standard": {0: "GREEDY"},
        "ten:standard": {1: "RANDOMIZER"},
        "jostle:standard": {1: "PALS", 2: "My base (rule base 3)"},
        added.reference: {0: "ADVANCER"},
    }
    for reference, programs in played.items():
        replaced = frozenset({2}) if 2 in programs else frozenset[int]()
        await finished_match(session, game(reference), programs, replaced)
    await session.commit()
    registry._learnt.clear()
    manifest = await export(database, Wanted(TABLES, books=True), tmp_path / "out")
    names = [file["file"] for file in manifest["files"] if file["file"].startswith("books/")]
    books = [read_book((tmp_path / "out" / name).read_text()) for name in names]
    assert [dict(book.headers)["Rules"] for book in books] == list(played)
    assert all(replay(book).over for book in books)
    people = set(await session.scalars(text("SELECT pseudonym FROM persons")))
    for book, programs in zip(books, played.values(), strict=True):
        seated = [part for seat in dict(book.headers)["Seats"].split(", ") for part in seat.split(" then ")]
        assert set(programs.values()) == {name for name in seated if name not in people}
        assert len(people.intersection(seated)) == len(seated) - len(programs)
    for table in ("matches", "seats", "moves"):
        with (tmp_path / "out" / f"{table}.csv").open(newline="") as file:
            assert list(dict.fromkeys(row["game"] for row in csv.DictReader(file))) == list(played), table
    with (tmp_path / "out" / "game_sources.csv").open(newline="") as file:
        assert [(row["game"], row["title"], row["source"]) for row in csv.DictReader(file)] == [
            (added.reference, "The short way", added.source)
        ]


async def test_filters_by_time_and_by_group(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    await answered_match(session)
    past = Wanted(chosen(["questionnaires"]), last=datetime(2000, 1, 1, tzinfo=UTC))
    manifest = await export(database, past, tmp_path / "out")
    rows = {file["file"]: file["rows"] for file in manifest["files"] if "rows" in file}
    assert rows == {"questionnaire_versions.csv": 0, "sheets.csv": 0, "answers.csv": 0, "codes.csv": 0}
    with pytest.raises(KeyError, match="nonsense"):
        chosen(["nonsense"])


async def test_an_export_never_mixes_with_other_files(database: Database, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(FileExistsError):
        await export(database, Wanted(TABLES), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("cell", ["=cmd()", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_spreadsheet_never_sees_a_formula(cell: str) -> None:
    column = next(column for table in TABLES for column in table.columns if column.kind is ColumnKind.TEXT)
    assert csv_cell(column, cell) == f"'{cell}"
    assert csv_cell(column, f"a{cell}") == f"a{cell}"


@pytest.mark.long
async def test_memory_does_not_grow_with_the_rows(session: AsyncSession, database: Database, tmp_path: Path) -> None:
    match = await played_match(session)
    await session.execute(
        text(
            "INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)"
            " SELECT :match, n, 0, 'p0', 'person', 1, :at FROM generate_series(1000, 200000) n"
        ),
        {"match": match.id, "at": now()},
    )
    await session.commit()
    moves = Wanted(chosen(["moves"]), "parquet")
    await export(database, Wanted(chosen(["flags"]), "parquet"), tmp_path / "before")  # imports what it needs, once
    tracemalloc.start()
    manifest = await export(database, moves, tmp_path / "out")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert manifest["files"][0]["rows"] == 199_001 + PLIES
    assert peak < 30_000_000, "the rows themselves would take more than 50 MB at once"
