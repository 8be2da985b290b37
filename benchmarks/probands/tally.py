"""What the simulated probands count: events since the start and in the measured time, latencies, errors by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Shared by all probands of a run."""

    measuring: bool = False
    """Only what happens while this is set goes into `held` and into the latencies."""
    total: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    moves: list[float] = field(default_factory=list)
    """Seconds from sending a move to its broadcast at the socket that sent it."""
    http: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds until a request was answered, by page."""
    playing: Counter[int] = field(default_factory=Counter)
    """Matches that are on, with how many of our probands sit there."""
    sockets: int = 0

    def count(self, what: str) -> None:
        self.total[what] += 1
        if self.measuring:
            self.held[what] += 1

    def moved(self, seconds: float) -> None:
        self.count("moves")
        if self.measuring:
            self.moves.append(seconds)

    def answered(self, page: str, seconds: float) -> None:
        self.count("requests")
        if self.measuring:
            self.http[page].append(seconds)

    def failed(self, kind: str) -> None:
        self.errors[kind] += 1

    def sat_down(self, match: int) -> None:
        self.playing[match] += 1

    def got_up(self, match: int) -> None:
        self.playing[match] -= 1
        if not self.playing[match]:
            del self.playing[match]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies; not a number if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
