"""The panel of a match: many players decide for the same seat after the same history, and nobody sees which one counts.

A panel follows a match. Asked again later in the same match, it only looks at the moves that are new.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from games.jostle import JostleGame, JostleMove, JostlePosition
from games.protocol import GameError
from games.registry import game as game_named
from npc.decision import Decision, FaultKind
from npc.player import Memory
from npc.players import player
from npc.situation import Seed

PANELS_KEPT: Final = 64

Member = tuple[str, Seed]
"""A strategy's name or a rule base's script, and the seed it plays with."""


class Proposal(TypedDict):
    """What a member would do.

    `move` is None if it cannot be computed here; `fault` says why a rule base lost the decision.
    """

    move: str | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class Panel:
    """A moment of a match as the members remember it: a value."""

    members: tuple[Member, ...]
    position: JostlePosition
    ply: int
    memories: tuple[Memory, ...]

    def after(self, move: JostleMove) -> "Panel":
        """The panel after one more move."""
        memories = tuple(
            player(text).remember(memory, self.position, move)
            for (text, _), memory in zip(self.members, self.memories, strict=True)
        )
        return Panel(self.members, self.position.play(move), self.ply + 1, memories)

    def decisions(self) -> tuple[Decision, ...]:
        """What each member would do in the seat to act. Raises ValueError if no seat is to act."""
        return tuple(
            player(text).decide(self.position, memory, seed, self.ply)
            for (text, seed), memory in zip(self.members, self.memories, strict=True)
        )


def seat_panel(game: JostleGame, members: Sequence[Member]) -> Panel:
    """The panel before the first move. Raises StrategyError."""
    seated = tuple((text, seed) for text, seed in members)
    return Panel(seated, game.start(), 0, tuple(player(text).start_memory() for text, _ in seated))


_followed: Final[OrderedDict[tuple[str, tuple[Member, ...]], tuple[tuple[str, ...], Panel]]] = OrderedDict()

_lock: Final = threading.Lock()


def follow(game: str, history: Sequence[str], members: Sequence[Member]) -> Panel:
    """The panel after `history`, the texts of all moves so far, chance included. Raises GameError, StrategyError."""
    rules = game_named(game)
    if not isinstance(rules, JostleGame):
        raise GameError(f"strategies play jostle, not {game}")
    key = (game, tuple((text, seed) for text, seed in members))
    played = tuple(history)
    with _lock:
        known, panel = _followed.get(key, ((), None))
    if panel is None or played[: len(known)] != known:
        known, panel = (), seat_panel(rules, key[1])
    for text in played[len(known) :]:
        panel = panel.after(rules.move(text))
    with _lock:
        _followed[key] = (played, panel)
        _followed.move_to_end(key)
        if len(_followed) > PANELS_KEPT:
            _followed.popitem(last=False)
    return panel


def propose(game: str, history: Sequence[str], members: Sequence[Member]) -> list[Proposal]:
    """What each member would do in the seat to act after `history`. Raises GameError, StrategyError, ValueError."""
    return [_proposal(decision) for decision in follow(game, history, members).decisions()]


def _proposal(decision: Decision) -> Proposal:
    fault = decision.fault
    missing = fault is not None and fault.kind is FaultKind.NO_ENGINE
    return {"move": None if missing else str(decision.move), "fault": str(fault) if fault else None}
