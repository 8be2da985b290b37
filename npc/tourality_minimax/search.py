"""Asks the kernel: lays a position into its memory, and reads the line that it found."""

import atexit
from dataclasses import fields
from functools import lru_cache
from threading import Lock
from typing import Final

from games.protocol import Seat
from games.tourality import TouralityPosition
from games.tourality.world import Size, neighbours, regions
from kernels.chance import Chance, seeded
from kernels.host import Limits
from kernels.kernel import Fields, Kernel, Numbers, Running
from npc.tourality_minimax.kernel import SIDES, Search, draw_keys, find_line, prepare
from npc.tourality_minimax.parameters import RANGES, Parameters
from npc.tourality_minimax.plain import Found

NOT_IN_THE_KERNEL: Final = {"plan", "table"}
_WANTED: Final = tuple(name for name in RANGES if name not in NOT_IN_THE_KERNEL)
_MOST_DEPTH: Final = RANGES["depth"].most
_lock: Final = Lock()
"""An instance serves one thread at a time."""


@lru_cache(maxsize=1)
def kernel() -> Kernel:
    """Compiled once, when it is needed."""
    return Kernel(prepare, draw_keys, find_line)


class Room:
    """A running kernel with memory for worlds of one size with up to so many leaves, and for a table."""

    def __init__(self, running: Running, size: Size, leaves: int, table_bits: int) -> None:
        self._running = running
        self._size = size
        cells = size.cells
        self._around = running.array("i32s", cells * SIDES)
        self._leaf_cells = running.array("i32s", leaves)
        self._line = running.array("i32s", _MOST_DEPTH + 1)
        entries = 1 << table_bits if table_bits else 1
        arrays: dict[str, Numbers] = {
            "around": self._around,
            "leaf_cells": self._leaf_cells,
            "leaf_at": running.array("i32s", cells),
            "ways": running.array("i32s", cells * leaves),
            "order": running.array("i32s", cells * leaves),
            "reaching": running.array("i32s", cells),
            "queue": running.array("i32s", cells * leaves),
            "alive": running.array("u8s", leaves),
            "keys": running.array("i64s", leaves + 2 * cells + _MOST_DEPTH),
            "table_keys": running.array("i64s", entries),
            "table_values": running.array("i32s", entries),
            "table_kinds": running.array("u8s", entries),
        }
        per_ply = ("directions", "targets", "gains", "seems")
        arrays |= {name: running.array("i32s", (_MOST_DEPTH + 1) * SIDES) for name in per_ply}
        numbers = {each.name: 0 for each in fields(Search) if each.name not in arrays}
        self._search: Fields = running.record(Search, **arrays, **numbers)
        for name, value in (("cells", cells), ("columns", size.columns), ("table_bits", table_bits)):
            self._search.set(name, value)
        running.call("draw_keys", self._search, running.record(Chance, state=seeded("tourality").state))
        self._wanted: Parameters | None = None
        self._obstacles: frozenset[int] | None = None

    def find(self, position: TouralityPosition, seat: Seat, wanted: Parameters, steps: int) -> Found:
        """The first steps of the line that both would choose."""
        if wanted != self._wanted:
            for name in _WANTED:
                self._search.set(name, getattr(wanted, name))
            self._wanted = wanted
        if position.obstacles != self._obstacles:
            self._around.write(
                -1 if cell is None or cell in position.obstacles else cell
                for cells in neighbours(self._size)
                for cell in cells
            )
            self._obstacles = position.obstacles
        region = regions(self._size, position.obstacles)
        inside = {region[place] for place in position.places}
        leaves = [leaf for leaf in sorted(position.leaves) if region[leaf] in inside]
        self._leaf_cells.write(leaves)
        self._search.set("leaves", len(leaves))
        self._running.call("prepare", self._search, position.places[seat], position.places[1 - seat])
        value = self._running.call("find_line", self._search, steps, self._line)
        line = self._line.read()
        return Found(tuple(line[: line[-1]]), int(value or 0), int(self._search.get("nodes")))


@lru_cache(maxsize=8)
def _room(size: Size, leaves: int, table_bits: int) -> Room:
    return Room(kernel().start(Limits(seconds=None)), size, leaves, table_bits)


# While the interpreter ends, wasmtime can no longer give memory back.
atexit.register(_room.cache_clear)


def find(position: TouralityPosition, seat: Seat, wanted: Parameters, steps: int = 1) -> Found:
    """What `plain.PlainSearch` finds, faster."""
    with _lock:
        return _room(position.rules.size, position.rules.leaves, wanted.table).find(position, seat, wanted, steps)
