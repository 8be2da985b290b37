"""Programs to begin with, one for each language, made from a game's own texts and a question that it really asks.

Each is whole: it plays a legal move at random until its author fills in `choose`.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill
from typing import Final

from games.protocol import CHANCE, OVER, Game, Position
from npc.program.protocol import question

HERE: Final = Path(__file__).parent
NAMES: Final = {"python": "program.py", "javascript": "program.js", "java": "Program.java", "cpp": "program.cpp"}
"""The languages that have a template, and what its file is called."""
LONGEST_PIECE: Final = 100
MOST_PIECES: Final = 12
WIDTH: Final = 100


def template(language: str, game: Game) -> str:
    """A program of this game in a language of NAMES."""
    source = (HERE / f"{language}.txt").read_text(encoding="utf-8")
    return source.replace("@ABOUT@", _harmless(_about(game, NAMES[language])))


def _about(game: Game, file: str) -> str:
    texts = game.texts("en")
    seats = ", ".join(f"{number} is {name}" for number, name in enumerate(texts.seats))
    parts = [
        f"A player of {texts.title} ({game.reference}).",
        texts.goal,
        f"Seats: {seats}.",
        "A question, shortened:",
    ]
    asked = json.dumps(_shortened(_example(game)), ensure_ascii=False, indent=1)
    try_it = f"Try it:\n    grintu program try {file} --game {game.reference}"
    return "\n\n".join([*(fill(part, WIDTH) for part in parts if part), asked, try_it])


def _example(game: Game) -> object:
    """The first question of a game in which there is something to choose; chance does what it lists first."""
    position: Position = game.start()
    for ply in range(100):
        if position.to_act == OVER:
            break
        if position.to_act == CHANCE:
            position = position.play(position.drawn(0))
            continue
        seat = position.to_act
        if len(position.moves(seat)) > 1:
            return question(1, position.view(seat), seat, [], ply, 20_000)
        position = position.play(position.moves(seat)[0])
    return {"type": "choose", "id": 1, "moves": []}


def _shortened(value: object) -> object:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_PIECE else f"{value[:LONGEST_PIECE]}…"
    if isinstance(value, list):
        return [_shortened(each) for each in value[:MOST_PIECES]] + (["…"] if len(value) > MOST_PIECES else [])
    if isinstance(value, dict):
        return {key: _shortened(each) for key, each in value.items()}
    return value


def _harmless(text: str) -> str:
    """Nothing that a game's author wrote ends the comment in which it stands, in any of the languages."""
    return text.replace("\\", "/").replace("*/", "* /").replace('"""', "'''")
