"""Programs think in processes of their own: the same decisions, whatever happens to the processes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import psutil
import pytest

from games import registry
from games.dice import draw
from games.jostle import LAYOUTS, write_layout
from games.protocol import CHANCE, OVER, Game
from npc.decision import FaultKind
from npc.follower import Follower
from npc.players import player
from server.base.metrics import exposition
from server.programs import thinker
from server.programs.asking import Along, Ask, ProgramsError
from server.programs.service import LATE_ALLOWED, Programs
from server.programs.thinker import Thinker
from tests.games.selection import VARIED
from tests.server.programs import inside

PLAYERS = {"jostle": "composed:Observing PALS"}
SCRIPT = "prolog:% First come\nworth([Choice|_], Choice).\n"
GAMES = VARIED


def cheap(game: Game) -> str:
    return PLAYERS.get(game.kind, "composed:RANDOMIZER")


def asks(game: Game, text: str, match: int = 1, most: int = 60) -> list[Ask]:
    """What is asked in a match in which the same player sits on every seat, and what it answers is played."""
    found: list[Ask] = []
    position, moves = game.start(), list[str]()
    while position.to_act != OVER and len(moves) < most:
        if position.to_act == CHANCE:
            chosen = [str(draw(bytes(32), len(moves), position))]
        else:
            here = [
                Ask(match, game.reference, "", text, "s", seat if game.secrets else None, seat, tuple(moves))
                for seat in position.acting
            ]
            found += here
            chosen = [computed_here(ask)["move"] for ask in here]
        for move in chosen:
            position = position.play(game.move(move))
            moves.append(move)
    return found


def computed_here(ask: Ask) -> dict[str, str]:
    game = registry.game(ask.game)
    follower = Follower(game, player(ask.player, ask.game), ask.seed, ask.seat)
    follower.catch_up(ask.moves)
    return follower.decide(ask.asked).as_json()  # type: ignore[return-value]  # only its texts are looked at


@pytest.fixture
async def programs() -> AsyncIterator[Programs]:
    async with Programs(heavy=1) as running:
        yield running


def light(programs: Programs) -> Thinker:
    return programs._light[0]


def heavy(programs: Programs) -> Thinker:
    """Where scripts think."""
    return programs._uploaded[0]


def frozen(asked: Thinker) -> int:
    """Its process, stopped in whatever it does until SIGCONT."""
    assert asked.pid is not None
    os.kill(asked.pid, signal.SIGSTOP)
    return asked.pid


JOSTLE = registry.game("jostle")
ASK = asks(JOSTLE, cheap(JOSTLE), most=40)[-1]
RULE_BASE = ASK._replace(player=SCRIPT)


@pytest.mark.parametrize("reference", GAMES)
async def test_a_process_decides_as_anybody_else_does(programs: Programs, reference: str) -> None:
    game = registry.game(reference)
    for ask in asks(game, cheap(game)):
        assert await programs.decide(ask) == computed_here(ask)


async def test_a_history_that_is_shorter_or_another_one_is_followed_from_its_start(programs: Programs) -> None:
    along = asks(JOSTLE, ASK.player)
    other = asks(JOSTLE, "composed:ADVANCER")
    for ask in (along[20], along[3], along[21], other[20]._replace(player=ASK.player), along[22]):
        assert await programs.decide(ask) == computed_here(ask)


async def test_rules_that_came_from_elsewhere_travel_along(programs: Programs) -> None:
    layout = next(layout for layout in LAYOUTS.values())
    source = write_layout(layout).replace(layout.name, "From elsewhere")
    game = registry.open_source("jostle", source)
    assert game.reference not in registry.shelf()
    ask = asks(game, ASK.player)[-1]
    assert await programs.decide(ask._replace(source=source)) == computed_here(ask)


async def test_a_rule_base_is_asked_where_nobody_has_started_an_engine(programs: Programs) -> None:
    """It was "no engine" in a fresh process, and the decision read as lost."""
    decided = await programs.decide(RULE_BASE)
    assert decided["fault"] is None
    assert "First come" in decided["explanation"]


async def test_moments_of_the_past_are_computed_together(programs: Programs) -> None:
    along = asks(JOSTLE, ASK.player)
    moments = tuple((len(ask.moves), ask.asked) for ask in along)
    found = await programs.decide_along(Along(ASK.game, "", ASK.player, ASK.seed, None, moments, along[-1].moves))
    assert found == [computed_here(ask) for ask in along]


async def test_a_script_that_thinks_long_delays_no_composed_player(programs: Programs) -> None:
    await programs.decide(RULE_BASE)
    process = frozen(heavy(programs))
    thinking = asyncio.create_task(programs.decide(RULE_BASE._replace(match=2)))
    assert await programs.decide(ASK) == computed_here(ASK)
    assert (
        await programs.decide_along(
            Along(ASK.game, "", SCRIPT, "s", None, (), ()),
        )
        == []
    )
    assert not thinking.done()
    os.kill(process, signal.SIGCONT)
    assert (await thinking)["fault"] is None


async def test_who_takes_too_long_gets_a_move_by_lot_and_is_asked_no_more_after_three_times() -> None:
    async with Programs(heavy=1, seconds=1.0) as programs:
        legal = {str(move) for move in position_of(RULE_BASE).moves()}
        for _ in range(LATE_ALLOWED):
            assert (await programs.decide(RULE_BASE._replace(match=2)))["fault"] is None, "other matches go on"
            process = frozen(heavy(programs))
            decided = await programs.decide(RULE_BASE)
            assert decided["fault"].startswith(FaultKind.LIMIT.value)
            assert decided["move"] in legal
            assert heavy(programs).pid != process
        assert (await programs.decide(RULE_BASE))["fault"].startswith(FaultKind.OUT.value)
        assert (await programs.decide(RULE_BASE._replace(match=2)))["fault"] is None
    assert b'grintu_programs_restarts_total{kind="uploaded",reason="budget"}' in exposition()[0]


async def test_who_waits_too_long_for_others_gets_a_move_by_lot_and_is_asked_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Programs(heavy=1, seconds=2.0) as programs:
        await programs.decide(RULE_BASE)
        await programs.decide(ASK)
        monkeypatch.setattr(thinker, "TURNS", 0.5)
        monkeypatch.setattr(thinker, "START_SECONDS", 0)
        frozen(heavy(programs))
        late, waiting = await asyncio.gather(programs.decide(RULE_BASE), programs.decide(RULE_BASE._replace(match=2)))
        assert "no answer" in late["fault"]
        assert "no turn" in waiting["fault"]
        monkeypatch.undo()
        assert (await programs.decide(RULE_BASE._replace(match=2)))["fault"] is None


def position_of(ask: Ask):  # type: ignore[no-untyped-def]  # a position of any game
    position = registry.game(ask.game).start()
    for text in ask.moves:
        position = position.play(registry.game(ask.game).move(text))
    return position


async def test_an_endless_script_loses_its_decision_and_nothing_else(programs: Programs) -> None:
    first = asks(JOSTLE, ASK.player)[0]
    decided = await programs.decide(first._replace(player="prolog:move(_, _) :- again.\nagain :- again.\n"))
    assert decided["fault"].startswith(FaultKind.LIMIT.value)
    assert (await programs.decide(RULE_BASE))["fault"] is None


async def test_whatever_a_script_says_can_be_stored(programs: Programs) -> None:
    script = "prolog:move(_, _) :- atom_codes(Said, [97, 0, 98]), throw(Said).\n"
    decided = await programs.decide(RULE_BASE._replace(player=script))
    assert decided["fault"].startswith(FaultKind.THREW.value)
    assert "\x00" not in decided["fault"] + decided["explanation"]
    assert await programs.call(inside.said, "a\x00b") == "a\ufffdb"


async def test_a_process_that_dies_is_replaced_and_the_question_put_again(programs: Programs) -> None:
    assert await programs.decide(ASK) == computed_here(ASK)
    process = frozen(light(programs))
    thinking = [asyncio.create_task(programs.decide(ask)) for ask in (ASK, ASK._replace(match=2))]
    await asyncio.sleep(0)
    os.kill(process, signal.SIGKILL)
    for decided in await asyncio.gather(*thinking):
        assert decided == computed_here(ASK)
    assert light(programs).pid != process


async def test_one_that_dies_while_nobody_asks_is_replaced_too(programs: Programs) -> None:
    await programs.decide(ASK)
    process = light(programs).pid
    assert process is not None
    os.kill(process, signal.SIGKILL)
    assert await programs.decide(ASK._replace(seed="t")) == computed_here(ASK._replace(seed="t"))


async def test_what_breaks_twice_is_told(programs: Programs) -> None:
    with pytest.raises(ProgramsError, match="died"):
        await programs.call(os._exit, 3)
    with pytest.raises(ProgramsError, match="IllegalMoveError"):
        await programs.decide(ASK._replace(moves=("p1", *ASK.moves)))
    assert await programs.decide(ASK) == computed_here(ASK)


async def test_a_process_that_has_grown_is_replaced_after_its_answer(programs: Programs) -> None:
    before = await programs.call(os.getpid)
    await programs.call(inside.grow_old)
    numbers = {await programs.call(os.getpid) for _ in range(80)}
    assert before in numbers
    assert len(numbers) == 2


async def test_whoever_no_longer_waits_holds_up_nobody(programs: Programs) -> None:
    await programs.decide(ASK)
    process = frozen(light(programs))
    given_up = [asyncio.create_task(programs.decide(ASK._replace(match=match))) for match in range(5)]
    await asyncio.sleep(0)
    for task in given_up:
        task.cancel()
    os.kill(process, signal.SIGCONT)
    assert await programs.decide(ASK) == computed_here(ASK)
    assert light(programs).pid == process


async def test_signals_to_everybody_are_for_the_server(programs: Programs) -> None:
    await programs.decide(ASK)
    process = light(programs).pid
    assert process is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(process, number)
    assert await programs.decide(ASK) == computed_here(ASK)
    assert light(programs).pid == process


async def test_processes_inherit_neither_sockets_nor_secrets(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRINTU_SECRET_KEY", "known to the server alone")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.set_inheritable(True)
        assert await programs.call(inside.open_sockets) == 1
    assert await programs.call(os.getenv, "GRINTU_SECRET_KEY") is None


async def test_processes_end_with_their_programs() -> None:
    async with Programs(heavy=1) as programs:
        await programs.decide(ASK)
        await programs.decide(RULE_BASE)
        processes = [light(programs).pid, heavy(programs).pid]
        processes.append(await programs.call(os.getpid))
        busy = asyncio.create_task(programs.call(time.sleep, 1000))
        await asyncio.sleep(0)
    assert not any(psutil.pid_exists(process) for process in processes if process)
    with pytest.raises(ProgramsError, match="stopping"):
        await busy
    with pytest.raises(ProgramsError, match="stopping"):
        await programs.decide(ASK)


SERVER = """
import asyncio, os, time
from server.programs.service import Programs

async def serve():
    async with Programs() as programs:
        print(await programs.call(os.getpid), flush=True)
        await programs.call(time.sleep, 1000)

asyncio.run(serve())
"""


def test_processes_end_with_a_server_that_was_killed() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    lines = iter(server.stdout)
    process = psutil.Process(int(next(line for line in lines if line.strip().isdigit())))
    server.kill()
    server.wait()
    server.stdout.close()
    process.wait(60)
