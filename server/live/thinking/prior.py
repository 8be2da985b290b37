"""How long people think as far as it is known before anybody has played here.

The middle of a choice, its spread, differences between people, the shape of chance, what lasts from move to move, and
what the stage of the game, a win at hand and a threat do to the time were fitted to 5,482 moves of 40 people who played
four-in-a-row against each other (van Opheusden et al., Nature 2023; repository basvanopheusden/fourinarow):
`python -m tests.blind people --data FILE` prints these numbers. A threat makes people quicker, because there is only
one thing to do, and a win even more. On that board the number of moves falls as the stage rises, and nothing is ever
taken, so the weights of these two, and the middles of rolls and of single moves, are estimates of ours. Everything is
replaced game by game as people play (fitting.py).
"""

from __future__ import annotations

from math import log
from typing import Final

from server.live.thinking.times import Thinking, Times

WEIGHTS: Final = (0.2, 0.15, 0.0, 0.57, 0.23, -1.17, -0.75)
"""By situations.FEATURES."""
CENTRE: Final = (log(4), 0.1, 0.1, 1.5, 0.1, 0.05, 0.15)
SHAPE: Final = (
    -4.0, -3.33, -2.74, -2.11, -1.78, -1.54, -1.18, -0.95, -0.75, -0.6, -0.47, -0.35, -0.24, -0.11, 0.0,
    0.11, 0.22, 0.35, 0.48, 0.61, 0.77, 1.0, 1.23, 1.6, 1.82, 2.09, 2.38, 2.63, 3.63,
)  # fmt: skip
"""The least is cut off: one in thousands had clicked by mistake."""


def _times(middle_ms: float, spread: float) -> Times:
    return Times(mean=log(middle_ms), spread=spread, weights=WEIGHTS, centre=CENTRE)


PRIOR: Final = Thinking(
    kinds={"roll": _times(1900, 0.6), "single": _times(2100, 0.6), "choice": _times(3470, 0.8)},
    other=_times(3470, 0.8),
    between=0.47,
    shape=SHAPE,
    lasting=0.28,
    echo=0.87,
)
