"""The quick form of the chaos test, and what is said about seeds. The full form is `python -m tests.chaos`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.book import read_book
from games.book import replay as replay_book
from games.protocol import CHANCE
from server.base.settings import Settings
from server.live.models import Source
from server.live.records.matches import match_book
from server.storage.database import Database
from tests.chaos.checks import about_match
from tests.chaos.faults import FAULTS
from tests.chaos.journal import Journal
from tests.chaos.plan import DETAILS, FULL, QUICK, Scale, draw_plan
from tests.chaos.run import run
from tests.server.live.clients import visitors
from tests.server.live.test_record import played_match
from tests.server.live.test_whole_match import finished


@pytest.mark.parametrize("scale", [QUICK, FULL], ids=["quick", "full"])
def test_a_seed_draws_the_same_plan_and_every_fault(scale: Scale) -> None:
    plan, again, other = (draw_plan(seed, scale) for seed in (7, 7, 8))
    assert plan == again
    assert plan.dice_seed(0) == again.dice_seed(0)
    assert plan.faults != other.faults
    assert plan.dice_seed(0) != other.dice_seed(0)
    assert sorted({fault.kind for fault in plan.faults}) == sorted(DETAILS) == sorted(FAULTS)
    assert len(plan.faults) == scale.rounds * len(FAULTS)
    assert [fault.after for fault in plan.faults] == sorted(fault.after for fault in plan.faults)


def test_a_journal_notices_when_two_stories_are_told() -> None:
    journal = Journal()
    journal.take({"told": [1, 0, ["6", "again", "4"]]})
    journal.take({"told": [1, 2, ["4", "p0"]]})
    assert journal.violations == []
    assert journal.moves == 4
    journal.take({"told": [1, 3, ["p1"]]})
    journal.take({"ended": [1, [1, 2, 3], [2]]})
    journal.take({"ended": [1, [1, 2, 4], [2]]})
    journal.take({"apology": 500})
    assert len(journal.violations) == 3


async def test_the_checks_find_what_is_lost_or_changed(database: Database, settings: Settings) -> None:
    people = await visitors(database, settings, 1)
    match = await finished(database, await played_match(database, people))
    match.position = replay_book(read_book(match_book(match, None))).position.text()
    own = next(one.seat for one in match.seats if one.person_id is not None)
    for move in match.moves:
        if move.seat not in (own, CHANCE):
            move.source = Source.SERVER
    journal = Journal(sent={(match.id, move.ply): (move.seat, move.move) for move in match.moves})

    def found(witness: Journal = journal) -> str:
        return " ".join(about_match(match, witness))

    assert found() == ""
    assert "not in the book" in found(replace(journal, told={match.id: {0: "7"}}))
    assert "not in the book" in found(replace(journal, told={match.id: {match.ply: "p0"}}))
    assert "nobody sent" in found(replace(journal, sent={}))
    next(move for move in match.moves if move.seat == own).source = Source.SERVER
    assert "who was there" in found()
    match.dice_seed = bytes(32)
    assert "not fair" in found()
    match.scores = [0, 0, 0]
    assert "recorded is" in found()
    match.ended_at = None
    assert "is stuck" in found()


@pytest.mark.long
@pytest.mark.timeout(600)
def test_nothing_that_was_acknowledged_is_lost_whatever_breaks(tmp_path: Path) -> None:
    outcome = run(draw_plan(7, QUICK), tmp_path)
    assert outcome.good, outcome.told()
