"""What the lanes of a network need in WebAssembly that the language of kernels has no words for: vectors.

Networks speak in planes, one bit for each of 128 lanes; searches ask lane by lane. Here one is turned into the other.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from kernels import wasm
from kernels.planes import LANES, PLANE
from kernels.positions import Layout, taken_in

WORD: Final = 64
BLOCK: Final = 16
"""Planes that are turned at a time, and bytes of a plane."""
_LOW: Final = bytes([each for pair in zip(range(8), range(16, 24), strict=True) for each in pair])
_HIGH: Final = bytes([each for pair in zip(range(8, 16), range(24, 32), strict=True) for each in pair])

Writer = Callable[[wasm.Module, wasm.Function], None]


def words_of(moves: Sequence[int]) -> list[int]:
    """By seat, and one more: the first of its words, each of which holds 64 of its moves."""
    firsts = [0]
    for number in moves:
        firsts.append(firsts[-1] - (-number // WORD))
    return firsts


def network(bodies: Sequence[bytes], *, onwards: bool) -> Writer:
    """Calls functions of a layout with the addresses of two rooms."""

    def write(module: wasm.Module, function: wasm.Function) -> None:
        for piece in taken_in(module, bodies):
            for room in (1, 2 if onwards else 1):
                function.emit("local.get", 0)
                function.emit("local.get", room)
                function.emit("i32.add")
            function.emit("call", piece)

    return write


def gathering(layout: Layout) -> Writer:
    """Planes of legal moves become words: by lane, the words of all seats."""
    words = words_of(layout.moves)

    def write(module: wasm.Module, function: wasm.Function) -> None:
        turned = _turning(module, words[-1] * WORD // 8)
        plane = layout.answers + PLANE
        for seat, number in enumerate(layout.moves):
            for first in range(0, number, BLOCK):
                function.emit("local.get", 0)
                function.emit("local.get", 1)
                function.emit("i32.add")
                function.emit("i32.const", plane + PLANE * first)
                function.emit("i32.add")
                function.emit("local.get", 2)
                function.emit("i32.const", words[seat] * WORD // 8 + first // 8)
                function.emit("i32.add")
                function.emit("i32.const", (1 << min(BLOCK, number - first)) - 1)
                function.emit("call", turned)
            plane += PLANE * number

    return write


def _turning(module: wasm.Module, stride: int) -> wasm.Function:
    """Sixteen planes become sixteen bits for each lane: first their bytes change places, then the bits are picked."""
    function = module.function(None, (wasm.I32, wasm.I32, wasm.I32))
    source, target, valid = range(3)
    rows = [function.local(wasm.V128) for _ in range(BLOCK)]
    others = [function.local(wasm.V128) for _ in range(BLOCK)]
    for number, row in enumerate(rows):
        function.emit("local.get", source)
        function.emit("v128.load", PLANE * number)
        function.emit("local.set", row)
    for _ in range(4):
        for number in range(BLOCK // 2):
            for half, order in enumerate((_LOW, _HIGH)):
                function.emit("local.get", rows[number])
                function.emit("local.get", rows[number + BLOCK // 2])
                function.emit("i8x16.shuffle", order)
                function.emit("local.set", others[2 * number + half])
        rows, others = others, rows
    for lane in sorted(range(LANES), key=lambda lane: (lane // 8, -lane)):
        row = rows[lane // 8]
        function.emit("local.get", target)
        function.emit("local.get", row)
        function.emit("i8x16.bitmask")
        function.emit("local.get", valid)
        function.emit("i32.and")
        function.emit("i32.store16", stride * lane)
        if lane % 8:
            function.emit("local.get", row)
            function.emit("local.get", row)
            function.emit("i8x16.add")
            function.emit("local.set", row)
    return function


def going_back(facts: int) -> Writer:
    """Takes the facts of a room from other planes in some lanes: (rooms, there, other planes, plane of lanes)."""

    def write(module: wasm.Module, function: wasm.Function) -> None:  # noqa: ARG001  # it needs nothing else
        target, source, lanes, left = (function.local(kind) for kind in (wasm.I32, wasm.I32, wasm.V128, wasm.I32))
        code: list[tuple[Any, ...]] = []
        for parameter, local in ((1, target), (2, source), (3, None)):
            code += [("local.get", 0), ("local.get", parameter), ("i32.add",)]
            code += [("v128.load", 0), ("local.set", lanes)] if local is None else [("local.set", local)]
        code += [("i32.const", facts), ("local.set", left), ("loop",), ("local.get", target)]
        code += [("local.get", source), ("v128.load", 0), ("local.get", target), ("v128.load", 0)]
        code += [("local.get", lanes), ("v128.bitselect",), ("v128.store", 0)]
        for local in (target, source):
            code += [("local.get", local), ("i32.const", PLANE), ("i32.add",), ("local.set", local)]
        code += [("local.get", left), ("i32.const", 1), ("i32.sub",), ("local.tee", left), ("br_if", 0), ("end",)]
        for instruction in code:
            function.emit(*instruction)

    return write


def clearing(size: int) -> Writer:
    """Fills a stretch of an array, whose elements have so many bytes, with zeros: (array, first, how many)."""

    def write(module: wasm.Module, function: wasm.Function) -> None:  # noqa: ARG001  # it needs nothing else
        code: tuple[tuple[Any, ...], ...] = (
            ("local.get", 0),
            *(("local.get", 1), ("i32.const", size), ("i32.mul",)),
            ("i32.add",),
            ("i32.const", 0),
            *(("local.get", 2), ("i32.const", size), ("i32.mul",)),
            ("memory.fill",),
        )
        for instruction in code:
            function.emit(*instruction)

    return write
