"""Rule bases within their limits delay nobody else: not the programs of other matches, not viewers, not mails.

Shown by who is answered while they are busy, not with a stopwatch.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from functools import partial

import httpx
import pytest
from fastapi import FastAPI

from npc.decision import FaultKind
from npc.prolog import memory, vocabulary_of
from npc.prolog.host import use_host
from npc.prolog.session import SCRIPTS_KEPT, Session
from server.base.errors import Unavailable
from server.base.settings import Settings
from server.programs.asking import LIVE_SECONDS, Along, TookTooLong
from server.programs.service import LATE_ALLOWED, MOST_TRIALS, Programs
from server.prolog import WasmtimeHost, start_engine
from server.prolog.instance import CALL_FUEL
from server.rule_bases.service import start_script
from server.rule_bases.trial import try_out
from tests.conftest import BASE_URL, SignIn
from tests.people import PASSWORD
from tests.server.accounts.mailbox import mails
from tests.server.programs import inside
from tests.server.programs.test_programs import ASK, JOSTLE, SCRIPT, asks, computed_here, frozen
from tests.servers import PageClient

CHATTER = "% Chatter\nmove(_, _) :- repeat, write(a), flush_output, fail.\n"
"""What the attack used: hardly an instruction, but a call of the host each time."""
WORDS = vocabulary_of(JOSTLE)
EXAMPLE = start_script(JOSTLE)
"""What the page itself proposes."""


@pytest.fixture
def engine() -> Iterator[WasmtimeHost]:
    host = start_engine()
    yield host
    memory.SESSIONS.clear()
    use_host(None)
    host.stop()


async def test_while_a_script_chatters_other_programs_decide() -> None:
    """In other processes: all of theirs is answered before the one question to the script is."""
    async with Programs(heavy=1) as programs:
        along = asks(JOSTLE, ASK.player, most=60)
        await asyncio.gather(programs.decide(ASK), programs.decide(ASK._replace(player=SCRIPT)))  # both have started
        chatter = along[0]._replace(player=f"prolog:{CHATTER}")
        chattering = [asyncio.create_task(programs.decide(chatter._replace(match=match))) for match in range(2, 12)]
        decided = [await programs.decide(ask) for ask in along]
        assert not chattering[-1].done()
        assert decided == [computed_here(ask) for ask in along]
        faults = {answer["fault"] for answer in await asyncio.gather(*chattering)}
        assert "limit: it took too many steps" in faults, "not by the clock: the same everywhere"


async def test_a_script_that_thinks_as_long_as_it_may_delays_no_search_of_another_match() -> None:
    """One process for each kind: all searches are answered while the one of scripts stands still."""
    async with Programs(heavy=1) as programs:
        await programs.decide(ASK._replace(player=SCRIPT))
        process = frozen(programs._uploaded[0])
        slow = asyncio.create_task(programs.decide(ASK._replace(player=SCRIPT, match=2)))
        for match, player in enumerate(("mcts:simulations=20", "minimax:nodes=50"), start=4):
            assert (await programs.decide(ASK._replace(player=player, match=match)))["fault"] is None
        assert not slow.done()
        os.kill(process, signal.SIGCONT)
        assert (await slow)["fault"] is None


async def test_a_decision_that_was_given_up_ends_and_counts_as_late() -> None:
    async with Programs(heavy=1) as programs:
        script = ASK._replace(player=SCRIPT)
        for _ in range(LATE_ALLOWED):
            assert (await programs.decide(script._replace(match=2)))["fault"] is None, "other matches go on"
            process = frozen(programs._uploaded[0])
            given_up = asyncio.create_task(programs.decide(script))
            waiting = asyncio.create_task(programs.decide(script._replace(match=3)))
            await asyncio.sleep(0)  # both have asked
            given_up.cancel()
            assert (await waiting)["fault"] is None, "in a new process"
            assert programs._uploaded[0].pid != process
        assert (await programs.decide(script))["fault"].startswith(FaultKind.OUT.value)
        assert (await programs.decide(script._replace(match=3)))["fault"] is None


async def test_who_only_waited_for_others_or_for_the_start_was_not_late() -> None:
    async with Programs(heavy=1) as programs:
        script = ASK._replace(player=SCRIPT)
        first = asyncio.create_task(programs.decide(script))
        second = asyncio.create_task(programs.decide(script._replace(match=2)))
        while programs._uploaded[0].pid is None:  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
        process = programs._uploaded[0].pid
        first.cancel()
        second.cancel()
        await asyncio.wait((first, second))
        assert not programs._late
        assert (await programs.decide(script))["fault"] is None
        assert programs._uploaded[0].pid == process, "it was left to finish"


def test_all_that_scripts_of_a_server_process_keep_has_a_sum() -> None:
    """Twenty-four that hoarded took 1.2 GB of one server process; docs/security.md names the sum."""
    programs = Programs(heavy=16)
    assert len(programs._uploaded) * memory.BYTES_KEPT <= 640 * 1024 * 1024
    assert memory.SESSIONS._most_bytes == memory.BYTES_KEPT


async def test_while_forty_matches_ask_the_pages_own_example_other_programs_decide() -> None:
    async with Programs(heavy=1) as programs:
        along = asks(JOSTLE, ASK.player, most=30)
        await asyncio.gather(programs.decide(ASK), programs.decide(ASK._replace(player=SCRIPT)))
        example = along[-1]._replace(player=f"prolog:{EXAMPLE}")
        asked = [
            asyncio.create_task(programs.decide(example._replace(match=match, seed=str(match))))
            for match in range(2, 42)
        ]
        decided = [await programs.decide(ask) for ask in along]
        assert not asked[-1].done()
        assert decided == [computed_here(ask) for ask in along]
        assert {answer["fault"] for answer in await asyncio.gather(*asked)} == {None}


def test_calls_of_the_host_cost_fuel(engine: WasmtimeHost) -> None:
    name = engine.open()
    instance = engine._instances[name]

    def used(goal: str) -> int:
        assert engine.run(name, goal).startswith("+1")
        return engine.limits.load_fuel - instance._store.get_fuel()

    silent = used("(between(1, 100, _), fail ; true).")
    assert used("(between(1, 100, _), write(a), flush_output, fail ; true).") >= silent + 100 * CALL_FUEL


def test_forty_sessions_of_the_pages_own_example_are_kept_or_restored_without_loading(
    engine: WasmtimeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A script that plays in many matches is loaded twice: once to be asked, once to be copied from then on."""
    loaded: list[str] = []
    genuine = engine.run

    def counting(instance: int, goal: str) -> str:
        loaded.append(goal)
        return genuine(instance, goal)

    monkeypatch.setattr(engine, "run", counting)
    sessions = [Session(engine, EXAMPLE, JOSTLE, WORDS) for _ in range(40)]
    assert sum("Observing RANDOMIZER" in goal for goal in loaded) == 2
    question = WORDS.opening(JOSTLE)
    assert {session.ask("k", question) for session in sessions} == {sessions[0].ask("k", question)}
    for session in sessions:
        session.close()


