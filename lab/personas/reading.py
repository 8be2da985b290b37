"""Games from files of many forms into ours: what each form says is turned into rules, players and texts of moves.

Every game is played while it is read, so what comes out can be played again. A game that breaks the rules is an error,
or, where a whole collection is read, is left out and told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.book import BookError, read_book, replay
from games.protocol import OVER, Game, GameError
from lab.personas.games import GamesError, HumanGame, Player, rules_of
from lab.personas.meaning import meant

_HEADER: Final = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_NOISE: Final = re.compile(r"\{[^}]*\}|;[^\n]*|\$\d+|\d+\.+(?!\d)|\b(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1)(?=\s|$)|\*")
_PROPERTY: Final = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:[^\]\\]|\\.)*\])+)")
_PSEUDONYM: Final = re.compile(r"[a-z]+-[a-z]+-\d{4}")
"""How the platform's books name a person; anything else at a seat is a program, or a person whom one replaced."""


class Text(NamedTuple):
    """A file: its name, which also names its matches, what stands in it, and the rules where it does not say."""

    name: str
    content: str
    rules: str


class Draft(NamedTuple):
    """A game as its file writes it."""

    match: str
    players: tuple[Player, ...]
    moves: tuple[str, ...]
    mirrored: bool = False


def read(form: str, text: Text) -> tuple[list[HumanGame], list[str]]:
    """All games that can be played, and for each other one why not. Raises GamesError for no known form."""
    if form not in FORMS:
        raise GamesError(f"there are the forms {', '.join(FORMS)}, not {form[:40]!r}")
    found, refused = [], []
    for one in FORMS[form](text):
        if isinstance(one, HumanGame):
            found.append(one)
            continue
        try:
            found.append(_played(one, rules_of(text.rules), text.rules))
        except GameError as error:
            refused.append(f"{one.match}: {error}")
    return found, refused


def _played(draft: Draft, rules: Game, reference: str) -> HumanGame:
    """Plays what a draft means; what was played after our rules call it over (a longer draw) is left out."""
    position = rules.start()
    moves: list[str] = []
    for number, written in enumerate(draft.moves, start=1):
        if position.to_act == OVER:
            break
        try:
            for move in meant(position, written, mirrored=draft.mirrored):
                moves.append(str(move))
                position = position.play(move)
        except GameError as error:
            raise GameError(f"move {number}: {error}") from error
    players = draft.players or tuple([Player("") for _ in rules.seats])
    return HumanGame(draft.match, reference, players, tuple(moves))


# ------------------------------------------------------------------------------------------------- one form each


def _books(text: Text) -> Iterator[HumanGame]:
    """A book of the platform, as `grintu export --books` writes it: finished matches, each a file."""
    try:
        done = replay(read_book(text.content))
    except BookError as error:
        raise GamesError(f"{text.name}: {error}") from error
    seats = [name.strip() for name in done.book.header("Seats").split(",")]
    if len(seats) != len(done.game.seats):
        seats = [""] * len(done.game.seats)
    players = tuple([Player(name, human=bool(_PSEUDONYM.fullmatch(name))) for name in seats])
    name = done.book.header("Match", text.name)
    yield HumanGame(name, done.game.reference, players, tuple(map(str, done.moves)))


def _tagged(text: Text) -> Iterator[Draft]:
    """PDN and PGN: headers in brackets, then moves with numbers, comments and a result. `WhiteGroup` names a group."""
    blocks = re.split(r"(?:^|\n)(?=\[Event\b)", text.content.replace("\r", ""))
    for number, block in enumerate([block for block in blocks if block.strip()], start=1):
        tags = dict(_HEADER.findall(block))
        is_draughts = tags.get("GameType") == "21" or text.name.endswith("pdn")
        sides = ("Black", "White") if is_draughts else ("White", "Black")
        players = tuple([Player(tags.get(side, ""), tags.get(f"{side}Group", "")) for side in sides])
        moves = _NOISE.sub(" ", _HEADER.sub(" ", block)).split()
        yield Draft(f"{text.name}:{number}", players, tuple(moves))


