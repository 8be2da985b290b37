"""The line protocol, version 1: one JSON object per line in, one per line out. docs/programs.md tells it to authors.

A program is greeted once with the game and its seat, and says that it is ready. Then every question carries all that
its seat may know, so that a program need remember nothing. When its input ends, the game is over for it.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from games.protocol import CHANCE, Game, Position, Seat
from npc.decision import FaultKind
from npc.program.host import Allowed, LostError

VERSION: Final = 1
LONGEST_NOTE: Final = 500

Json = dict[str, Any]


def greeting(game: Game, seat: Seat, seed: object, limits: Allowed) -> Json:
    texts = game.texts("en")
    return {
        "type": "game",
        "protocol": VERSION,
        "game": game.reference,
        "title": texts.title,
        "seats": list(game.seats),
        "seat": seat,
        "seed": str(seed),
        "setup": game.setup(),
        "limits": {
            "action_ms": round(limits.action_seconds * 1000),
            "game_ms": round(limits.sweep_seconds * 1000),
            "memory_mb": limits.memory // (1024 * 1024),
        },
    }


def question(number: int, view: Position, seat: Seat, seen: Sequence[tuple[Seat, str]], ply: int, left_ms: int) -> Json:
    """What a program is asked; `seen` are the moves since the last question, as its seat saw them."""
    grid = view.grid(seat)
    return {
        "type": "choose",
        "id": number,
        "ply": ply,
        "seat": seat,
        "position": view.text(),
        "facts": list(view.facts()),
        "grid": None if grid is None else _grid(grid),
        "scores": list(view.scores()),
        "seen": [{"seat": None if mover == CHANCE else mover, "move": move} for mover, move in seen],
        "moves": [str(move) for move in view.moves(seat)],
        "left_ms": left_ms,
    }


def _grid(grid: Any) -> Json:
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "pieces": [{"cell": piece.cell, "sign": piece.sign, "seat": piece.seat} for piece in grid.pieces],
    }


def line(message: Json) -> str:
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"))


def check_ready(answer: str) -> None:
    """Raises LostError unless it is ready for this version."""
    said = _read(answer)
    if said.get("type") != "ready" or said.get("protocol") != VERSION:
        expected = line({"type": "ready", "protocol": VERSION})
        raise LostError(FaultKind.WRONG_ANSWER, f"expected {expected}, but {answer[:200]!r} came")


def chosen(answer: str, number: int, moves: Sequence[str]) -> tuple[int, str]:
    """Which of the moves it takes, and its note. Raises LostError."""
    said = _read(answer)
    if said.get("type") != "move" or said.get("id") != number:
        expected = line({"type": "move", "id": number, "move": "…"})
        raise LostError(FaultKind.WRONG_ANSWER, f"expected {expected}, but {answer[:200]!r} came")
    move, note = said.get("move"), said.get("note", "")
    if not isinstance(move, str) or move not in moves:
        some = ", ".join(moves[:8]) + (", …" if len(moves) > 8 else "")
        raise LostError(FaultKind.WRONG_ANSWER, f"{str(move)[:200]!r} is none of its moves: {some}")
    words = "".join(filter(str.isprintable, note))[:LONGEST_NOTE] if isinstance(note, str) else ""
    return list(moves).index(move), words


def _read(answer: str) -> Json:
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise LostError(FaultKind.WRONG_ANSWER, f"an answer is a JSON object on one line, not {answer[:200]!r}")
    return said
