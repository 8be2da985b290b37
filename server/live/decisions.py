"""The server's own computation of a program's decision: the same code and seed as in the browsers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import cast

import npc
from games.jostle import JostleMove, JostlePosition
from games.protocol import Game, Position
from npc.players import player
from npc.prolog.rulebase import RuleBase
from server.live.wire import PanelMember
from server.prolog import engine

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
    fault: str | None = None
    """Why the newest decision was lost, if it was: only rule bases lose decisions."""

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
        self.fault = str(decision.fault) if decision.fault else None
        return str(decision.move)


def is_rule_base(text: str) -> bool:
    """Whether a member of a panel is a script rather than the name of a composed strategy."""
    return isinstance(player(text), RuleBase)


def find_player(text: str) -> npc.Player:
    """A composed strategy by its name, or a rule base by its script; the first rule base starts the engine."""
    found = player(text)
    if isinstance(found, RuleBase):
        engine()
    return found


def mind(member: PanelMember, game: Game, find: PlayerFinder = find_player) -> Mind:
    return Mind(find(member.strategy), member.seed, game)
