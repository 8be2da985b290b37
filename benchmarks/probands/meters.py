"""Processor time and memory of process trees."""

from __future__ import annotations

from dataclasses import dataclass

import psutil


def tree(process: psutil.Process | None) -> list[psutil.Process]:
    if process is None:
        return []
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def cpu_seconds(process: psutil.Process | None) -> float:
    """What a process and its descendants have used, those included that have ended and been waited for."""
    total = 0.0
    for one in tree(process):
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
        if one == process:
            total += times.children_user + times.children_system
    return total


def resident_bytes(process: psutil.Process | None) -> int:
    """Memory of a tree; what its processes share is counted once per process."""
    total = 0
    for one in tree(process):
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def open_files(process: psutil.Process | None) -> int:
    total = 0
    for one in tree(process):
        try:
            total += one.num_fds()
        except psutil.NoSuchProcess:
            continue
    return total


@dataclass(slots=True)
class CpuMeter:
    """Shares of a core since it was read last."""

    process: psutil.Process | None
    before: float = 0.0

    def __post_init__(self) -> None:
        self.before = cpu_seconds(self.process)

    def seconds(self) -> float:
        """Since the meter was made or read last."""
        now = cpu_seconds(self.process)
        used, self.before = now - self.before, now
        return used
