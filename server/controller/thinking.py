"""A player of ours in a managed match, inside of a process that computes; takes and gives what JSON can carry.

The process has one match. Whoever asks sends everything that the player was told so far; what is known already is not
followed again, and a process that was replaced comes to the same position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

from games.gdl.controller.courses import legal, perceived, told
from games.gdl.controller.messages import Joint, Last, Perceived
from games.gdl.game import KEY, GdlGame
from games.gdl.position import GdlMove, GdlPosition
from games.gdl.syntax import read_term
from games.gdl.terms import text
from games.protocol import OVER, GameError
from games.registry import open_source
from npc.follower import Follower
from npc.player import PlayerError
from npc.players import read_player

Json = dict[str, Any]
Told = Sequence[Any]
"""The turns so far, each as `turn_as_json` writes it."""


def turn_as_json(last: Last, said: str) -> list[Any]:
    """With what the player itself had said, because the oldest form of GDL-II tells percepts alone."""
    match last:
        case Joint(moves):
            return ["joint", said, list(map(text, moves))]
        case Perceived(did, saw):
            return ["perceived", text(did), list(map(text, saw))]
        case None:
            raise ValueError("before the first turn there is nothing to tell")


def begin(description: str, player: str, role: str, seed: str) -> Json:
    """Opens the game: `refused` says why it cannot be played, if so."""
    try:
        _mind(description, player, role, seed)
    except (GameError, PlayerError) as error:
        return {"refused": str(error)}
    return {}


def follow(description: str, player: str, role: str, seed: str, turns: Told) -> Json:
    """The legal moves after these turns, and the points if it is over; `refused` if they cannot have been."""
    try:
        mind = _mind(description, player, role, seed)
        position = mind.follow(turns)
        over = position.to_act == OVER
        moves = [] if over else [text(move) for move in legal(position)[mind.seat]]
        return {"legal": moves, "points": list(position.scores()) if over else None}
    except (GameError, PlayerError) as error:
        return {"refused": str(error)}


def decide(description: str, player: str, role: str, seed: str, turns: Told) -> Json:
    """The move after these turns, and the player's own fault if it has lost the decision."""
    mind = _mind(description, player, role, seed)
    position = mind.follow(turns)
    if mind.seat not in position.acting:
        return {"move": text(legal(position)[mind.seat][0]), "fault": None}
    decision = mind.follower.decide(mind.seat)
    return {"move": str(decision.move), "fault": str(decision.fault) if decision.fault else None}


class Mind:
    """A player that follows what it is told. Raises GameError, PlayerError."""

    def __init__(self, description: str, player: str, role: str, seed: str) -> None:
        game = cast("GdlGame", open_source(KEY, description))
        if role not in game.seats:
            raise GameError(f"there is no role {role[:40]!r}; there are {' '.join(game.seats)}")
        self.game = game
        self.seat = game.seats.index(role)
        self._player = read_player(player, game)
        self._seed = seed
        self._start_again()

    def follow(self, turns: Told) -> GdlPosition:
        """The position after these turns. Raises GameError if there is no way through them."""
        if list(turns[: len(self._known)]) != self._known:
            self._start_again()
        for number in range(len(self._known), len(turns)):
            kind, *rest = turns[number]
            if kind == "joint" and not self.game.table.hides:
                self._go_on(told(self.position, Joint(tuple(map(read_term, rest[1])))).row)
            else:
                self._perceive([_perceived(turn) for turn in turns[: number + 1]])
            self._known.append(turns[number])
        return self.position

    @property
    def position(self) -> GdlPosition:
        return cast("GdlPosition", self.follower.position)

    def _start_again(self) -> None:
        self.follower = Follower(self.game, self._player, self._seed, self.seat)
        self._row: tuple[GdlMove, ...] = ()
        self._known: list[Any] = []

    def _perceive(self, turns: list[Perceived]) -> None:
        """Where another course than the one that was followed fits, the player follows that one from its beginning."""
        if not self.game.table.hides:
            raise GameError("percepts are told only where a description says what roles see")
        row = perceived(self.game.start(), self.seat, self._row, turns)
        if row[: len(self._row)] != self._row:
            known = self._known
            self._start_again()
            self._known = known
        self._go_on(row[len(self._row) :])

    def _go_on(self, row: Sequence[GdlMove]) -> None:
        self.follower.follow(row)
        self._row = (*self._row, *row)


_mind = lru_cache(maxsize=2)(Mind)


def _perceived(turn: Sequence[Any]) -> Perceived:
    _, did, saw = turn
    return Perceived(read_term(did), tuple(map(read_term, saw)))
