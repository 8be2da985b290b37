"""How long people think as far as it is known before anybody has played here.

Spread, differences between people, the shape of chance, what lasts from move to move, and what the stage of the game, a
win at hand and a threat do to the time were fitted to 5,482 moves of 40 people who played four-in-a-row against each
other (van Opheusden et al., Nature 2023; repository basvanopheusden/fourinarow). A threat makes people quicker, because
there is only one thing to do, and a win even more. On that board the number of moves falls as the stage rises, and
nothing is ever taken, so the weights of these two, and the means of decisions that are not among many, are estimates of
ours. Everything is replaced game by game as people play (fitting.py).
"""

from __future__ import annotations

from math import log
from typing import Final

from server.live.thinking.times import Thinking, Times

WEIGHTS: Final = (0.2, 0.15, 0.0, 0.45, 0.11, -1.16, -0.73)
"""By situations.FEATURES."""
CENTRE: Final = (log(4), 0.1, 0.1, 1.5, 0.1, 0.05, 0.15)
SHAPE: Final = (
    -3.9, -3.51, -2.74, -2.17, -1.74, -1.52, -1.13, -0.93, -0.76, -0.61, -0.47, -0.35, -0.23, -0.12, -0.01,
    0.11, 0.23, 0.35, 0.47, 0.62, 0.76, 0.98, 1.24, 1.62, 1.82, 2.07, 2.33, 2.6, 4.0,
)  # fmt: skip


def _times(middle_ms: float, spread: float) -> Times:
    return Times(mean=log(middle_ms), spread=spread, weights=WEIGHTS, centre=CENTRE)


PRIOR: Final = Thinking(
    kinds={"roll": _times(1900, 0.6), "single": _times(2100, 0.6), "choice": _times(3270, 0.72)},
    other=_times(3270, 0.72),
    between=0.45,
    shape=SHAPE,
    lasting=0.3,
    echo=0.87,
)
