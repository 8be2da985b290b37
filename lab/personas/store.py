"""Searches that were done are kept in a folder, so that whoever is stopped goes on, and nothing is searched twice.

What was searched depends on matches, personality and seed alone. A method that is started again with the same seed asks
for the same searches in the same order and finds them here: going on is doing it again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from lab.arrays import Floats
from lab.cluster import map_chunks
from lab.personas.games import HumanGame
from lab.personas.searching import search_games
from npc.mcts import Parameters

AT_ONCE: Final = 12
"""Matches that a process searches in one go."""


class Store:
    """What personalities think of the moves of some matches."""

    def __init__(
        self, folder: Path, games: Sequence[HumanGame], pool: Executor, tell: Callable[[int], None] = lambda _: None
    ) -> None:
        self.games = tuple(games)
        self._folder = folder
        self._pool = pool
        self._tell = tell
        """Hears how many parts of a personality's work are done."""
        told = [[game.match, game.rules, game.moves, [one.human for one in game.players]] for game in games]
        self._matches = sha256(json.dumps(told).encode()).hexdigest()
        pieces = iter(self.games)
        self._pieces = list(iter(lambda: tuple(islice(pieces, AT_ONCE)), ()))
        folder.mkdir(parents=True, exist_ok=True)

    def values(self, personalities: Sequence[Parameters], seed: str) -> list[Floats]:
        """Of each personality: the values of all moves of all decisions. What is missing is searched, on all cores."""
        missing = [one for one in dict.fromkeys(personalities) if not self._file(one, seed).exists()]
        work = [(piece, one, seed) for one in missing for piece in self._pieces]
        for start in range(0, len(missing), 8):  # a kill loses no more than eight
            some = missing[start : start + 8]
            first = start * len(self._pieces)
            found = map_chunks(
                self._pool, search_games, work[first : first + len(some) * len(self._pieces)], done=self._tell
            )
            for number, one in enumerate(some):
                rows = found[number * len(self._pieces) : (number + 1) * len(self._pieces)]
                self._keep(self._file(one, seed), np.concatenate(rows))
        return [np.load(self._file(one, seed)).astype(np.float64) for one in personalities]

    def _file(self, parameters: Parameters, seed: str) -> Path:
        asked = f"{self._matches} {seed} {parameters.simulations} {parameters}"
        return self._folder / f"{sha256(asked.encode()).hexdigest()[:32]}.npy"

    def _keep(self, file: Path, values: Floats) -> None:
        draft = file.with_suffix(f".{os.getpid()}")
        with draft.open("wb") as open_file:
            np.save(open_file, values.astype(np.float32))
        draft.replace(file)
