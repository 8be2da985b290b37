"""Processes for computations that survive the death of one of them.

When a process of a pool is killed, by the kernel for want of memory or by hand, the whole pool refuses work for ever.
Here what was under way fails, and the next computation gets a new pool.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

import structlog

from server.jobs.memory import give_back

log = structlog.get_logger()

P = ParamSpec("P")
T = TypeVar("T")


class LastingProcesses(Executor):
    """A process pool that is made anew when it is broken."""

    def __init__(self, processes: int):
        self._processes = processes
        self._pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        spawning = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, mp_context=spawning, initializer=_end_with_parent)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            return self._pool.submit(_tidily, fn, *args, **kwargs)
        except BrokenProcessPool:
            log.warning("a process for computations died; the next ones get new processes")
            self._pool.shutdown(wait=False)
            self._pool = self._new()
            return self._pool.submit(_tidily, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _tidily(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs in a process of the pool."""
    try:
        return work(*args, **kwargs)
    finally:
        give_back()


def _end_with_parent() -> None:
    """Runs in every process of the pool: whoever kills the worker shall not have to look for its children."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
