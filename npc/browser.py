"""The door from a web page to Python: named functions called with JSON and answered with JSON, inside the browser's worker.

Only what `FUNCTIONS` names can be called. The functions are found when first called, so that starting up stays quick.
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from games.protocol import CHANCE, OVER, Move, Position
from games.registry import game as find_game

# The name that a page uses, and where the function is. Arguments and results are JSON values.
FUNCTIONS: Final[dict[str, str]] = {
    "npc.browser.self_check": "npc.browser:self_check",
    "npc.browser.python_version": "npc.browser:python_version",
}


def call(name: str, arguments: str) -> str:
    """Calls the function `name` with a JSON list of arguments. Raises KeyError for a name that is not in the registry."""
    return json.dumps(_function(name)(*json.loads(arguments)))


@cache
def _function(name: str) -> Callable[..., Any]:
    module, function = FUNCTIONS[name].split(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def self_check(game: str, seed: str, playouts: int) -> dict[str, object]:
    """Plays seeded random games and digests every position, to show that two Pythons follow the same rules and draw alike."""
    rules = find_game(game)
    digest = hashlib.sha256()
    moves = 0
    for number in range(playouts):
        rng = random.Random(f"{seed}:{number}")
        position = rules.start()
        while position.to_act != OVER:
            move = _draw(position, rng)
            position = position.play(move)
            moves += 1
            digest.update(f"{move} {position.text()}\n".encode())
        digest.update(f"{position.scores()} {rng.random()!r}\n".encode())
    return {"game": game, "playouts": playouts, "moves": moves, "digest": digest.hexdigest()}


def _draw(position: Position, rng: random.Random) -> Move:
    if position.to_act != CHANCE:
        return rng.choice(position.moves())
    outcomes = position.outcomes()
    return rng.choices([move for move, _ in outcomes], weights=[weight for _, weight in outcomes])[0]


def python_version() -> str:
    return sys.version.split()[0]
