"""Tables that add up, a record that survives being cut off, and the command that plays the source's evaluation."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from games.registry import game
from lab.tournaments.challenge import Outcome, Pairing
from lab.tournaments.paper import CHALLENGES, PAPER, STRONGER, TABLES, Entry, Table, pairings, play, standing
from lab.tournaments.record import RecordError, Results, read_record, write_record
from lab.tournaments.report import page
from lab.tournaments.tables import Score, score
from npc.players import read_player
from server.cli import tournament

COUNTS = st.integers(0, 300)
SCORES = st.builds(Score, COUNTS, COUNTS, COUNTS)
TABLE = Table("Two", (Entry("one", "seeker:bfs", 700), Entry("two", "seeker:heuristic", 600)))


def won(first: int, second: int) -> Outcome:
    return Outcome((first, second), (0.5, 0.25), (1.0, 2.0))


def results(*leaves: tuple[int, int]) -> Results:
    first, second = (entry.text for entry in TABLE.entries)
    return {Pairing(first, second, "s", number): won(*pair) for number, pair in enumerate(leaves)}


def test_a_score_is_that_of_the_source() -> None:
    against_bfs = Score(258, 90, 152)
    assert (against_bfs.played, against_bfs.points, against_bfs.reversed().points) == (500, 864, 546)
    assert round(against_bfs.not_lost_per_loss, 2) == 2.29 and round(against_bfs.won_per_loss, 2) == 1.70
    assert Score(3, 0, 0).won_per_loss == inf
    assert score([won(3, 1), won(2, 2), won(0, 9), won(0, 1)]) == Score(1, 1, 2)


@given(SCORES)
def test_intervals_hold_what_they_are_about_and_turn_round(found: Score) -> None:
    if found.played:
        for share, within in (
            (found.wins / found.played, found.won),
            ((found.wins + found.draws) / found.played, found.not_lost),
        ):
            assert within.low - 1e-9 <= share <= within.high + 1e-9
    margin, others = found.margin, found.reversed().margin
    assert margin.low == pytest.approx(-others.high) and margin.high == pytest.approx(-others.low)


def test_published_points_are_what_pairs_can_have() -> None:
    for table in PAPER:
        points = [entry.points or 0 for entry in table.entries]
        if len(points) == 2:
            draws = 3 * CHALLENGES - sum(points)
            assert 0 <= draws <= CHALLENGES and (points[0] - draws) % 3 == 0, table.title


def test_every_player_of_the_tables_can_be_read() -> None:
    rules = game("tourality:challenge")
    for table in TABLES:
        for entry in table.entries:
            assert read_player(entry.text, rules).text == entry.text, "a record knows it by one text only"


def test_each_player_of_a_table_plays_as_often() -> None:
    wanted = pairings((*PAPER, STRONGER), 10, "s")
    assert len(wanted) == len(set(wanted))
    for table in TABLES:
        for entry in table.entries:
            pairs = [{first.text, second.text} for first, second in table.pairs if entry in (first, second)]
            assert sum({each.first, each.second} in pairs for each in wanted) == 10


@pytest.mark.parametrize(
    ("leaves", "said"),
    [
        ([(2, 1)] * 30, "the order agrees"),
        ([(2, 1), (2, 1), (1, 2)], "the order agrees, but chance might have made it"),
        ([(1, 2)] * 30, "the order differs"),
        ([(1, 1)] * 30, "a tie, but chance might have made it"),
    ],
)
def test_whether_the_order_agrees_is_said_with_its_certainty(leaves: list[tuple[int, int]], said: str) -> None:
    found = standing(TABLE, results(*leaves), len(leaves), "s")
    assert found.order == said
    assert f"**Two**: {said}." in page([found]) and "| one |" in page([found]) and "| 700 |" in page([found])


def test_a_record_is_read_again_and_a_torn_line_is_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    assert read_record(file) == {}
    played = results((3, 1), (2, 2))
    assert dict(write_record(file, played.items())) == played
    with file.open("a") as open_file:
        open_file.write('{"first": "seek')
    assert read_record(file) == played
    more = results((3, 1), (2, 2), (0, 1))
    list(write_record(file, [list(more.items())[-1]]))
    assert read_record(file) == more


@pytest.mark.parametrize("line", ["[1]", "no", '{"first": "a"}', json.dumps({"first": 3, "second": "b"})])
def test_what_is_no_record_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "record.jsonl"
    list(write_record(file, results((3, 1)).items()))
    with file.open("a") as open_file:
        open_file.write(f"{line}\n")
    with pytest.raises(RecordError, match="line 2: expected a challenge"):
        read_record(file)


def test_all_challenges_are_played_with_few_under_way() -> None:
    wanted = [Pairing("a", "b", "s", number) for number in range(20)]
    with ThreadPoolExecutor(2) as pool:
        played = dict(play(pool, wanted, ahead=3, work=lambda each: won(each.number, 0)))
    assert played == {each: won(each.number, 0) for each in wanted}


def test_the_command_goes_on_where_it_was_and_writes_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = Table("Quick", (Entry("bfs", "seeker:bfs", 2), Entry("heuristic", "seeker:heuristic", 1)))
    monkeypatch.setattr(tournament, "TABLES", (quick,))
    file, tables = tmp_path / "record.jsonl", tmp_path / "tables.md"
    command = ["tournament", "paper", "--seed", "t", "--file", str(file), "--write", str(tables), "--workers", "1"]
    for challenges in ("2", "3"):
        done = CliRunner().invoke(tournament.app, [*command, "--challenges", challenges])
        assert done.exit_code == 0, done.output
    assert len(file.read_text().splitlines()) == 3, "what was played is not played again"
    assert "**Quick**" in tables.read_text() and "0 sweeps forfeited" in tables.read_text()
    file.write_text("nonsense\n")
    refused = CliRunner().invoke(tournament.app, [*command, "--challenges", "1"])
    assert refused.exit_code == 2 and "line 1: expected a challenge" in refused.output
