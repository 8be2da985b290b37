"""Looks at the source of a game that nobody has seen before: what is wrong with it, what its board looks like, whether
it is fast enough to be played beside other matches.

Runs in a process of programs (`Programs.trial`), because nobody knows how long a new source takes and how much it
wants: the process is ended when the time is over, and memory is bounded here. Gives what JSON can carry.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.protocol import OVER, Game, GameError, Position, Remark
from games.registry import KINDS
from npc.shown import shown

MOST_BYTES: Final = 512 * 1024 * 1024
"""What an examination may take beyond what the process has already."""
SLOWEST_SECONDS: Final = 0.3
"""Of computing for one move: everybody else at the server waits as long."""
PLAYING_SECONDS: Final = 6.0
"""Of computing for random games."""
MOST_GAMES: Final = 20
LONGEST_GAME: Final = 500
MOST_REMARKS: Final = 200


class SlowError(Exception):
    """A move took longer than anybody may keep the server."""


class Tried(NamedTuple):
    """What one random game took."""

    plies: int
    seconds: float
    slowest: float


def examine(kind: str, source: str, language: str) -> dict[str, Any]:
    """Remarks, and either why it is `refused` or the game as a page shows it."""
    try:
        with _bounded_memory():
            return _examined(kind, source, language)
    except GameError as error:
        return _refused(str(error), error.remarks)
    except SlowError:
        return _refused(f"a move takes more than {SLOWEST_SECONDS:g} s of computing, and others would wait for it")
    except MemoryError:
        return _refused(f"it takes more than {MOST_BYTES // 1024**2} megabytes of memory")
    except RecursionError:
        return _refused("something in it is nested too deeply")


def _examined(kind: str, source: str, language: str) -> dict[str, Any]:
    game = KINDS[kind].open(source)
    tried = _tried(game)
    games = min(MOST_GAMES, int(PLAYING_SECONDS / max(tried.seconds, 0.001)))
    return {
        "remarks": [remark._asdict() for remark in game.remarks(games)[:MOST_REMARKS]],
        "preview": preview(game, language),
        "games": games,
        "plies": tried.plies,
        "milliseconds": round(1000 * tried.seconds / max(tried.plies, 1), 1),
    }


def preview(game: Game, language: str) -> dict[str, Any]:
    """The game as a table shows it before the first move."""
    start, texts = game.start(), game.texts(language)
    return {
        "card": {
            "reference": game.reference,
            "title": texts.title,
            "board": game.board,
            "letters": list(game.seats),
            "seats": list(texts.seats),
            "setup": game.setup(),
        },
        "start": {
            "position": start.text(),
            "shown": shown(game, start, None),
            "acting": list(start.acting),
            "over": start.to_act == OVER,
        },
    }


def _refused(reason: str, remarks: tuple[Remark, ...] = ()) -> dict[str, Any]:
    return {"refused": reason, "remarks": [remark._asdict() for remark in remarks[:MOST_REMARKS]]}


def _tried(game: Game) -> Tried:
    """One random game, or as much of it as there is time for. Raises SlowError."""
    rng, position, plies = random.Random("examination"), game.start(), 0
    began, slowest = time.process_time(), 0.0
    while position.to_act != OVER and plies < LONGEST_GAME and time.process_time() - began < PLAYING_SECONDS:
        before = time.process_time()
        position = _played(position, rng)
        plies += 1
        slowest = max(slowest, time.process_time() - before)
        if slowest > SLOWEST_SECONDS:
            raise SlowError
    return Tried(plies, time.process_time() - began, slowest)


def _played(position: Position, rng: random.Random) -> Position:
    """After a random move, with everything that a table asks of the position afterwards."""
    moves = position.moves()
    after = position.play(rng.choice(moves) if moves else position.drawn(rng.randrange(position.ways)))
    after.text()
    for seat in after.acting:
        after.view(seat).moves(seat)
    return after


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Whoever wants more than there is gets a MemoryError, and not the whole machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_taken_bytes() + MOST_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _taken_bytes() -> int:
    """What the process has of its own already; where nobody tells, a share of the bound."""
    try:
        status = Path("/proc/self/status").read_text()
        return 1024 * int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmData")))
    except (OSError, StopIteration):
        return MOST_BYTES // 2