def test_scripts_that_are_kept_loaded_are_few(engine: WasmtimeHost) -> None:
    before = len(engine._instances)
    for number in range(SCRIPTS_KEPT + 3):
        for _ in range(3):
            Session(engine, f"% {number}\nmove(_, _).\n", JOSTLE, WORDS).close()
    assert len(engine._instances) <= before + SCRIPTS_KEPT + 1, "and what all of them are copied from"


HOARD = """% Hoard
:- dynamic(kept/1).
move(_, _) :- numlist(1, 60000, L), assertz(kept(L)), fail.
move(O, B) :- movablePieces(O, [B|_]).
"""


def test_sessions_that_hoard_push_each_other_out(engine: WasmtimeHost) -> None:
    """Twenty-four of them took 1.2 GB."""
    game = JOSTLE
    base = engine.size(engine.open())
    kept = memory.Sessions(most_bytes=4 * base)
    first = asks(JOSTLE, ASK.player)[0]
    position = game.start()
    for text in first.moves:
        position = position.play(game.move(text))
    for number in range(8):
        chair = memory.Chair(HOARD, game, WORDS, first.asked, f"seed {number}")
        kept.answer(engine, chair, position, None, len(first.moves))
        sizes = [seated.session.size for seated in kept._seats.values() if seated.session]
        assert sum(sizes) <= 4 * base or len(sizes) == 1
    assert max(sizes) > 2 * base, "they really hoard"
    assert len(kept._seats) < 8
    kept.clear()


@pytest.mark.usefixtures("engine")
def test_a_decision_that_a_table_would_not_wait_for_is_lost_at_the_trial() -> None:
    trial = try_out(EXAMPLE, JOSTLE)
    assert trial.allowed_ms == LIVE_SECONDS * 1000
    assert trial.slowest_ms > 0
    hasty = try_out(EXAMPLE, JOSTLE, allowed_ms=-1)
    assert hasty.lost == hasty.decisions - 1, "all but the first, which loads the script"
    assert hasty.faults[0].startswith("limit: it took longer")


async def test_trials_run_apart_from_matches_and_viewers() -> None:
    async with Programs(heavy=1) as programs:
        assert await programs.trial(inside.said, "a") == "a"
        process = frozen(programs._trials)
        waiting = asyncio.create_task(programs.trial(inside.said, "b"))
        assert await programs.decide(ASK) == computed_here(ASK)
        assert (await programs.decide(ASK._replace(player=SCRIPT)))["fault"] is None
        assert await programs.decide_along(Along(ASK.game, "", SCRIPT, "s", None, (), ())) == []
        assert await programs.call(inside.said, "c") == "c"
        assert not waiting.done()
        os.kill(process, signal.SIGCONT)
        assert await waiting == "b"


async def test_a_trial_has_a_total_time_and_few_wait_for_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Programs(heavy=1) as programs:
        await programs.trial(inside.said, "a")
        frozen(programs._trials)
        monkeypatch.setattr("server.programs.service.TRIAL_SECONDS", 0.5)
        waiting = [asyncio.create_task(programs.trial(inside.said, "b")) for _ in range(MOST_TRIALS)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable):
            await programs.trial(inside.said, "c")
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert TookTooLong in {type(answer) for answer in answers} | {type(answer).__base__ for answer in answers}
        monkeypatch.undo()
        assert await programs.trial(inside.said, "d") == "d", "in a new process"


async def test_one_trial_per_researcher_and_a_registrations_mail_is_not_behind_it(
    client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings
) -> None:
    await sign_in("researcher")
    programs: Programs = app.state.programs
    await programs.trial(inside.said, "a")
    process = frozen(programs._trials)
    upload = partial(client.post, "/research/rule-bases", data={"script": "% Mute\nmove(_, _) :- fail.\n"})
    uploading = asyncio.create_task(upload())
    while not programs._trying:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.01)
    second = await upload()
    assert second.status_code == 429
    assert "Another trial of yours is still running" in second.text
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as newcomer:
        await newcomer.get("/register")
        sent = await newcomer.post("/register", data={"email": "mia@example.org", "password": PASSWORD})
        assert sent.status_code == 303
    assert [mail["To"] for mail in mails(settings)] == ["mia@example.org"]
    assert not uploading.done()
    os.kill(process, signal.SIGCONT)
    assert (await uploading).status_code == 303
    assert (await upload()).status_code == 303, "the permit came back"
