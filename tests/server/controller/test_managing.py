"""Our manager and strangers: whatever they do, the match goes on and the record says what happened."""

import asyncio
import json
import re
from collections.abc import Callable

import pytest

from games.gdl.controller.messages import Joint, Perceived, Play, Start, Stop, read_message
from games.gdl.game import GdlGame
from games.gdl.game import opened as open_description
from games.protocol import GameError
from games.registry import game as find_game
from server.controller.managing import Manager, Terms, introductions
from server.controller.peers import Remote, address
from tests.games.gdl.sheets import COUNTING, TWO_RULES
from tests.server.controller.strangers import (
    Behaviour,
    Scripted,
    hangs_up,
    never_stops,
    says,
    says_nothing,
    stranger,
    trickles,
)

PATIENT = Terms(start_clock=60, play_clock=60)
HASTY = Terms(start_clock=0, play_clock=0, grace=0.3)
"""For those who would never reply in time."""
OK = b"HTTP/1.0 200 OK\r\n"


def counting() -> GdlGame:
    return open_description(COUNTING)


def white() -> Scripted:
    return Scripted("(say 1)", "NOOP", " ( SAY 3 ) ")


async def test_players_that_behave_are_told_everything_and_get_their_points() -> None:
    one, other = white(), Scripted("noop", "(say 2)", "noop")
    record = await Manager(counting(), [one, other], "m1", PATIENT).run()
    assert list(record.told()) == ["m1: over after 3 turns: white 100, black 50"]
    assert [read_message(written) for written in one.heard[1:]] == [
        Play("m1", None),
        Play("m1", Joint((("say", "1"), "noop"))),
        Play("m1", Joint(("noop", ("say", "2")))),
        Stop("m1", Joint((("say", "3"), "noop"))),
    ]
    start = read_message(other.heard[0])
    assert isinstance(start, Start)
    assert (start.match, start.role, start.start_clock, start.play_clock) == ("m1", "black", 60, 60)
    assert open_description(start.description).seats == ("white", "black")


@pytest.mark.parametrize(
    ("behave", "terms", "sign", "words"),
    [
        (says(OK + b"Content-Length: 4\r\n\r\nbusy"), PATIENT, "IL", "busy"),
        (says(OK + b"Content-Length: 3\r\n\r\nnil"), PATIENT, "IL", "nil"),
        (says(OK + b"\r\n" + b"(" * 5_000), PATIENT, "IL", "no(t ready| move)"),
        (says(OK + b"\r\n(say 7)"), PATIENT, "IL", r"\(say 7\)"),
        (says(b"HTTP/1.0 500 Oops\r\n\r\n"), PATIENT, "CE", "500 Oops"),
        (never_stops, PATIENT, "CE", "more than 65536 bytes"),
        (hangs_up, PATIENT, "CE", "closed before anything was said|connection failed"),
        (says_nothing, HASTY, "TO", "no reply within|not asked any more"),
        (trickles, HASTY, "TO", "no reply within|not asked any more"),
    ],
    ids=["busy", "nil", "parentheses", "illegal", "status", "endless", "hangs-up", "silent", "slow-loris"],
)
async def test_a_stranger_does_not_stop_the_match(behave: Behaviour, terms: Terms, sign: str, words: str) -> None:
    async with stranger(behave) as where:
        record = await Manager(counting(), [white(), Remote(where)], "m1", terms).run()
    assert record.goals == (100, 50)
    assert record.moves[1] == ("noop", ("say", "2"))  # the only legal move, drawn for it
    assert [set(lapses) for lapses in record.lapses] == [{"black"}] * 4
    for lapses in record.lapses:
        assert lapses["black"].sign == sign
    told = list(record.told())
    assert len(told) == 5
    for line in told[:-1]:
        assert line.startswith(("start: black: ", "turn "))
        assert re.search(words, line), line
    assert "(say 2) was drawn instead" in told[2]


async def test_nobody_is_asked_for_ever() -> None:
    async with stranger(says_nothing) as where:
        record = await Manager(counting(), [white(), Remote(where)], "m1", HASTY).run()
    assert [lapses["black"].words.startswith("no reply") for lapses in record.lapses] == [True, True, True, False]
    assert record.lapses[3]["black"].words.startswith("not asked any more after 3 late replies in a row")


async def test_redirections_are_not_followed() -> None:
    visits = 0

    async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal visits
        visits += 1

    async with stranger(visited) as elsewhere:
        away = says(f"HTTP/1.0 302 Found\r\nLocation: {elsewhere}/\r\n\r\n".encode())
        async with stranger(away) as where:
            record = await Manager(counting(), [white(), Remote(where)], "m1", PATIENT).run()
    assert visits == 0
    assert "302 Found" in record.lapses[1]["black"].words


async def test_nobody_at_the_address_is_a_lapse_as_well(unused_tcp_port_factory: Callable[[], int]) -> None:
    where = address(f"http://127.0.0.1:{unused_tcp_port_factory()}")
    record = await Manager(counting(), [white(), Remote(where)], "m1", PATIENT).run()
    assert record.goals == (100, 50)
    assert {lapses["black"].sign for lapses in record.lapses} == {"CE"}


