"""Uploading a rule base: checked, tried out, put into play; what is broken is refused with its line."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from npc import strategy
from npc.prolog.generate import rule_base
from npc.prolog.prelude import FACTS, MEANINGS
from server.clock import now
from server.live.models import MatchEvent, MatchSeat
from server.prolog import engine
from server.rule_bases.hints import hint_for
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.repository import playing, scripts
from server.rule_bases.trial import try_out
from server.settings import Settings
from tests.server.questionnaires.conftest import as_person, played_match
from tests.servers import PageClient

GOOD = "% The tidy one\n" + rule_base(strategy("Observing PALS"))
LOST = "% The silent one\nmove(_, _) :- fail.\n"


@pytest.fixture(scope="module", autouse=True)
def running_engine() -> None:
    engine()


def test_a_trial_counts_every_lost_decision() -> None:
    good, lost = try_out(GOOD), try_out(LOST)
    assert (good.lost, good.faults) == (0, [])
    assert good.decisions > 10
    assert lost.lost > 10
    assert lost.faults and "failed" in lost.faults[0]


async def test_a_script_is_uploaded_and_put_into_play(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    answer = await client.post("/research/rule-bases", data={"script": GOOD})
    assert answer.status_code == 303
    page = answer.headers["location"]
    row = (await session.scalars(select(RuleBaseRow))).one()
    assert row.name == f"The tidy one (rule base {row.id})"
    assert await playing(session) == ()
    await client.post(page, data={"playing": "true"})
    assert await playing(session) == (row.name,)
    assert (await scripts(session, [row.name, "PALS"])) == {row.name: GOOD}
    listed = (await client.get("/research/rule-bases")).text
    assert "The tidy one" in listed
    assert all(head.partition("(")[0] in listed for head in (*MEANINGS, *FACTS))
    assert (await client.post(f"{page}/discard")).status_code == 409, "what is in play stays"
    german = await client.get(f"/research/rule-bases?like={row.id}", headers={"accept-language": "de"})
    assert "The tidy one" in german.text
    assert "problems" not in german.text, "nothing went wrong, so nothing is told"


async def test_a_rule_base_that_lost_decisions_says_why_and_can_be_deleted(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    script = "% Misspelt\nmove(Owner, Best) :- movablePices(Owner, [Best|_]).\n"
    page = (await client.post("/research/rule-bases", data={"script": script})).headers["location"]
    shown = (await client.get(page)).text
    assert "Did you mean movablePieces/2?" in shown
    assert "mend it before it meets people" in shown
    assert (await client.post(f"{page}/discard")).status_code == 303
    assert (await session.scalars(select(RuleBaseRow))).all() == []


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("threw: error(existence_error(procedure,worth/2),worth/2) (35 times)", "worth(Choices, Choice)"),
        ("threw: error(existence_error(procedure,ahed/2),ahed/2)", "ahead"),
        ("threw: error(existence_error(procedure,movable/7),movable/7)", "movable/1"),
        ("threw: error(existence_error(procedure,entirely/2),entirely/2)", "neither in your script"),
        ("failed: move/2 has no solution (31 times)", "at least one rule"),
        ("syntax error, incomplete statement, lines 1 to 2", "full stop"),
    ],
)
def test_faults_are_explained_in_plain_words(fault: str, hint: str) -> None:
    found = hint_for(fault, "% x\nahead([F, _, _], R) :- R is -F.\n")
    assert found is not None
    assert hint in found[0] % found[1]


@pytest.mark.parametrize(
    ("script", "reason"), [("% x\nmove(_, _) :- ,.\n", "line"), ("", "text in Prolog"), ("%" * 70_000, "bytes")]
)
async def test_what_cannot_be_loaded_is_refused_with_a_reason(
    client: PageClient, session: AsyncSession, settings: Settings, script: str, reason: str
) -> None:
    await as_person(client, session, settings, "researcher")
    answer = await client.post("/research/rule-bases", data={"script": script})
    assert answer.status_code == 422
    assert reason in answer.text
    assert (await session.scalars(select(RuleBaseRow))).all() == []


async def test_faults_in_matches_are_shown_to_the_author(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    page = (await client.post("/research/rule-bases", data={"script": GOOD})).headers["location"]
    row = (await session.scalars(select(RuleBaseRow))).one()
    match = await played_match(session)
    seat = await session.get_one(MatchSeat, (match.id, 1))
    seat.strategy = row.name
    details = {"ply": 7, "fault": "threw: zero_divisor"}
    session.add(MatchEvent(match_id=match.id, seat=1, at=now(), kind="rule_base_fault", details=details))
    await session.commit()
    assert "zero_divisor" in (await client.get(page)).text


async def test_rule_bases_are_for_researchers(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings)
    assert (await client.get("/research/rule-bases")).status_code == 403
    assert (await client.post("/research/rule-bases", data={"script": GOOD})).status_code == 403
