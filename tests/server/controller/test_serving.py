"""Our player behind a port, as foreign managers and those who mean harm meet it."""

import asyncio
import importlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from games.gdl.controller import messages
from games.gdl.controller.messages import Abort, Info, Joint, Perceived, Play, Start, Stop, description_text
from games.gdl.game import KIND, GdlGame
from games.registry import game as find_game
from server.controller import answering, serving
from server.controller.answering import OurPlayer, Session, thinking_seconds
from server.controller.managing import Manager, Terms
from server.controller.peers import Address, LapseError, Remote
from server.controller.serving import Reception
from server.controller.wire import request_bytes
from server.programs.thinker import Question, Thinker
from tests.games.gdl.sheets import COUNTING, solitaire
from tests.server.controller.strangers import Scripted

TIC_TAC_TOE = description_text(KIND.library["tic-tac-toe"])
PATIENT = Terms(start_clock=120, play_clock=120)


class InThisProcess(Thinker):
    """Computes at once, without the seconds that a process takes to start; in and out goes JSON, as there."""

    def ask(self, question: Question) -> "asyncio.Future[object]":
        module, _, name = question.function.partition(":")
        arguments = json.loads(json.dumps(question.arguments))
        found = getattr(importlib.import_module(module), name)(*question.texts, *arguments)
        question.answer.set_result(json.loads(json.dumps(found)))
        return question.answer


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "Thinker", InThisProcess)


@asynccontextmanager
async def served(player: str = "composed:RANDOMIZER", **bounds: float) -> AsyncIterator[Address]:
    ours = OurPlayer(player, "seed")
    listening = await Reception(ours, **bounds).open("127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", listening.sockets[0].getsockname()[1])
    finally:
        listening.close()
        await ours.close()


async def exchanged(where: Address, data: bytes) -> str:
    reader, writer = await asyncio.open_connection(*where)
    writer.write(data)
    said = (await reader.read()).decode()
    writer.close()
    return said


def start(match: str = "m1", role: str = "x", description: str = TIC_TAC_TOE) -> Start:
    return Start(match, role, description, 120, 120)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["tic-tac-toe", "bids", "one-card", "ten"])
async def test_it_plays_whole_matches_for_a_manager(name: str) -> None:
    """With hidden hands as well: there it hears only what it perceives."""
    game = find_game(f"gdl:{name}")
    assert isinstance(game, GdlGame)
    async with served() as where:
        record = await Manager(game, [Remote(where), Scripted(*["no move"] * 99)], "m1", PATIENT).run()
    assert record.goals is not None
    assert not any(game.seats[0] in lapses for lapses in record.lapses), list(record.told())
    assert all(game.seats[1] in lapses for lapses in record.lapses[1:])


@pytest.mark.usefixtures("quick")
async def test_the_same_seed_and_match_give_the_same_moves() -> None:
    async def moves() -> list[object]:
        game = find_game("gdl:tic-tac-toe")
        assert isinstance(game, GdlGame)
        async with served("mcts:simulations=8") as where:
            record = await Manager(game, [Remote(where), Scripted(*["no move"] * 99)], "m1", PATIENT).run()
        return list(record.moves)

    assert await moves() == await moves()


@pytest.mark.usefixtures("quick")
async def test_one_match_at_a_time_and_then_the_next() -> None:
    player = OurPlayer("composed:RANDOMIZER", "seed", most_matches=1)
    try:
        assert "available" in await player.reply(Info())
        assert await player.reply(start("m1")) == messages.READY
        assert "busy" in await player.reply(Info())
        assert await player.reply(start("m2")) == messages.BUSY
        assert await player.reply(start("m1")) == messages.BUSY
        assert await player.reply(Play("m2", None)) == messages.BUSY
        assert (await player.reply(Play("m1", None))).startswith("(mark ")
        assert await player.reply(Abort("m1")) == messages.ABORTED
        assert await player.reply(Abort("m1")) == messages.ABORTED
        assert await player.reply(start("m2", role="o")) == messages.READY
        assert await player.reply(Play("m2", None)) == "noop"
        assert await player.reply(Stop("m2", None)) == messages.DONE
        assert await player.reply(Stop("m2", None)) == messages.BUSY
        assert "available" in await player.reply(Info())
    finally:
        await player.close()


@pytest.mark.usefixtures("quick")
async def test_a_match_that_nobody_speaks_of_gives_its_place_away(monkeypatch: pytest.MonkeyPatch) -> None:
    player = OurPlayer("composed:RANDOMIZER", "seed", most_matches=1)
    try:
        assert await player.reply(start("m1")) == messages.READY
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 10_000)
        assert "available" in await player.reply(Info())
        assert await player.reply(start("m2")) == messages.READY
        assert await player.reply(Play("m1", None)) == messages.BUSY
    finally:
        monkeypatch.undo()
        await player.close()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("role", "description"),
    [
        ("x", solitaire("(<= (p ?x) on)")),
        ("green", COUNTING),
        ("one", solitaire("(init (n z)) (<= (init (n (s ?x))) (init (n ?x)))")),
        ("one", ""),
    ],
    ids=["unsafe", "role", "endless", "empty"],
)
async def test_games_that_cannot_be_played_find_it_busy(role: str, description: str) -> None:
    player = OurPlayer("composed:RANDOMIZER", "seed")
    try:
        assert await player.reply(start(role=role, description=description)) == messages.BUSY
        assert "available" in await player.reply(Info())
    finally:
        await player.close()


