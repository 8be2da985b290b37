"""A player that follows a match: the one way in which anybody asks a player anything.

Live play, practice, panels, replays, trials and simulations all hand the moves to a follower and ask it to decide. The
follower sees to it that the player gets no more than its seat may know.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.protocol import Game, Move, Position, Seat
from npc.decision import Decision
from npc.player import Memory, Player, Seed


class Moment(NamedTuple):
    """What was known when seats began to choose."""

    position: Position
    memory: Memory
    ply: int


class Follower:
    """A player with its seed in one match.

    In games without secrets everybody knows the same, so one follower can decide for any seat. In games with secrets it
    follows one seat, and `seat` must be given. It follows the match from its first position on, unless it is told that
    it begins later; of what was before it then remembers nothing.
    """

    __slots__ = ("_asked", "game", "memory", "player", "ply", "position", "seat", "seed")

    position: Position
    ply: int

    def __init__(
        self,
        game: Game,
        player: Player,
        seed: Seed,
        seat: Seat | None = None,
        begins: tuple[Position, int] | None = None,
    ) -> None:
        if seat is None and game.secrets:
            raise ValueError(f"in {game.reference} a player follows one seat, because seats know different things")
        self.game = game
        self.player = player
        self.seed = seed
        self.seat = seat
        self.position, self.ply = begins or (game.start(), 0)
        self.memory = player.start_memory()
        self._asked = Moment(self.position, self.memory, self.ply)

    def follow(self, moves: Iterable[Move]) -> None:
        """Moves that were played after those that are known, dice included. Raises GameError."""
        for move in moves:
            self.see(move, self.position.play(move))

    def see(self, move: Move, after: Position) -> None:
        """The same for one move of which somebody knows already where it leads to."""
        before = self.position
        self.position = after
        if self.seat is None or not self.game.secrets:
            self.memory = self.player.remember(self.memory, before, move)
        else:
            self.memory = self.player.remember(self.memory, before.view(self.seat), Seen(before, move, self.seat))
        self.ply += 1
        if not _others_still_choose(before, after):
            self._asked = Moment(after, self.memory, self.ply)

    def catch_up(self, texts: Sequence[str]) -> None:
        """The same for the texts of all moves from the first one on; what is known already is not read again."""
        self.follow([self.game.move(text) for text in texts[self.ply :]])

    def decide(self, seat: Seat | None = None) -> Decision:
        """What the player does in a seat that is acting: its own, or the one that is named.

        Seats that act at once all decide as of the moment in which they began to choose, so it does not matter whether
        the moves of some of them are played already.
        """
        seat = self.seat if seat is None else seat
        if seat is None:
            seat = self.position.to_act
        if seat not in self.position.acting or (self.game.secrets and seat != self.seat):
            raise ValueError(f"seat {seat} does not decide in the position {self.position.view(max(seat, 0)).text()}")
        position, memory, ply = self._asked
        return self.player.decide(position.view(seat), seat, memory, self.seed, ply)


class Seen:
    """A move as one seat saw it: whatever is hidden from the seat is not in here."""

    __slots__ = ("mover", "text")

    def __init__(self, before: Position, move: Move, seat: Seat) -> None:
        self.text = before.seen(move, seat)
        self.mover = before.to_act
        """Who made it, which a view need not tell while several seats choose."""

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and (other.text, other.mover) == (self.text, self.mover)

    def __hash__(self) -> int:
        return hash((self.text, self.mover))


def mover(before: Position, move: Move) -> Seat:
    """Who made a move that a player is told of; CHANCE for chance."""
    return move.mover if isinstance(move, Seen) else before.to_act


def _others_still_choose(before: Position, after: Position) -> bool:
    """Whether the seats that act now have been choosing already in the position before."""
    if before.to_act < 0 or after.to_act < 0:
        return False
    choosing = before.acting
    return len(choosing) > 1 and after.acting == tuple(seat for seat in choosing if seat != before.to_act)
