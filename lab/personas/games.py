"""Games that people played, in one form whatever they came from, and checked by playing them again.

A file has a line per match: its rules, who sat where (with the group that somebody named, such as a temperament), and
every move. Everything that is learnt is learnt from some matches and tried on others; a match is never divided.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from games import registry
from games.protocol import CHANCE, OVER, Game, GameError

DESCRIPTIONS: Final = Path(__file__).parent / "descriptions"
"""Rules of games that people were observed in and that are not on the platform's shelf."""


class GamesError(ValueError):
    """Games that cannot be used. The message says which, what was expected and what came."""


@dataclass(frozen=True)
class Player:
    """Who sat at a seat; a program's decisions are played but never learnt from."""

    person: str
    group: str = ""
    human: bool = True


@dataclass(frozen=True)
class HumanGame:
    """A match: its name, its rules, who sat where, and all moves, those of chance included."""

    match: str
    rules: str
    players: tuple[Player, ...]
    moves: tuple[str, ...]


class HumanChoice(NamedTuple):
    """A moment in which a person had a choice."""

    match: str
    ply: int
    player: Player
    seat: int
    position: Any
    moves: tuple[str, ...]
    chosen: int


def rules_of(reference: str) -> Game:
    """The game of a reference, of the shelf or of our own descriptions. Raises GamesError."""
    try:
        if (own := DESCRIPTIONS / f"{reference.removeprefix('gdl:')}.kif").parent == DESCRIPTIONS and own.is_file():
            return registry.open_source("gdl", own.read_text(encoding="utf-8"))
        return registry.game(reference)
    except GameError as error:
        raise GamesError(str(error)) from error


@lru_cache(maxsize=4096)
def decisions(game: HumanGame) -> tuple[HumanChoice, ...]:
    """Every moment in which a person chose among several moves. Raises GamesError if the game cannot be played so."""
    rules = rules_of(game.rules)
    if len(game.players) != len(rules.seats):
        raise GamesError(f"{game.match}: {game.rules} has {len(rules.seats)} seats, not {len(game.players)}")
    position = rules.start()
    found = []
    for ply, text in enumerate(game.moves):
        seat = position.to_act
        if seat == OVER:
            raise GamesError(f"{game.match}: the game is over before move {ply + 1}, {text}")
        try:
            move = rules.move(text)
            if seat != CHANCE and game.players[seat].human:
                moves = tuple(map(str, position.moves(seat)))
                if len(moves) > 1 and str(move) in moves:
                    chosen, view = moves.index(str(move)), position.view(seat)
                    found.append(HumanChoice(game.match, ply, game.players[seat], seat, view, moves, chosen))
            position = position.play(move)
        except GameError as error:
            raise GamesError(f"{game.match}, move {ply + 1}, {text}: {error}") from error
    return tuple(found)


def split(games: Iterable[HumanGame], held_out: float, seed: str) -> tuple[list[HumanGame], list[HumanGame]]:
    """Matches to learn from and matches to try it on: by lot, the same for the same seed whatever else is there."""
    learnt: list[HumanGame] = []
    tried: list[HumanGame] = []
    for game in games:
        lot = int.from_bytes(sha256(f"{seed}:{game.match}".encode()).digest()[:8]) / 2**64
        (tried if lot < held_out else learnt).append(game)
    return learnt, tried


def write_games(file: Path, games: Iterable[HumanGame]) -> None:
    file.write_text("".join(json.dumps(asdict(game)) + "\n" for game in games), encoding="utf-8")


def read_games(file: Path) -> list[HumanGame]:
    """The matches of a file, each under its own name. Raises GamesError."""
    found: dict[str, HumanGame] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            game = _game(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise GamesError(f"{file}, line {number}: expected a match as JSON, not {line[:60]!r}") from None
        if found.setdefault(game.match, game) is not game:
            raise GamesError(f"{file}, line {number}: the match {game.match} stands there twice")
    if not found:
        raise GamesError(f"{file} has no match")
    return list(found.values())


def _game(row: Any) -> HumanGame:
    players = tuple(Player(one["person"], one["group"], one["human"]) for one in row["players"])
    game = HumanGame(row["match"], row["rules"], players, tuple(row["moves"]))
    texts = [game.match, game.rules, *game.moves, *[text for one in players for text in (one.person, one.group)]]
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(one.human, bool) for one in players):
        raise TypeError
    return game
