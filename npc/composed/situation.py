"""What an element looks at when it ranks: a seat's view of a position, its moves, and what each would lead to."""

from collections.abc import Mapping
from typing import Any

from games.protocol import CHANCE, OVER, IllegalMoveError, Move, Position, Seat
from npc.mcts import Generator, Parameters, Tried, search
from npc.player import Seed, decision_chance, decision_random


class Situation:
    """A seat that has to choose."""

    __slots__ = ("_after", "_lots", "_ply", "_searched", "_seed", "moves", "position", "seat")

    def __init__(self, position: Position, seat: Seat, seed: Seed, ply: int) -> None:
        self.position = position
        self.seat = seat
        self.moves: tuple[Any, ...] = position.moves(seat)
        """What the elements choose among, in the order of the rules."""
        self._seed = seed
        self._ply = ply
        self._lots: dict[Move, int] | None = None
        self._after: dict[Move, Position | None] = {}
        self._searched: dict[int, Mapping[Move, Tried]] = {}

    def called(self, move: Move) -> str:
        """What an explanation calls a move."""
        return str(move)

    def lot(self, move: Move) -> int:
        """The lot that was drawn for a move: a uniformly random order, so that any tie can be broken fairly.

        Sorted by `random()`, the only method whose numbers Python promises to keep from version to version.
        """
        if self._lots is None:
            source = decision_random(self._seed, self._ply)
            numbers = [source.random() for _ in self.moves]
            order = sorted(range(len(numbers)), key=numbers.__getitem__)
            self._lots = {self.moves[place]: lot for lot, place in enumerate(order)}
        return self._lots[move]

    def after(self, move: Move) -> Position | None:
        """What a move leads to; None if that also depends on what others choose at the same time."""
        if move not in self._after:
            try:
                alone = self.position.acting == (self.seat,)
                self._after[move] = self.position.play(move) if alone else None
            except IllegalMoveError:  # a view in which too much is hidden to be played on
                self._after[move] = None
        return self._after[move]

    def searched(self, simulations: int) -> Mapping[Move, Tried]:
        """What a search of so many games found about each move."""
        if simulations not in self._searched:
            chance = Generator(decision_chance(self._seed, self._ply))
            tried = search(self.position, self.seat, Parameters(simulations=simulations), chance)
            self._searched[simulations] = {each.move: each for each in tried}
        return self._searched[simulations]

    def wins(self, move: Move) -> bool:
        """Whether a move wins at once."""
        after = self.after(move)
        return after is not None and self.seat in after.winners()

    def gives_a_win_away(self, move: Move) -> bool:
        """Whether another seat could win at once after a move."""
        after = self.after(move)
        if after is None or after.to_act in (CHANCE, OVER, self.seat) or after.acting != (after.to_act,):
            return False
        other = after.to_act
        for answer in after.moves(other):
            try:
                end = after.play(answer)
            except IllegalMoveError:
                return False
            if other in end.winners():
                return True
        return False