async def test_lots_follow_from_the_seed() -> None:
    async def end_of(seed: str) -> list[object]:
        game = find_game("gdl:tic-tac-toe")
        assert isinstance(game, GdlGame)
        peers = [Scripted(*["resign"] * 9), Scripted(*["resign"] * 9)]
        record = await Manager(game, peers, "m1", PATIENT._replace(seed=seed)).run()
        return list(record.moves)

    assert await end_of("a") == await end_of("a")
    assert await end_of("a") != await end_of("b")


async def test_chance_is_told_as_what_it_drew() -> None:
    player = Scripted("(try small large)")
    record = await Manager(open_description(TWO_RULES), [player], "m1", PATIENT).run()
    ((move,),) = record.moves
    assert isinstance(move, tuple) and move[0] == "try" and set(move[1:]) <= {"yes", "no"}
    assert read_message(player.heard[-1]) == Stop("m1", Joint((move,)))


async def test_in_gdl_ii_everybody_hears_what_it_perceives_and_nothing_else() -> None:
    game = find_game("gdl:one-card")
    assert isinstance(game, GdlGame)
    first, second = Scripted("noop", "bet", "noop"), Scripted("noop", "noop", "fold")
    record = await Manager(game, [first, second], "m1", PATIENT).run()
    deal = record.moves[0][2]
    assert isinstance(deal, tuple)
    assert first.perceived()[:2] == [None, Perceived("noop", (("card", deal[1]),))]
    assert second.perceived()[:2] == [None, Perceived("noop", (("card", deal[2]),))]
    assert f"PLAY m1 1 noop ( (card {deal[1]}) )" in first.heard[2]
    assert not any("deal" in written for written in (*first.heard[1:], *second.heard[1:]))
    assert record.goals == (75, 25, 0)


async def test_a_match_without_end_is_aborted() -> None:
    endless = open_description("(role one) (init on) (legal one (go on)) (legal one (go off)) (<= (next on) (true on)) "
                               "(<= terminal (not (true on))) (goal one 100)")  # fmt: skip
    player = Scripted(*["(go on)"] * 5)
    record = await Manager(endless, [player], "m1", PATIENT._replace(most_turns=5)).run()
    assert list(record.told()) == ["m1: given up after 5 turns: no end within 5 turns"]
    assert player.heard[-1] == "( ABORT m1 )"
    assert record.as_json()["isAborted"] is True


async def test_who_interrupts_a_match_aborts_it() -> None:
    asked = asyncio.Event()

    class Waiting(Scripted):
        async def ask(self, message: str, seconds: float) -> str:  # noqa: ARG002  # it waits for ever
            self.heard.append(message)
            if "PLAY" in message:
                asked.set()
                await asyncio.Event().wait()
            return "ready"

    player = Waiting()
    manager = Manager(open_description(TWO_RULES), [player], "m1", PATIENT)
    running = asyncio.create_task(manager.run())
    await asked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert player.heard[-1] == "( ABORT m1 )"
    assert manager.record.given_up == "it was interrupted"


async def test_the_record_has_the_form_of_the_public_servers() -> None:
    async with stranger(says(OK + b"\r\nnil")) as where:
        record = await Manager(counting(), [white(), Remote(where)], "m1", PATIENT._replace(seed="s")).run()
    found = json.loads(json.dumps(record.as_json()))
    assert found["matchId"] == "m1" and found["randomToken"] == "s"
    assert found["moves"] == [["(say 1)", "noop"], ["noop", "(say 2)"], ["(say 3)", "noop"]]
    assert found["states"][0] == "( (true (control white)) (true (count 0)) )"
    assert len(found["states"]) == len(found["stateTimes"]) == len(found["errors"]) == 4
    assert found["errors"][2][0] == "" and found["errors"][2][1].startswith("IL not legal: 'nil'; (say 2)")
    assert found["isCompleted"] is True and found["goalValues"] == [100, 50]
    assert found["playerNamesFromHost"] == ["scripted", str(where)]


async def test_introductions_are_asked_for_and_not_needed() -> None:
    async with stranger(says(OK + b"\r\n( ( name deep ) ( status available ) )")) as named, stranger(hangs_up) as shy:
        told = await introductions([Remote(named), Remote(shy)])
    assert told[0] == "deep is available"
    assert told[1].startswith("does not introduce itself (")


@pytest.mark.parametrize(
    "written",
    [
        "https://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:70000",
        "http://me@127.0.0.1:1",
        "http://127.0.0.1:1/path",
        "http://127.0.0.1:1\r\nX: y",
        "file:///etc/passwd",
    ],
)
def test_addresses_that_are_none(written: str) -> None:
    with pytest.raises(ValueError, match="http://HOST:PORT"):
        address(written)


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(GameError, match=r"2 players are needed \(white black\), not 1"):
        Manager(counting(), [white()], "m1", PATIENT)
