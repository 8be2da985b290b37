"""Who takes part in a tournament: players by their texts, and whoever else is entered here.

An entrant is a text. What comes before its first colon says who opens it; whatever is not entered in ENTRANTS is read
as a player (`npc.players`). Programs of other people, wherever they run, come in by one more line there: whoever plays
the challenges imports the module that writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from npc.follower import Follower
from npc.players import read_player

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.protocol import Game, Move, Position, Seat
    from npc.player import Player


class Forfeit(Exception):  # noqa: N818 - the name says what happened
    """Somebody broke a rule of the tournament and loses the match. The message says to everybody what it was."""


class Contestant(Protocol):
    """Somebody on one seat of one match."""

    def decide(self) -> Move:
        """A legal move of its seat. Raises Forfeit for whoever cannot, or takes too long."""

    def see(self, move: Move, after: Position) -> None:
        """A move was played, of any seat or of chance; those who choose at once see moves when all have chosen."""


Opener = Callable[["Game", str, str, "Seat"], AbstractContextManager[Contestant]]
"""Game, entrant, seed and seat → the contestant for as long as the match lasts."""

ENTRANTS: Final[dict[str, Opener]] = {}
"""Kinds of entrants that are no players of `npc`, by what stands before the colon."""


class _Player:
    """A player of `npc` on a seat."""

    def __init__(self, game: Game, player: Player, seed: str, seat: Seat) -> None:
        self.player = player
        self.follower = Follower(game, player, seed, seat)
        self.see = self.follower.see

    def decide(self) -> Move:
        decision = self.follower.decide()
        if decision.fault is not None and self.player.faults_forfeit:
            raise Forfeit(decision.fault.kind.value)  # what it said besides is for its author, not for everybody
        move: Move = decision.move
        return move


@contextmanager
def _player(game: Game, text: str, seed: str, seat: Seat) -> Iterator[Contestant]:
    player = read_player(text, game)
    try:
        yield _Player(game, player, seed, seat)
    finally:
        player.leave(seed)


def seated(game: Game, entrant: str, seed: str, seat: Seat) -> AbstractContextManager[Contestant]:
    """The entrant on a seat. Raises PlayerError for a text that nobody can read."""
    return ENTRANTS.get(entrant.partition(":")[0], _player)(game, entrant, seed, seat)


def check_entrant(game: Game, entrant: str) -> None:
    """Raises PlayerError if the text is that of nobody who plays this game."""
    if entrant.partition(":")[0] not in ENTRANTS:
        read_player(entrant, game)
