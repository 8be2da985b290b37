"""The server's own computation of a program's decision: the same code and seed as in the browsers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

import npc
from games.jostle import JostleMove, JostlePosition
from games.protocol import Game, Position
from npc.players import player
from npc.prolog.rulebase import RuleBase
from server.live.wire import PanelMember
from server.prolog import WasmtimeHost, start_engine

PlayerFinder = Callable[[str], npc.Player]
"""Gives the player of a name; raises for a name that nobody has."""


@dataclass(slots=True)
class Mind:
    """A member of the panel following one match: its memory is a function of the moves alone."""

    player: npc.Player
    seed: str
    game: Game
    ply: int = 0
    position: Position = field(init=False)
    memory: Hashable = field(init=False)

    def __post_init__(self) -> None:
        self.position = self.game.start()
        self.memory = self.player.start_memory()

    def decide(self, moves: Sequence[str]) -> str:
        """The text of its move after `moves`, dice included."""
        for text in moves[self.ply :]:
            move = self.game.move(text)
            before = cast("JostlePosition", self.position)
            self.memory = self.player.remember(self.memory, before, cast("JostleMove", move))
            self.position = self.position.play(move)
            self.ply += 1
        decision = self.player.decide(cast("JostlePosition", self.position), self.memory, self.seed, self.ply)
        return str(decision.move)


def find_player(text: str) -> npc.Player:
    """A composed strategy by its name, or a rule base by its script; the first rule base starts the engine."""
    found = player(text)
    if isinstance(found, RuleBase):
        _engine()
    return found


@cache
def _engine() -> WasmtimeHost:
    return start_engine()


def mind(member: PanelMember, game: Game, find: PlayerFinder = find_player) -> Mind:
    return Mind(find(member.strategy), member.seed, game)
