"""What a program may use. Whoever takes more is ended, and has lost the sweep that it was playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The defaults are those of open tournaments."""

    action_seconds: float = 10.0
    """For one answer, the start included."""
    sweep_seconds: float = 20.0
    """For all answers of one game together; the start does not count."""
    memory: int = 512 * MB
    """Resident bytes of all its processes together."""
    cpu_seconds: float = 60.0
    """Of all its processes together, also while others think."""
    life_seconds: float = 4 * 3600.0
    """From its start to its end: people who play against it may take their time."""
    processes: int = 64
    """Processes and threads at once."""
    files: int = 128
    """Open files of a process."""
    scratch: int = 64 * MB
    """What it can write into its folder, which is gone with it."""
    scratch_files: int = 2048
    line: int = 64 * 1024
    """Bytes of an answer."""
    errors: int = 32 * 1024
    """Bytes of stderr that are kept for its author; what comes then is thrown away."""


COMPILING: Final = Limits(
    action_seconds=60.0, sweep_seconds=60.0, cpu_seconds=60.0, life_seconds=60.0, memory=1024 * MB, line=32 * MB
)
"""For what translates a source before anybody plays."""
