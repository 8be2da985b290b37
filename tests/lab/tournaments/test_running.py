"""Whole tournaments: the same results on any pool, a record to go on from, and the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.registry import game
from lab.tournaments.contest import Arena, Challenge, Played, play_some
from lab.tournaments.record import RecordError
from lab.tournaments.running import PlanError, from_record, play_all, prepared, read_tournament, to_record
from server.cli import tournament

GAME = "tic-tac-toe:standard"
ENTRANTS = ["composed:RANDOMIZER", "composed:Winning RANDOMIZER", "composed:GREEDY"]


def one_by_one(arena: Arena, challenges: Sequence[Challenge]) -> list[Played]:
    """A process whose time is always over after the first challenge."""
    return play_some(arena, challenges, seconds=-1)


def test_what_a_piece_of_work_did_not_come_to_is_played_by_another() -> None:
    arena = prepared(game(GAME), ENTRANTS, "round-robin", 5, "s").arena
    wanted = [Challenge(pair, world) for world in range(6) for pair in ((0, 1), (0, 2), (1, 2))]
    with ThreadPoolExecutor(2) as pool:
        slowly = list(play_all(pool, arena, wanted, at_once=2, work=one_by_one))
        at_once = list(play_all(pool, arena, wanted))
    assert len(slowly) == len(wanted) and set(slowly) == set(at_once) == set(play_some(arena, wanted, 60))
    assert all(from_record(json.loads(json.dumps(to_record(one)))) == one for one in slowly)


@pytest.mark.parametrize(
    ("reference", "entrants", "form", "rounds", "reason"),
    [
        (GAME, ENTRANTS[:1], "swiss", 1, "expected 2 to 64 entrants, and 1 came"),
        (GAME, ENTRANTS[:1] * 2, "swiss", 1, "everybody enters once"),
        (GAME, ENTRANTS, "knock-out", 1, "a tournament is round-robin, swiss, ladder, uncertainty, not 'knock-out'"),
        (GAME, ENTRANTS, "swiss", 0, "at least one round"),
        (GAME, ENTRANTS, "round-robin", 40_000, "at most 100000 challenges, not 120000"),
        ("jostle:standard", ENTRANTS[:2], "swiss", 1, "expected 3 to 64 entrants, and 2 came"),
    ],
)
def test_what_cannot_be_is_refused(reference: str, entrants: list[str], form: str, rounds: int, reason: str) -> None:
    with pytest.raises(PlanError, match=reason):
        prepared(game(reference), entrants, form, rounds, "s")


def test_the_command_plays_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    record, table = tmp_path / "cup.jsonl", tmp_path / "cup.md"
    words = ["tournament", "play", GAME, *ENTRANTS, "--rounds", "2", "--workers", "1", "--file", str(record)]
    first = CliRunner().invoke(tournament.app, [*words, "--write", str(table)])
    assert first.exit_code == 0, first.output
    whole, told = record.read_text(), table.read_text()
    assert len(whole.splitlines()) == 1 + 2 * 3
    assert all(entrant in told for entrant in ENTRANTS)
    lines = whole.splitlines(keepends=True)
    record.write_text("".join(lines[:3]) + lines[3][:20])  # killed while it wrote
    again = CliRunner().invoke(tournament.app, [*words, "--write", str(table)])
    assert again.exit_code == 0 and sorted(record.read_text().splitlines()) == sorted(whole.splitlines())
    assert table.read_text() == told
    other = CliRunner().invoke(tournament.app, [*words[:-2], "--seed", "other", "--file", str(record)])
    assert other.exit_code == 2 and "the record of another tournament" in other.output


def test_a_record_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    arena = prepared(game(GAME), ENTRANTS, "swiss", 1, "s").arena
    for content in ('{"first": "seeker:bfs"}\n', "[]\n", "7\n", '"game"\n'):
        file.write_text(content)
        with pytest.raises(RecordError, match=r"cup.jsonl"):
            read_tournament(file, arena)


def test_refusals_of_the_command_say_what_is_wrong() -> None:
    for words, reason in (
        (["play", "tic-tac-toe:standard", "nobody:7", "composed:GREEDY"], "nobody:7"),
        (["play", "nothing:standard", "composed:GREEDY"], "nothing"),
        (["paper", "--only", "Luck"], "'Depth'"),
    ):
        found = CliRunner().invoke(tournament.app, ["tournament", *words])
        assert found.exit_code == 2 and reason in found.output, found.output