@pytest.mark.usefixtures("quick")
async def test_moves_that_cannot_have_been_leave_it_without_one() -> None:
    player = OurPlayer("composed:RANDOMIZER", "seed")
    try:
        assert await player.reply(start()) == messages.READY
        assert await player.reply(Play("m1", Joint((("mark", "9", "9"), "noop")))) == messages.NIL
        assert await player.reply(Stop("m1", None)) == messages.DONE
    finally:
        await player.close()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("first", [0, 1])
async def test_a_turn_that_is_told_again_is_heard_once(first: int) -> None:
    """In GDL-II turns have numbers, from 0 on or, with some managers, from 1 on."""
    player = OurPlayer("composed:RANDOMIZER", "seed")
    cards = description_text(KIND.library["one-card"])
    dealt = Perceived("noop", (("card", "4"),))
    try:
        assert await player.reply(start(role="first", description=cards)) == messages.READY
        assert await player.reply(Play("m1", None, first)) == "noop"
        said = await player.reply(Play("m1", dealt, first + 1))
        assert said in ("bet", "check")
        assert await player.reply(Play("m1", dealt, first + 1)) == said
    finally:
        await player.close()


@pytest.mark.usefixtures("quick")
async def test_percepts_may_come_alone_as_in_the_oldest_form() -> None:
    player = OurPlayer("composed:RANDOMIZER", "seed")
    cards = description_text(KIND.library["one-card"])
    try:
        assert await player.reply(start(role="first", description=cards)) == messages.READY
        assert await player.answer("(PLAY m1 NIL)") == "noop"
        said = await player.answer("(PLAY m1 ((CARD 4)))")
        assert said in ("bet", "check")
        assert await player.answer(f"(PLAY m1 ((SAYS FIRST {said})))") == "noop"
    finally:
        await player.close()


async def test_who_thinks_too_long_loses_the_decision_to_the_lot_and_goes_on() -> None:
    session = Session(start(), "mcts:simulations=100000", "seed")
    try:
        assert await session.start() == messages.READY
        drawn = await session._decided(["(mark 1 1)", "(mark 2 2)"], until=time.monotonic())
        assert drawn in ("(mark 1 1)", "(mark 2 2)")
        assert drawn == await session._decided(["(mark 1 1)", "(mark 2 2)"], until=time.monotonic())
        assert len(await session._legal(until=time.monotonic() + 120)) == 9
    finally:
        await session.close()


async def test_on_a_seat_of_our_own_manager_it_owns_up() -> None:
    """So that the record tells a late decision of ours as it tells those of strangers."""
    session = Session(start(), "mcts:simulations=100000", "seed", draws_lots=False)
    try:
        with pytest.raises(LapseError, match="no decision in time"):
            await session._decided(["(mark 1 1)", "(mark 2 2)"], until=time.monotonic())
    finally:
        await session.close()


def test_a_reply_is_on_its_way_before_the_clock_has_run_out() -> None:
    assert [thinking_seconds(clock) for clock in (1, 5, 60)] == [0.8, 4.0, 59.0]


# ------------------------------------------------------------------------------------------------------ the port


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (request_bytes("h", "p", "(hello)"), "one of (info …)"),
        (request_bytes("h", "p", "(" * 1_000_000), "more than 100 parentheses are nested"),
        (request_bytes("h", "p", "(INFO)")[:-3] + b"\xff\xff)", "UTF-8"),
        (b"\r\n\r\nHELO me\r\n\r\n", "a POST is expected"),
        (b"POST / HTTP/1.0\r\nContent-Length: 999999999\r\n\r\n", "999999999 bytes are announced"),
    ],
)
async def test_rubbish_is_refused_with_a_sentence(data: bytes, words: str) -> None:
    async with served() as where:
        said = await exchanged(where, data)
        assert said.startswith("HTTP/1.0 400 ") and words in said
        assert "available" in await exchanged(where, request_bytes("h", "p", "(INFO)"))


async def test_who_trickles_a_message_is_sent_away() -> None:
    async with served(read_seconds=0.2) as where:
        assert "no message within 0.2 seconds" in await exchanged(where, b"POST / HTTP/1.0\r\nContent-")


async def test_there_are_places_for_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 2)
    async with served() as where:
        waiting = [await asyncio.open_connection(*where) for _ in range(2)]
        for _, writer in waiting:  # both have been taken as soon as they are answered for half a message
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(IN")
            await writer.drain()
        third, _ = await asyncio.open_connection(*where)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await third.readexactly(1)
        for reader, writer in waiting:
            writer.write(b"FO)")
            assert b"available" in await reader.read()
            writer.close()
