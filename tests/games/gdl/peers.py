"""`python -m tests.games.gdl.peers FOLDER` replays all traces of a folder: what other reasoners made of descriptions.

A folder has `NAME.kif` and `NAME.jsonl` or `NAME.jsonl.gz` beside each other. The status is 1 if one of them differs.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from games.gdl.traces import Replay, read_trace, replayed
from games.protocol import GameError


class Pair(NamedTuple):
    """A description, and what somebody's reasoner made of it."""

    description: Path
    trace: Path

    @property
    def size(self) -> int:
        return self.description.stat().st_size + self.trace.stat().st_size

    def replayed(self) -> Replay:
        """Raises GameError if it cannot be played at all."""
        return replayed(self.description.read_text(encoding="utf-8"), read_trace(self.trace.read_bytes()))


def pairs(folder: Path) -> Iterator[Pair]:
    """All descriptions of a folder that have a trace, in alphabetical order."""
    for description in sorted(folder.glob("*.kif")):
        for ending in (".jsonl", ".jsonl.gz"):
            trace = description.with_suffix(ending)
            if trace.exists():
                yield Pair(description, trace)


def main(folder: Path) -> int:
    found = list(pairs(folder))
    agreeing = 0
    for pair in found:
        try:
            replay = pair.replayed()
        except GameError as error:
            replay = Replay(str(error))
        agreeing += replay.agrees
        print(f"{pair.description.stem}: {replay}", flush=True)
    print(f"{agreeing} of {len(found)} agree")
    return 0 if found and agreeing == len(found) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
