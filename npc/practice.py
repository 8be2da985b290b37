"""A practice game against two sample strategies, as a pure function of its seed and the moves played so far.

Nothing is kept anywhere: the page sends the whole history along. The same function therefore answers in the browser's
worker and, until that has been loaded, on the server.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from typing import Final, TypedDict

from games import dice
from games.jostle import JOSTLE, JostlePosition, Phase, Piece, effects
from games.protocol import CHANCE, OVER, GameError
from npc.composition import strategy

SAMPLES: Final = (
    "RANDOMIZER",
    "ADVANCER",
    "PALS",
    "EQUALIZER",
    "Observing ADVANCER",
    "Observing PALS",
    "Aggressive ADVANCER",
    "Aggressive Observing EQUALIZER",
    "Revenging Observing ADVANCER",
    "Lingering Observing PALS",
)
YOU: Final = 0
"""The visitor is red and begins, so that there is something to do at once."""

MOST_MOVES: Final = 2_000
"""No game among sensible players comes near it; a page that sends more is refused."""

Step = tuple[int, int, int, str]
"""Piece, from, to, how: the form in which steps travel to pages."""


class Update(TypedDict):
    """A seat's move (or the first die alone), what chance did after it, and where that led."""

    ply: int
    moves: list[str]
    steps: list[Step]
    position: str


class Option(TypedDict):
    """A legal move of a piece with everything it would do."""

    move: str
    steps: list[Step]


class Practice(TypedDict):
    """How the game went on: what was played, and what the visitor may do now."""

    you: int
    strategies: list[str | None]
    updates: list[Update]
    ply: int
    position: str
    legal: list[str]
    options: list[Option]
    scores: list[int]
    winners: list[int]
    over: bool


def advance(seed: str, moves: Sequence[str]) -> Practice:
    """Plays on after `moves` until the visitor has to choose or the game is over.

    `moves` are all moves so far, dice included; the last one may be the visitor's. Raises GameError.
    """
    if len(moves) > MOST_MOVES:
        raise GameError(f"a practice game has at most {MOST_MOVES} moves, not {len(moves)}")
    game = _Game(seed)
    for text in moves:
        game.play(text)
    updates: list[Update] = []
    if game.position.to_act == CHANCE:
        updates.append(game.update(first=max(0, len(moves) - 1), repeat=moves[-1:]))
    while game.position.to_act not in (YOU, OVER) or game.must_pass:
        updates.append(game.update(first=game.ply, repeat=()))
    position = game.position
    return {
        "you": YOU,
        "strategies": [None if player is None else player.name for player in game.players],
        "updates": updates,
        "ply": game.ply,
        "position": position.text(),
        "legal": [str(move) for move in position.moves()],
        "options": options_at(position),
        "scores": list(position.scores()),
        "winners": list(position.winners()),
        "over": position.to_act == OVER,
    }


def options(position: str) -> list[Option]:
    """What each piece move that is legal in the position of this text would do. Raises GameError."""
    return options_at(JOSTLE.position(position))


def options_at(position: JostlePosition) -> list[Option]:
    pieces = [move for move in position.moves() if isinstance(move, Piece)]
    return [{"move": str(move), "steps": steps_of(position, move)} for move in pieces]


def steps_of(position: JostlePosition, move: Piece) -> list[Step]:
    return [(step.piece, step.source, step.target, step.kind.value) for step in effects(position, move.id)]


class _Game:
    """The game while it is played on: position, what the strategies remember, and the dice that the seed gives."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.secret = hashlib.sha256(f"practice:{seed}".encode()).digest()
        drawn = random.Random(f"practice:{seed}").sample(SAMPLES, 2)
        names: list[str | None] = [*drawn]
        names.insert(YOU, None)
        self.players = [None if name is None else strategy(name) for name in names]
        self.memories = [None if player is None else player.start_memory() for player in self.players]
        self.position = JOSTLE.start()
        self.ply = 0

    @property
    def must_pass(self) -> bool:
        return self.position.phase is Phase.MOVE and not any(isinstance(move, Piece) for move in self.position.moves())

    def play(self, text: str) -> list[Step]:
        """Plays a move and gives what it did. A die must be the one that the seed gives."""
        before, move = self.position, JOSTLE.move(text)
        if before.to_act == CHANCE and move != dice.draw(self.secret, self.ply, before.outcomes()):
            raise GameError(f"the die at ply {self.ply} is not a {text}")
        self.position = before.play(move)
        steps = steps_of(before, move) if isinstance(move, Piece) else []
        self.memories = [
            None if player is None or memory is None else player.remember(memory, before, move)
            for player, memory in zip(self.players, self.memories, strict=True)
        ]
        self.ply += 1
        return steps

    def update(self, first: int, repeat: Iterable[str]) -> Update:
        """One seat's move, unless `repeat` names it as already played, and the dice that follow."""
        played = list(repeat)
        steps: list[Step] = []
        if not played and self.position.to_act != CHANCE:
            played.append(self._decision())
            steps = self.play(played[0])
        while self.position.to_act == CHANCE:
            die = str(dice.draw(self.secret, self.ply, self.position.outcomes()))
            self.play(die)
            played.append(die)
        return {"ply": first, "moves": played, "steps": steps, "position": self.position.text()}

    def _decision(self) -> str:
        if self.must_pass:
            return str(self.position.moves()[0])
        seat = self.position.seat
        player, memory = self.players[seat], self.memories[seat]
        assert player is not None and memory is not None, "the visitor decides in the page"
        return str(player.decide(self.position, memory, f"{self.seed}:{seat}", self.ply).move)
