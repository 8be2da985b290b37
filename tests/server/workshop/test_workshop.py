"""Researchers bring games: findings are told, the board is shown, what wants too much is refused and delays nobody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from html import unescape

import pytest
from sqlalchemy import select

from games import registry
from server.accounts.models import AuditEntry
from server.programs.service import Programs
from server.rules.models import GameSource
from server.storage.database import Database
from server.study.settings import read_settings
from server.workshop import examining, service
from server.workshop.service import Draft, Examination, examined
from tests.conftest import SignIn
from tests.server.workshop import described
from tests.servers import PageClient

TIC_TAC_TOE = registry.game("gdl:tic-tac-toe").source
LOOK = {
    "en": {"title": "Stars", "seats": {"x": "star"}, "rules": [["The end", ["Three in a row."]]]},
    "de": {"title": "Sterne", "seats": {"x": "Stern", "o": "Mond"}},
    "pieces": {"x": {"sign": "★"}},
}


@pytest.fixture(scope="module")
async def programs() -> AsyncIterator[Programs]:
    async with Programs() as programs:
        yield programs


async def found_in(programs: Programs, source: str, look: object = "") -> Examination:
    return await examined(programs, Draft.of("gdl", source, look if isinstance(look, str) else json.dumps(look)), "en")


async def test_every_finding_has_its_place_its_rule_and_a_hint(programs: Programs) -> None:
    broken = TIC_TAC_TOE.replace("(<= terminal won)", "(<= (goal ?x 1) won)").replace(
        "(role o)", "(role o) (<= (a ?b) c)"
    )
    found = await found_in(programs, broken)
    assert found.refused and found.errors == 1
    errors = [noticed.remark for noticed in found.remarks if noticed.remark.is_error]
    assert (errors[0].line, errors[0].column, errors[0].rule) == (4, 10, "safety")
    assert "?b" in errors[0].message and errors[0].hint
    assert len(found.remarks) > 1, "warnings are told beside errors"


async def test_what_only_playing_shows_is_told_too(programs: Programs) -> None:
    never_won = TIC_TAC_TOE.replace("(<= (goal ?player 100) (role ?player) (line ?player))", "")
    rules = {noticed.remark.rule for noticed in (await found_in(programs, never_won)).remarks}
    assert {"winnability", "goals"} <= rules


async def test_the_board_is_shown_at_once_in_the_words_beside_it(programs: Programs) -> None:
    found = await found_in(programs, TIC_TAC_TOE, LOOK)
    assert not found.refused and found.remarks == ()
    card, start = found.told["preview"]["card"], found.told["preview"]["start"]
    assert (card["title"], card["seats"], card["board"]) == ("Stars", ["star", "o"], "grid")
    assert (start["shown"]["grid"]["columns"], start["acting"]) == (3, [0])


async def test_mistakes_in_the_json_are_told_by_its_own_lines(programs: Programs) -> None:
    found = await found_in(programs, TIC_TAC_TOE, '{\n  "en": {"title": }\n}')
    (noticed,) = found.remarks
    assert noticed.beside and (noticed.remark.line, noticed.remark.column) == (2, 19)
    both = await found_in(programs, TIC_TAC_TOE.replace("(role o)", "(role o) (<= (a ?b) c)"), "[]")
    assert {noticed.beside for noticed in both.remarks if noticed.remark.is_error} == {True, False}
    assert "nothing beside" in str((await examined(programs, Draft("ten", "", "{}"), "en")).values["reason"])


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("(" * 1_000_000, "at most", id="a megabyte of parentheses"),
        pytest.param("(" * 400_000, "parentheses are nested", id="deep"),
        pytest.param(described.ENDLESS, "nested more than", id="endless"),
        pytest.param(described.EXPONENTIAL, "steps to compute", id="exponential"),
        pytest.param("\x00", "cannot be stored", id="no text"),
    ],
)
async def test_what_wants_too_much_is_refused_with_a_sentence(programs: Programs, source: str, words: str) -> None:
    found = await found_in(programs, source)
    assert words in found.refused % found.values


async def test_what_takes_too_long_is_ended(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    await found_in(programs, TIC_TAC_TOE)  # a process that has to start is given more time
    monkeypatch.setattr(service, "EXAMINATION_SECONDS", 0.01)
    assert (await found_in(programs, described.EXPONENTIAL)).refused == service.TOOK_TOO_LONG
    monkeypatch.undo()
    assert not (await found_in(programs, TIC_TAC_TOE)).refused, "the next one finds a new process"


def test_who_would_keep_all_others_waiting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "refused" not in examining.examine("gdl", TIC_TAC_TOE, "en")
    monkeypatch.setattr(examining, "SLOWEST_SECONDS", 0)
    assert "others would wait" in examining.examine("gdl", TIC_TAC_TOE, "en")["refused"]


def test_memory_is_bounded_while_a_source_is_examined() -> None:
    with examining._bounded_memory(), pytest.raises(MemoryError):
        bytearray(2 * examining.MOST_BYTES)
    assert bytearray(1000)


async def test_an_examination_keeps_nobody_waiting(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    form = {"kind": "gdl", "source": described.EXPONENTIAL, "action": "check"}
    examination = asyncio.create_task(client.post("/research/games", data=form))
    served = 0
    while not examination.done():
        assert (await client.get("/health")).status_code == 200
        served += not examination.done()
        await asyncio.sleep(0.1)
    refused = await examination
    assert refused.status_code == 422 and "steps" in refused.text
    assert served > 0, "others were served meanwhile"


async def test_from_a_draft_to_the_study(database: Database, client: PageClient, sign_in: SignIn) -> None:
    await sign_in("researcher")
    form = {"kind": "gdl", "source": TIC_TAC_TOE.replace("\n", "\r\n"), "look": json.dumps(LOOK, indent=1)}
    checked = await client.post("/research/games", data={**form, "action": "check"})
    assert checked.status_code == 200 and "data-preview" in checked.text
    async with database.sessions() as session:
        assert (await session.scalars(select(GameSource))).all() == [], "nothing is kept before it is wanted"

    kept = await client.post("/research/games", data={**form, "action": "add"})
    assert kept.status_code == 303
    address = kept.headers["location"]
    reference = address.rpartition("/")[2]
    registry._learnt.clear()
    page = unescape((await client.get(address)).text)
    assert "Stars" in page and f"/practice?game={reference.replace(':', '%3A')}&level=master" in page
    card = (await client.get(f"/api/games/{reference}", headers={"accept-language": "de"})).json()
    assert (card["title"], card["seats"]) == ("Sterne", ["Stern", "Mond"])
    assert "Three in a row." in (await client.get(f"/games/{reference}/rules")).text
    again = unescape((await client.get("/research/games/new", params={"like": reference})).text)
    assert '"title": "Stars"' in again and ";@" not in again, "description and JSON stand apart"

    for offered, games in ((True, ["jostle:standard", reference]), (True, None), (False, ["jostle:standard"])):
        assert (await client.post(address, data={"offered": str(offered)})).status_code == 303
        async with database.sessions() as session:
            now = (await read_settings(session)).games
            assert now == games or games is None
    last = await client.post("/research/games/jostle:standard", data={"offered": "false"})
    assert last.status_code == 422 and "A study needs a game" in last.text
    async with database.sessions() as session:
        actions = list(await session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))
    assert actions.count("setting.change") == 2 and "game.add" in actions


async def test_the_same_rules_with_other_names_are_another_game(
    database: Database, client: PageClient, sign_in: SignIn
) -> None:
    await sign_in("researcher")
    looks = [json.dumps({"en": {"title": title}}) for title in ("One", "Two")]
    kept = [
        await client.post("/research/games", data={"kind": "gdl", "source": TIC_TAC_TOE, "look": look})
        for look in looks
    ]
    assert len({answer.headers["location"] for answer in kept}) == 2


async def test_only_researchers_come_in(client: PageClient, sign_in: SignIn) -> None:
    await sign_in("proband")
    assert (await client.get("/research/games/new")).status_code == 403
    assert (await client.get("/research/games/gdl:tic-tac-toe")).status_code == 403
    assert (await client.post("/research/games/gdl:tic-tac-toe", data={"offered": "true"})).status_code == 403
