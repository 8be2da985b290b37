"""Looking ahead as a kind of players: `minimax:` and a budget, `nodes=5000` unless another is named."""

import re
from dataclasses import dataclass
from typing import Final

from games.protocol import Game, Position, Seat
from npc.decision import Decision, Explanation
from npc.minimax.search import look_ahead
from npc.player import Memory, Player, PlayerError, PlayerKind, Seed

KEY: Final = "minimax"
DEFAULT: Final = 5000
LEAST, MOST = 1, 1_000_000
_BODY: Final = re.compile(r"nodes=(\d{1,7})", re.ASCII)


@dataclass(frozen=True)
class Minimax(Player):
    """Plays what is best if all others play against it as well as they can."""

    nodes: int

    heavy = True

    @property
    def text(self) -> str:
        return f"{KEY}:" if self.nodes == DEFAULT else f"{KEY}:nodes={self.nodes}"

    @property
    def name(self) -> str:
        return self.text

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # no chance in it
        moves = position.moves(seat)
        if len(moves) == 1:
            return Decision(moves[0], _explain=lambda: Explanation("rules", f"Only {moves[0]} is possible."))
        values, depth, nodes = look_ahead(position, seat, self.nodes)
        ranked = sorted(moves, key=lambda move: -values[move])  # stable: then the order of the rules
        best, second = ranked[0], ranked[1]
        words = f"Looked {depth} moves ahead over {nodes} positions; {best} is worth {values[best]:.0f} of 100, "
        words += f"the next best, {second}, {values[second]:.0f}."
        return Decision(best, tuple((m, values[m]) for m in moves), _explain=lambda: Explanation(self.name, words))


class MinimaxKind(PlayerKind):
    """A budget."""

    key = KEY

    def read(self, body: str, game: Game) -> Minimax:
        if game.secrets:
            raise PlayerError(f"{game.reference} has secrets, and looking ahead needs positions that are open to all")
        found = _BODY.fullmatch(body)
        nodes = DEFAULT if not body else int(found[1]) if found else 0
        if not LEAST <= nodes <= MOST:
            raise PlayerError(f"{KEY} takes nodes=NUMBER with a number from {LEAST} to {MOST}, not {body[:40]!r}")
        return Minimax(nodes)

    def samples(self, game: Game) -> tuple[str, ...]:
        return () if game.secrets else (f"{KEY}:nodes=20",)
