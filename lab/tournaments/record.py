"""The record of a tournament: a file with a line for every challenge that was played, so that one can go on later.

A line is written when its challenge is over and names the challenge completely. So a tournament that was killed goes on
where it was, a larger one takes over what a smaller one played, and a torn last line is no harm.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from lab.tournaments.challenge import Outcome, Pairing

Results = dict[Pairing, Outcome]
Item = TypeVar("Item")


class RecordError(ValueError):
    """A file that is no record of a tournament. The message says which line, what was expected and what came."""


def read_lines(file: Path, read: Callable[[Any], Item]) -> list[Item]:
    """Every line as `read` understands it; nothing if there is no file. A torn last line is cut off.

    Raises RecordError.
    """
    if not file.exists():
        return []
    content = file.read_bytes()
    *lines, torn = content.split(b"\n")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(read(json.loads(line)))
        except (ValueError, TypeError, KeyError):
            start = line[:60].decode(errors="replace")
            raise RecordError(f"{file}, line {number}: expected a challenge, not {start!r}") from None
    if torn:
        with file.open("r+b") as open_file:  # whoever wrote it was stopped in the middle
            open_file.truncate(len(content) - len(torn))
    return found


def write_lines(file: Path, items: Iterable[Item], write: Callable[[Item], Any]) -> Iterator[Item]:
    """Appends items one by one as they come, and hands each on when it is on the disk."""
    with file.open("a", encoding="utf-8") as open_file:
        for item in items:
            open_file.write(json.dumps(write(item)) + "\n")
            open_file.flush()
            os.fsync(open_file.fileno())
            yield item


def read_record(file: Path) -> Results:
    """What was played already; nothing if there is no file. Raises RecordError."""
    return dict(read_lines(file, _read))


def write_record(file: Path, played: Iterable[tuple[Pairing, Outcome]]) -> Iterator[tuple[Pairing, Outcome]]:
    """Appends challenges as they come."""
    return write_lines(file, played, lambda one: asdict(one[0]) | asdict(one[1]))


def _read(line: Any) -> tuple[Pairing, Outcome]:
    first, second, seed, number = (line[name] for name in ("first", "second", "seed", "number"))
    if not (all(isinstance(text, str) for text in (first, second, seed)) and isinstance(number, int)):
        raise TypeError
    leaves, forfeits = _pair(line["leaves"], int), _pair(line["forfeits"], int)
    action, sweep = _pair(line["action_seconds"], float), _pair(line["sweep_seconds"], float)
    return Pairing(first, second, seed, number), Outcome(leaves, action, sweep, forfeits)


def _pair(values: Any, kind: type) -> Any:
    first, second = values
    if not (isinstance(first, kind) and isinstance(second, kind)):
        raise TypeError
    return first, second
