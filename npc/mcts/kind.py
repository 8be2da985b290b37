"""Search as a kind of players: `mcts:` and what differs from the default personality."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.protocol import Game, Position, Seat
from npc.decision import Decision, Explanation
from npc.mcts.chance import Generator
from npc.mcts.choice import choose
from npc.mcts.parameters import Parameters, read_parameters
from npc.mcts.search import can_search, search
from npc.player import Memory, Player, PlayerError, PlayerKind, Seed, decision_chance

KEY: Final = "mcts"


@dataclass(frozen=True)
class Searcher(Player):
    """Plays what it found best in the games that it played out."""

    heavy = True

    parameters: Parameters

    @cached_property
    def text(self) -> str:
        return f"{KEY}:{self.parameters}"

    @property
    def name(self) -> str:
        return self.text

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # the position is enough
        moves = position.moves(seat)
        if len(moves) == 1:
            return Decision(moves[0], _explain=lambda: Explanation("rules", f"Only {moves[0]} is possible."))
        chance = Generator(decision_chance(seed, ply))
        tried = search(position, seat, self.parameters, chance)
        move, words = choose(tried, self.parameters, chance, at_once=position.acting != (seat,))
        values = tuple((each.move, each.value) for each in tried)
        visits = tuple((each.move, each.visits) for each in tried)
        return Decision(move, values, visits, _explain=lambda: Explanation(self.name, words))


class MctsKind(PlayerKind):
    """Personalities: names of parameters and numbers."""

    key = KEY

    def read(self, body: str, game: Game) -> Searcher:
        if not can_search(game):
            raise PlayerError(f"{game.reference} does not tell what a seat has to reckon with, so nobody can search it")
        return Searcher(read_parameters(body))

    def samples(self, game: Game) -> tuple[str, ...]:
        if not can_search(game):
            return ()
        short = "charge_depth=4"  # enough for checks
        return (
            f"{KEY}:simulations=8 {short}",
            f"{KEY}:simulations=6 rave=400 grave=3 {short} epsilon=0.5 random_error=0.2",
        )
