"""What every player is, whatever it plays and however it was written.

A player was read for one game from a text `kind:body` (see `npc.players`). It is given what its seat may know: views of
positions and the moves as the seat sees them. Its memory is a value that the caller keeps, a function of that history
alone, and all randomness of a decision comes from `decision_random(seed, ply)` or `decision_chance(seed, ply)`. So the
same history and seed give the same decision everywhere, and anybody can check, replace or explain what somebody else
computed.
"""

import random
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from games.protocol import Game, Move, Position, Seat
from kernels.chance import Chance, seeded
from npc.decision import Decision

Seed = int | str

Memory = Any
"""A hashable value whose inside is the player's own business."""


class PlayerError(ValueError):
    """A text that describes no player of this game. The message says what was expected and what came."""


def decision_random(seed: Seed, ply: int) -> random.Random:
    """The one source of chance of the decision that a player with this seed makes after `ply` moves."""
    return random.Random(f"{seed}:{ply}")


def decision_chance(seed: Seed, ply: int) -> Chance:
    """The same for players that draw many numbers, or that a kernel may stand in for."""
    return seeded(f"{seed}:{ply}")


class Player(ABC):
    """Decides for a seat."""

    repeatable_in_browsers: ClassVar[bool] = True
    """Whether a browser's computation is as good as the server's: its limits are counted, not timed."""
    faults_forfeit: ClassVar[bool] = False
    """Whether a fault loses it the whole game, where results are counted, and not only the decision."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What researchers call it."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The text `kind:body` from which the same player can be read again."""

    @property
    def heavy(self) -> bool:
        """Whether a decision may take long: such players are computed apart from the others."""
        return False

    def start_memory(self) -> Memory:
        """The memory before the first move."""
        return None

    def remember(self, memory: Memory, before: Position, move: Move) -> Memory:  # noqa: ARG002  # most need none
        """The memory after `move`, of any seat or of chance, was played in the position `before`."""
        return memory

    @abstractmethod
    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:
        """A legal move for a seat that is acting; always the same for the same arguments."""

    def leave(self, seed: Seed) -> None:  # noqa: B027  # most keep nothing
        """The game that was played with this seed is over: what was kept for it may go."""


class PlayerKind(ABC):
    """A way of writing players: reads the body of a text into a player of a game."""

    key: ClassVar[str]

    @abstractmethod
    def read(self, body: str, game: Game) -> Player:
        """Raises PlayerError if the body describes no player of this game."""

    def samples(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002  # an offer
        """Texts of some players of this game that show what the kind can do, for checks and practice."""
        return ()
