"""A manager of matches: asks every player, replaces what comes late or is illegal, and writes everything down.

Nothing that a player says or fails to say ends a match. A move that cannot be used is replaced by a legal one, drawn by
lot from the seed; whoever was late several times in a row is not waited for any more.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

from games.dice import draw
from games.gdl.controller import messages
from games.gdl.controller.courses import Played, legal, played
from games.gdl.controller.messages import Abort, Joint, Last, Perceived, Play, Start, Stop
from games.gdl.controller.record import ILLEGAL, LATE, Lapse, Lapses, Record
from games.gdl.game import GdlGame
from games.gdl.position import GdlMove, GdlPosition
from games.gdl.terms import Term, text
from games.protocol import OVER, GameError, NotationError
from server.controller.peers import LapseError, Peer

INFO_SECONDS: Final = 3.0
STOP_SECONDS: Final = 5.0
GRACE_SECONDS: Final = 1.0
"""Besides a clock, for the way."""
LATE_ALLOWED: Final = 3
MOST_TURNS: Final = 1_000


class Terms(NamedTuple):
    """What holds in a match for everybody."""

    start_clock: int
    play_clock: int
    seed: str = "0"
    most_turns: int = MOST_TURNS
    grace: float = GRACE_SECONDS


async def introductions(peers: Sequence[Peer], seconds: float = INFO_SECONDS) -> list[str]:
    """Who they say they are, in words, by seat."""
    replies = await asyncio.gather(*(_asked(peer, messages.Info(), seconds) for peer in peers))
    return [_introduced(reply) for reply in replies]


class Manager:
    """One match of a game."""

    def __init__(self, game: GdlGame, peers: Sequence[Peer], match: str, terms: Terms) -> None:
        if len(peers) != len(game.seats):
            raise GameError(f"{len(game.seats)} players are needed ({' '.join(game.seats)}), not {len(peers)}")
        self._game = game
        self._peers = peers
        self._terms = terms
        self._late = [0] * len(peers)
        self._dice = hashlib.sha256(terms.seed.encode()).digest()
        self._plies = 0
        self.record = Record(
            match,
            game.reference,
            terms.seed,
            game.table.reasoner.roles,
            dict(zip(game.seats, [peer.name for peer in peers], strict=True)),
            terms.start_clock,
            terms.play_clock,
            _now_ms(),
        )

    async def run(self) -> Record:
        """Plays until the end. A match that cannot go on, or is cancelled, is aborted and the record says why."""
        record = self.record
        try:
            await self._start()
            position, last = await self._turns()
            if position.to_act != OVER:
                record.given_up = f"no end within {self._terms.most_turns} turns"
            else:
                record.goals = self._game.table.reasoner.goals(position.state)
                await self._tell([Stop(record.match, told, _number(told, record)) for told in last])
        except GameError as error:
            record.given_up = f"the rules cannot be computed: {error}"
        except asyncio.CancelledError:
            record.given_up = "it was interrupted"
            await self._tell([Abort(record.match)] * len(self._peers))
            raise
        if record.goals is None:
            await self._tell([Abort(record.match)] * len(self._peers))
        return record

    async def _start(self) -> None:
        terms, rules = self._terms, messages.description_text(self._game.source)
        starts = [
            Start(self.record.match, role, rules, terms.start_clock, terms.play_clock) for role in self._game.seats
        ]
        replies = await self._ask(starts, terms.start_clock)
        lapses = {}
        for role, reply in zip(self._game.seats, replies, strict=True):
            if isinstance(reply, Lapse):
                lapses[role] = reply
            elif reply.strip().lower() != messages.READY:
                lapses[role] = Lapse(ILLEGAL, f"not ready: {_shown(reply)}")
        self.record.lapses.append(lapses)

    async def _turns(self) -> tuple[GdlPosition, list[Last]]:
        record, position = self.record, self._game.start()
        last: list[Last] = [None] * len(self._peers)
        self._note(position)
        while position.to_act != OVER and len(record.moves) < self._terms.most_turns:
            number = len(record.moves) if self._game.table.hides else None
            replies = await self._ask([Play(record.match, told, number) for told in last], self._terms.play_clock)
            chosen, lapses = self._judged(position, replies)
            done = played(position, chosen, self._drawn)
            self._plies += len(done.row)
            position = done.after
            record.moves.append(done.joint)
            record.lapses.append(lapses)
            self._note(position)
            last = list(self._told(done))
        return position, last

    def _judged(self, position: GdlPosition, replies: Iterable[str | Lapse]) -> tuple[list[Term], Lapses]:
        """What every seat plays, and what could not be used."""
        chosen: list[Term] = []
        lapses: Lapses = {}
        for role, reply, possible in zip(self._game.seats, replies, legal(position), strict=True):
            move = _move(reply, possible)
            if isinstance(move, Lapse):
                lot = random.Random(f"{self._terms.seed}:{role}:{len(self.record.moves)}")
                chosen.append(lot.choice(possible))
                lapses[role] = move._replace(words=f"{move.words}; {text(chosen[-1])} was drawn instead")
            else:
                chosen.append(move)
        return chosen, lapses

    def _drawn(self, position: GdlPosition, after: int) -> GdlMove:
        return cast("GdlMove", draw(self._dice, self._plies + after, position))

    def _told(self, done: Played) -> Iterable[Last]:
        """What each seat hears of a turn."""
        if not self._game.table.hides:
            return [Joint(done.joint)] * len(self._peers)
        return [Perceived(*memories[-1]) for memories in done.after.memories]

    def _note(self, position: GdlPosition) -> None:
        self.record.states.append(position.state)
        self.record.times_ms.append(_now_ms())

    async def _ask(self, questions: Sequence[messages.Message], clock: int) -> list[str | Lapse]:
        seconds = clock + self._terms.grace
        replies = await asyncio.gather(
            *(
                _asked(peer, question, seconds) if self._late[seat] < LATE_ALLOWED else _not_waited_for()
                for seat, (peer, question) in enumerate(zip(self._peers, questions, strict=True))
            )
        )
        for seat, reply in enumerate(replies):
            if self._late[seat] < LATE_ALLOWED:
                late = isinstance(reply, Lapse) and reply.sign == LATE
                self._late[seat] = self._late[seat] + 1 if late else 0
        return replies

    async def _tell(self, news: Sequence[messages.Message]) -> None:
        """What needs no reply; some players give none."""
        pairs = zip(self._peers, news, strict=True)
        await asyncio.gather(
            *(_asked(peer, each, min(STOP_SECONDS, self._terms.play_clock + 1)) for peer, each in pairs)
        )


async def _asked(peer: Peer, message: messages.Message, seconds: float) -> str | Lapse:
    try:
        return await peer.ask(messages.write_message(message), seconds)
    except LapseError as error:
        return error.lapse


async def _not_waited_for() -> Lapse:
    return Lapse(LATE, f"not asked any more after {LATE_ALLOWED} late replies in a row")


def _move(reply: str | Lapse, possible: Sequence[Term]) -> Term | Lapse:
    if isinstance(reply, Lapse):
        return reply
    try:
        move = messages.read_move(reply)
    except NotationError:
        return Lapse(ILLEGAL, f"no move: {_shown(reply)}")
    return move if move in possible else Lapse(ILLEGAL, f"not legal: {_shown(reply)}")


def _introduced(reply: str | Lapse) -> str:
    if isinstance(reply, Lapse):
        return f"does not introduce itself ({reply.words})"
    name, status = messages.read_introduction(reply)
    return " ".join([part for part in (name, f"is {status}" if status else "") if part]) or f"says {_shown(reply)}"


def _number(last: Last, record: Record) -> int | None:
    return len(record.moves) if isinstance(last, Perceived) else None


def _shown(reply: str) -> str:
    """What a stranger said, for a terminal and a file."""
    return repr(reply[:60])


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
