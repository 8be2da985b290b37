"""When those who wait are seated: everybody at the same moment, again and again, like people at a station.

Departures are `every` seconds apart, whoever waits. Somebody comes at any time between two of them, and whoever else
comes in the same time sits with him or her or does not: how long anybody waits says when he or she came, and nothing
about the others. Where the departures lie within the minute is drawn anew every day, for people like to come at full
minutes.
"""

from __future__ import annotations

import random
from datetime import datetime
from typing import Final

LEAST_SECONDS: Final = 0.001
"""Between departures, where nobody is to wait."""


def shift(day: datetime, every: float) -> float:
    """How many seconds after a multiple of `every` the departures of this day are."""
    return random.Random(f"departures of {day:%Y-%m-%d}").random() * every
