"""Nobody asks of which class a game, a position, a move or a player is, except in the folders made for it.

What one of them can do it says itself (games/protocol.py, npc/player.py); which one it is, its `kind` or its text says.
A folder is made for a game if it bears its name: games/NAME, and npc/.../NAME for its elements and its vocabulary.
"""

from __future__ import annotations

import ast
import importlib
import random
from collections.abc import Iterator
from pathlib import Path

from games.protocol import OVER, Game, Position
from games.registry import game
from npc.player import Player
from tests.games.selection import VARIED

ROOT = Path(__file__).parents[2]
ROOMS = ("games", "npc", "lab", "server")
ASKING = ("isinstance", "issubclass")


def classes_of_moves() -> set[type]:
    """Found by playing a few moves of games that differ."""
    found: set[type] = set()
    for reference in VARIED:
        rng, position = random.Random(reference), game(reference).start()
        for _ in range(8):
            if position.to_act == OVER:
                break
            move = position.drawn(rng.randrange(position.ways)) if position.ways else rng.choice(position.moves())
            found.add(type(move))
            position = position.play(move)
    return found - {str, int, tuple}


def imported(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """The names that a file imports from elsewhere: of which module, and what they are called there."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def asked_for(node: ast.AST) -> list[ast.expr]:
    """The classes with which something is compared, if that is what happens here."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
        return [node.args[1]]
    if isinstance(node, ast.MatchClass):
        return [node.cls]
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
        called = node.left.func
        return node.comparators if isinstance(called, ast.Name) and called.id == "type" else []
    return []


def questions(path: Path, text: str) -> Iterator[tuple[int, type, str]]:
    """Where a file asks for a class that it imports from a folder of games/ or npc/, and which folder that is."""
    tree = ast.parse(text)
    names = imported(tree)
    for node in ast.walk(tree):
        for asked in asked_for(node):
            for each in ast.walk(asked):
                module, name = names.get(each.id, ("", "")) if isinstance(each, ast.Name) else ("", "")
                room, _, rest = module.partition(".")
                folder = rest.partition(".")[0]
                if room not in ("games", "npc") or not (ROOT / room / folder).is_dir() or folder in path.parts:
                    continue
                found = getattr(importlib.import_module(module), name)
                if isinstance(found, type):
                    yield getattr(node, "lineno", 0), found, folder


def guesses(path: Path, text: str, moves: set[type]) -> list[str]:
    return [
        f"{path}:{line} asks for {found.__name__} of {folder}"
        for line, found, folder in questions(path, text)
        if issubclass(found, Game | Position | Player) or found in moves
    ]


def test_nobody_asks_for_classes_of_games_or_players() -> None:
    moves = classes_of_moves()
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    wrong = [one for path in files for one in guesses(path.relative_to(ROOT), path.read_text(encoding="utf-8"), moves)]
    assert wrong == []


def test_whoever_asks_is_found() -> None:
    moves = classes_of_moves()
    texts = (
        "from games.gdl.game import GdlGame as G\nisinstance(x, G)",
        "from games.tourality import TouralityPosition\nisinstance(x, (int, TouralityPosition))",
        "from games.jostle import Piece\nmatch x:\n    case Piece(): pass",
        "from npc.program.player import Program\ntype(x) is Program",
    )
    assert all(guesses(Path("server/some/where.py"), text, moves) for text in texts)
    assert not guesses(Path("npc/prolog/jostle/words.py"), texts[2], moves)


def asks_players(text: str) -> list[int]:
    """Where a player is asked to decide with all that it has to know: a call of `decide` with five arguments."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "decide"
        and len(node.args) + len(node.keywords) == 5
    ]


def test_only_the_follower_asks_players() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if asks_players(path.read_text(encoding="utf-8"))
    }
    handed_on = {"lab/probands/playing.py", "npc/composed/composition.py"}
    about_people = {"server/falsifiers/routes.py"}
    assert found == {"npc/follower.py"} | handed_on | about_people