def _sgf(text: Text) -> Iterator[Draft]:
    """Nodes with B[..] and W[..]: two letters (column, and row from above, if SZ tells the size) or any move's text."""
    for number, tree in enumerate(re.split(r"\(\s*(?=;)", text.content)[1:], start=1):
        tags: dict[str, str] = {}
        moves = []
        for key, values in _PROPERTY.findall(tree):
            value = values.strip()[1:-1]
            if key in ("B", "W"):
                moves.append(value)
            else:
                tags[key] = value
        rows = int(tags["SZ"].split(":")[-1]) if tags.get("SZ", "").split(":")[-1].isdigit() else 0
        players = (Player(tags.get("PB", ""), tags.get("BT", "")), Player(tags.get("PW", ""), tags.get("WT", "")))
        yield Draft(f"{text.name}:{number}", players, tuple(_from_above(move, rows) for move in moves))


def _from_above(move: str, rows: int) -> str:
    if rows and re.fullmatch(r"[a-z]{2}", move):
        return f"{move[0]}{rows - (ord(move[1]) - ord('a'))}"
    return move


def _tiltyard(text: Text) -> Iterator[Draft]:
    """A match of the public servers of described games: joint moves, of which those count whose seat chooses."""
    try:
        match = json.loads(text.content)
        joints = [[str(move) for move in joint] for joint in match["moves"]]
        name = str(match["matchId"])
        humans = match.get("isPlayerHuman") or []
        names = match.get("playerNamesFromHost") or []
    except (ValueError, TypeError, KeyError) as error:
        raise GamesError(f"{text.name}: expected the JSON of a match with matchId and moves, {error!r}") from None
    rules = rules_of(text.rules)
    seats = len(rules.seats)
    persons = [*map(str, names), *[""] * seats][:seats]
    are_human = [*map(bool, humans), *[False] * seats][:seats]
    players = [Player(each, human=human) for each, human in zip(persons, are_human, strict=True)]
    position = rules.start()
    moves: list[str] = []
    for joint in joints:
        if position.to_act == OVER:
            break
        for seat in position.acting:
            try:
                move = meant(position, joint[seat])[0]
                position = position.play(move)
            except (GameError, IndexError) as error:
                raise GamesError(f"{text.name}, turn {len(moves) + 1}: {error}") from error
            moves.append(str(move))
    yield Draft(name, tuple(players), tuple(moves))


def _lines(text: Text) -> Iterator[Draft]:
    """A game per line: moves with spaces between them, perhaps a tab and a result; draughts on mirrored squares."""
    for number, line in enumerate(text.content.splitlines(), start=1):
        if line.strip():
            yield Draft(f"{text.name}:{number}", (), tuple(line.split("\t")[0].split()), mirrored=True)


def _masks(text: Text) -> Iterator[Draft]:
    """A row per move on nine columns: both sides' squares and the move as bits, colour, time, fold, person.

    Rows follow each other in a match; where the squares are not those after the last move, a new match begins.
    """
    rows = [row.split() for row in text.content.splitlines() if row.strip()]
    try:
        games = list(_matches([(int(row[0]), int(row[1]), row[2] == "Black", int(row[3]), row[6]) for row in rows]))
    except (ValueError, IndexError):
        raise GamesError(f"{text.name}: expected rows of black, white, colour, move, time, fold, person") from None
    for number, game in enumerate(games, start=1):
        persons = {is_black: person for is_black, _, person in game}
        players = tuple([Player(persons.get(is_black, "")) for is_black in (True, False)])
        cells = [divmod(move.bit_length() - 1, 9) for _, move, _ in game]
        moves = tuple([f"(mark {column + 1} {row + 1})" for row, column in cells])
        yield Draft(f"{text.name}:{number}", players, moves)


def _matches(rows: Iterable[tuple[int, int, bool, int, str]]) -> Iterator[list[tuple[bool, int, str]]]:
    game: list[tuple[bool, int, str]] = []
    expected = (-1, -1)
    for black, white, is_black, move, person in rows:
        if (black, white) != expected and game:
            yield game
            game = []
        game.append((is_black, move, person))
        expected = (black | move, white) if is_black else (black, white | move)
    if game:
        yield game


FORMS: Final[dict[str, Callable[[Text], Iterator[Any]]]] = {
    "book": _books,
    "pdn": _tagged,
    "pgn": _tagged,
    "sgf": _sgf,
    "tiltyard": _tiltyard,
    "lines": _lines,
    "masks": _masks,
}
"""By the name that the command line takes."""


def read_file(form: str, file: Path, rules: str) -> tuple[list[HumanGame], list[str]]:
    return read(form, Text(file.name, file.read_text(encoding="utf-8"), rules))
