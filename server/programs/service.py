"""Asks programs for their decisions: `app.state.programs`, one per server process.

Cheap players, heavy ones, what strangers wrote (`UPLOADED`), those whom researchers ask about matches of the past,
those who are tried out and those whom visitors practise with think in different processes, so that none of them delays
the others. A match stays with one process, which has followed it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, Self, TypeVar

from npc.decision import FaultKind
from npc.players import player
from npc.rules import opened
from server.base.errors import N_, Unavailable
from server.programs import minds
from server.programs.asking import Along, Ask, TookTooLong, WaitedTooLong
from server.programs.thinker import Question, Thinker

DECISION_SECONDS: Final = 8.0
"""Far above what any player of ours needs, and below what people wait for at a table."""
LONG_SECONDS: Final = 120.0
"""For whole matches."""
TRIAL_SECONDS: Final = 60.0
"""For the trial of what a researcher has just written; waiting for others' trials included, twice as long."""
MOST_TRIALS: Final = 4
"""That wait or run in a process; whoever comes then is asked to come again."""
VISIT_SECONDS: Final = 20.0
"""For a visitor's practice game until it is the visitor's turn again: opponents may decide many times."""
MOST_VISITS: Final = 16
"""Visitors whose answers wait or run in a process; the next is asked to come again."""
REST_SECONDS: Final = 600.0
"""Who starts again after a rest is late."""
LATE_ALLOWED: Final = 3
"""A player that was too late so often in a match is not asked any more in it."""
LATE_KEPT: Final = 1000
UPLOADED: Final = frozenset({"prolog", "program"})
"""Kinds of players that are code of strangers: within its limits it may still be as slow as it likes."""
MOST_UPLOADED: Final = 2
"""Processes for them, however many there are for heavy players: each may hold what scripts remember."""

T = TypeVar("T")


