"""A seeded computation by kernels, whose digest shows that two machines write and run them alike, bit by bit."""

import hashlib
from typing import Final

from kernels.chance import Chance, draw_below, draw_fraction, seeded
from kernels.examples.connect_four import playouts
from kernels.kernel import Kernel
from kernels.language import f64s, i32
from kernels.mathematics import exp, log, sqrt

NUMBERS: Final = 500
GAMES: Final = 200
WIDTH: Final = 1500.0


def compute(chance: Chance, numbers: f64s) -> None:
    """Fills the array with functions of random numbers, small and large."""
    for place in range(len(numbers)):
        x = draw_fraction(chance)
        numbers[place] = by_turns(draw_below(chance, 3), x)


def by_turns(which: i32, x: float) -> float:
    if which == 0:
        return exp((x - 0.5) * WIDTH)
    if which == 1:
        return log(exp((x - 0.5) * WIDTH))
    return sqrt(x) / (x - 0.5)


def kernel_check(seed: str) -> str:
    """The digest of a kernel's own bytes, of numbers it computed and of games it played."""
    kernel = Kernel(compute, playouts)
    with kernel.start() as running:
        chance = running.record(Chance, state=seeded(seed).state)
        numbers, results = running.array("f64s", NUMBERS), running.array("i32s", 3)
        running.call("compute", chance, numbers)
        running.call("playouts", chance, 0, 0, GAMES, results)
        state = chance.get("state")
        found = (kernel.binary, numbers.read().tobytes(), results.read().tobytes(), str(state).encode())
    return hashlib.sha256(b"".join(found)).hexdigest()
