"""A practice game against sample players, as a pure function of its seed and the moves played so far.

Nothing is kept anywhere: the page sends the whole history along. The same function therefore answers in the browser's
worker and, until that has been loaded, on the server.
"""

import hashlib
import random
from collections.abc import Sequence
from typing import Final, TypedDict

from games import dice
from games.protocol import CHANCE, OVER, Game, GameError, Position, Seat
from games.registry import game as find_game
from npc.composed import school_of
from npc.composed.composition import KEY as COMPOSED
from npc.follower import Follower
from npc.levels import opponents_at
from npc.player import PlayerError
from npc.players import player
from npc.shown import EventText, Shown, shown, told_events

YOU: Final = 0
"""The visitor has the first seat, so that there is something to do at once."""

MOST_MOVES: Final = 2_000
"""No game among sensible players comes near it; a page that sends more is refused."""


class Update(TypedDict):
    """A seat's move (or what chance did first), what chance did after it, and where that led.

    `moves` are the true ones, to be sent back; `seen` and `events` are what the visitor may know of them. `seats` says
    who made them (-1: chance), `acting` who chooses then.
    """

    ply: int
    moves: list[str]
    seen: list[str]
    seats: list[Seat]
    events: list[EventText]
    position: str
    acting: list[Seat]
    shown: Shown


class Option(TypedDict):
    """A legal move with everything it would do."""

    move: str
    events: list[EventText]


class Practice(TypedDict):
    """How the game went on: what was played, and what the visitor may do now."""

    you: int
    players: list[str | None]
    updates: list[Update]
    ply: int
    position: str
    acting: list[Seat]
    legal: list[str]
    options: list[Option]
    scores: list[int]
    winners: list[int]
    over: bool
    shown: Shown


def advance(
    game: str, seed: str, moves: Sequence[str], opponents: Sequence[str] | None = None, level: str = ""
) -> Practice:
    """Plays on after `moves` until the visitor has to choose or the game is over.

    `moves` are all moves so far, dice included; the last one may be the visitor's. `opponents` are the texts of the
    players in the other seats; without them they are those of a level, or drawn if none is named. Raises GameError,
    PlayerError.
    """
    if len(moves) > MOST_MOVES:
        raise GameError(f"a practice game has at most {MOST_MOVES} moves, not {len(moves)}")
    rules = find_game(game)
    if opponents is None and level:
        opponents = opponents_at(level, rules)
    table = _Table(rules, seed, opponents)
    for text in moves[:-1]:
        table.play(text)
    updates: list[Update] = []
    if moves and table.position.to_act == CHANCE:
        table.play(moves[-1])
    elif moves:
        updates.append(table.update(moves[-1]))
    if table.position.to_act == CHANCE:
        updates.append(table.update(None))
    while not table.waits:
        updates.append(table.update(table.decision()))
    return _told(table, updates)


def example(game: str, decisions: int) -> list[str]:
    """The first moves of a game that programs play, always the same: something to look at. Raises GameError."""
    rules = find_game(game)
    table = _Table(rules, "example", None)
    (first, *_) = _drawn(rules, "example") or [f"{COMPOSED}:{school_of(rules).samples(rules)[0]}"]
    table.followers[YOU] = Follower(rules, player(first, game), f"example:{YOU}", YOU)
    moves: list[str] = []
    while table.position.to_act != OVER and decisions > 0:
        chance = table.position.to_act == CHANCE
        decisions -= not chance
        moves.append(str(dice.draw(table.secret, table.ply, table.position)) if chance else table.decision())
        table.play(moves[-1])
    return moves


def options(game: str, position: str, seat: Seat) -> list[Option]:
    """What each legal move of a seat would do in the view of this text. Raises GameError."""
    return options_at(find_game(game).position(position), seat)


def options_at(view: Position, seat: Seat) -> list[Option]:
    return [{"move": str(move), "events": told_events(view.events(move, seat))} for move in view.moves(seat)]


def _told(table: "_Table", updates: list[Update]) -> Practice:
    view = table.position.view(YOU)
    return {
        "you": YOU,
        "players": table.names,
        "updates": updates,
        "ply": table.ply,
        "position": view.text(),
        "acting": list(view.acting),
        "legal": [str(move) for move in view.moves(YOU)],
        "options": options_at(view, YOU),
        "scores": list(view.scores()),
        "winners": list(view.winners()),
        "over": view.to_act == OVER,
        "shown": shown(table.game, view, YOU),
    }


class _Table:
    """The game while it is played on: who follows it, and the dice that the seed gives."""

    def __init__(self, game: Game, seed: str, opponents: Sequence[str] | None) -> None:
        self.game = game
        self.secret = hashlib.sha256(f"practice:{seed}".encode()).digest()
        self.position: Position = game.start()
        self.ply = 0
        texts = _drawn(game, seed) if opponents is None else opponents
        others = [seat for seat in range(len(game.seats)) if seat != YOU]
        if len(texts) != len(others):
            raise PlayerError(f"{game.reference} is practised with {len(others)} opponents, not {len(texts)}")
        self.followers = {
            seat: Follower(game, player(text, game.reference), f"{seed}:{seat}", seat)
            for seat, text in zip(others, texts, strict=True)
        }

    @property
    def names(self) -> list[str | None]:
        return [self.followers[seat].player.name if seat != YOU else None for seat in range(len(self.game.seats))]

    @property
    def waits(self) -> bool:
        """Whether the visitor has a choice, or all is over."""
        to_act = self.position.to_act
        return to_act == OVER or (to_act == YOU and self.position.forced(YOU) is None)

    def play(self, text: str) -> None:
        """Plays a move. A die must be the one that the seed gives."""
        move = self.game.move(text)
        if self.position.to_act == CHANCE and move != dice.draw(self.secret, self.ply, self.position):
            raise GameError(f"the die at ply {self.ply} is not a {text}")
        self.position = self.position.play(move)
        for follower in self.followers.values():
            follower.see(move, self.position)
        self.ply += 1

    def update(self, chosen: str | None) -> Update:
        """What a seat has chosen, if it was not chance's turn, and the dice that follow."""
        first, played, seen, seats, events = self.ply, [], [], [], []
        while chosen is not None or self.position.to_act == CHANCE:
            text = str(dice.draw(self.secret, self.ply, self.position)) if chosen is None else chosen
            before, move = self.position, self.game.move(text)
            self.play(text)
            played.append(text)
            seen.append(before.seen(move, YOU))
            seats.append(before.to_act)
            events.extend(told_events(before.events(move, YOU)))
            chosen = None
        view = self.position.view(YOU)
        return {
            "ply": first,
            "moves": played,
            "seen": seen,
            "seats": seats,
            "events": events,
            "position": view.text(),
            "acting": list(view.acting),
            "shown": shown(self.game, view, YOU),
        }

    def decision(self) -> str:
        """What the seat to act does: what it must, or what its player wants."""
        seat = self.position.to_act
        forced = self.position.forced(seat)
        return str(self.followers[seat].decide(seat).move if forced is None else forced)


def _drawn(game: Game, seed: str) -> list[str]:
    """The texts of the opponents: all different, as long as there are so many samples."""
    samples, count = school_of(game).samples(game), len(game.seats) - 1
    source = random.Random(f"practice:{seed}")
    names = source.sample(samples, count) if count <= len(samples) else source.choices(samples, k=count)
    return [f"{COMPOSED}:{name}" for name in names]