class Programs:
    """Use as an asynchronous context manager. Processes start when they are needed."""

    def __init__(self, light: int = 1, heavy: int = 2, seconds: float = DECISION_SECONDS) -> None:
        self._light = [Thinker("light") for _ in range(light)]
        self._heavy = [Thinker("heavy", REST_SECONDS) for _ in range(heavy)]
        self._uploaded = [
            Thinker("uploaded", REST_SECONDS, ends_given_up=True) for _ in range(min(heavy, MOST_UPLOADED))
        ]
        self._apart = Thinker("apart", REST_SECONDS)
        self._trials = Thinker("trial", REST_SECONDS)
        self._visits = Thinker("visits", REST_SECONDS)
        self._trying = 0
        self._visiting = 0
        self._seconds = seconds
        self._late: OrderedDict[tuple[int, str], int] = OrderedDict()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        thinkers = (*self._light, *self._heavy, *self._uploaded, self._apart, self._trials, self._visits)
        await asyncio.gather(*(thinker.stop() for thinker in thinkers))

    def wake(self, asks: Iterable[tuple[str, str, str]]) -> None:
        """Let the processes start in which players think, named by text, game and source, because a match begins."""
        for thinker in {thinker: None for ask in asks for thinker in (*self._light, *self._group(*ask))}:
            thinker.wake()

    def _group(self, text: str, game: str, source: str) -> list[Thinker]:
        if text.partition(":")[0] in UPLOADED:
            return self._uploaded
        return self._heavy if is_heavy(text, game, source) else self._light

    async def decide(self, ask: Ask) -> dict[str, Any]:
        """What the player decides, as npc.decision.Decision.as_json tells it; a player's own faults stand in it.

        Whoever takes too long gets a legal move by lot, with a fault; so long is also what whoever asked did not wait
        for any more, and cancelled. Raises ProgramsError if the computing itself
        broke twice.
        """
        place = (ask.match, ask.player)
        if self._late.get(place, 0) >= LATE_ALLOWED:
            return await self._lots(ask, FaultKind.OUT, f"too late {LATE_ALLOWED} times in this match")
        group = self._group(ask.player, ask.game, ask.source)
        texts, rest = (ask.source, ask.player), (ask.match, ask.game, ask.seed)
        question = _question(minds.decide, texts, (*rest, *_where(ask)), self._seconds)
        try:
            decided: dict[str, Any] = await group[ask.match % len(group)].ask(question)
            return decided
        except asyncio.CancelledError:
            if group is self._uploaded and question.was_late:
                self._was_late(place)
            raise
        except WaitedTooLong as late:
            return await self._lots(ask, FaultKind.LIMIT, str(late))
        except TookTooLong as late:
            self._was_late(place)
            return await self._lots(ask, FaultKind.LIMIT, str(late))

    def _was_late(self, place: tuple[int, str]) -> None:
        self._late[place] = self._late.pop(place, 0) + 1
        if len(self._late) > LATE_KEPT:
            self._late.popitem(last=False)

    async def decide_along(self, along: Along) -> list[dict[str, Any]]:
        """What the player would have decided at each of the moments. Raises ProgramsError."""
        texts = (along.source, along.player)
        rest = (along.game, along.seed, along.seat, along.moments, along.moves)
        return await self._put(self._apart, minds.decide_along, texts, rest, LONG_SECONDS)

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """What a function of a module gives, computed where it delays no match; in and out goes what JSON can carry.

        Raises ProgramsError if it raised twice.
        """
        return await self._put(self._apart, function, (), arguments, LONG_SECONDS)

    async def trial(self, function: Callable[..., T], *arguments: Any, seconds: float = TRIAL_SECONDS) -> T:
        """The same for what nobody knows yet: in a process of its own, where it delays neither matches nor viewers.

        Raises TookTooLong, and Unavailable if too many wait already.
        """
        if self._trying >= MOST_TRIALS:
            raise Unavailable(N_("Too many are being tried out just now. Please try again in a minute."))
        self._trying += 1
        try:
            async with asyncio.timeout(2 * TRIAL_SECONDS):
                return await self._put(self._trials, function, (), arguments, seconds)
        except TimeoutError as late:
            raise WaitedTooLong("no turn in time") from late
        finally:
            self._trying -= 1

    async def visit(self, function: Callable[..., T], source: str, *arguments: Any) -> T:
        """The same for anybody who comes: what many ask at once is refused, and nobody else waits for them.

        The function gets the source of the rules first, which a process is told only once. Raises TookTooLong, and
        Unavailable if too many wait already.
        """
        if self._visiting >= MOST_VISITS:
            raise Unavailable(N_("Too many are practising just now. Please try again in a minute."))
        self._visiting += 1
        try:
            return await self._put(self._visits, function, (source,), arguments, VISIT_SECONDS)
        finally:
            self._visiting -= 1

    async def _lots(self, ask: Ask, kind: FaultKind, reason: str) -> dict[str, Any]:
        thinker = self._light[ask.match % len(self._light)]
        return await self._put(
            thinker, minds.draw_lots, (ask.source, reason), (ask.game, kind.value, ask.seed, *_where(ask))
        )

    async def _put(
        self,
        thinker: Thinker,
        function: Callable[..., T],
        texts: tuple[str, ...],
        arguments: tuple[Any, ...],
        seconds: float | None = None,
    ) -> T:
        answer: T = await thinker.ask(_question(function, texts, arguments, seconds or self._seconds))
        return answer


def _question(
    function: Callable[..., Any], texts: tuple[str, ...], arguments: tuple[Any, ...], seconds: float
) -> Question:
    return Question(f"{function.__module__}:{function.__qualname__}", texts, arguments, seconds)


def _where(ask: Ask) -> tuple[int | None, int, str]:
    return ask.seat, ask.asked, minds.joined(ask.moves)


@lru_cache(maxsize=1024)
def is_heavy(text: str, game: str, source: str) -> bool:
    """Whether the player of a text thinks apart from the cheap ones. Raises PlayerError, GameError."""
    opened(game, source)
    return player(text, game).heavy
