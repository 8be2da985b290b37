"""Where heavy work runs: a pool of local processes, or a Dask cluster when its address is configured.

Both are `concurrent.futures` executors, so the code that gives them work does not know which one it has. What is sent
must be importable on the workers: functions of installed modules (not of the script that runs) and plain values.
"""

import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

ADDRESS_VARIABLE = "GRINTU_CLUSTER"
"""Environment variable with the scheduler's address, e.g. tcp://scheduler:8786; empty or unset: local processes."""

Given = TypeVar("Given")
Result = TypeVar("Result")


@contextmanager
def executor(address: str | None = None, workers: int | None = None, patience: float = 10) -> Iterator[Executor]:
    """An executor for as long as the block lasts.

    `address` is that of a Dask scheduler; without one the environment variable counts, and without that local
    processes, one per core unless `workers` says otherwise. Raises RuntimeError if a cluster does not answer within
    `patience` seconds.
    """
    address = address or os.environ.get(ADDRESS_VARIABLE)
    if not address:
        # Spawned, not forked: the caller may be a server with threads and an event loop.
        workers = workers or os.cpu_count() or 1
        with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            with _main_hidden():
                wait([pool.submit(os.getpid) for _ in range(workers)])  # a worker starts with each of the first tasks
            yield pool
        return
    try:
        from distributed import Client
    except ImportError:
        raise RuntimeError(f"the cluster at {address} needs the package distributed (grintu[cluster])") from None
    try:
        client = Client(address, timeout=patience, set_as_default=False)  # type: ignore[no-untyped-call]  # dask has no types here
    except OSError as error:
        raise RuntimeError(f"no Dask scheduler answers at {address}: {error}") from error
    try:
        # Studies are functions of their seed, but two callers may want the same one; `pure` would merge their futures.
        with client.get_executor(pure=False) as pool:  # type: ignore[no-untyped-call]  # as above
            yield pool
    finally:
        client.close()  # type: ignore[no-untyped-call]  # as above


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Spawned workers run the main script again unless it has no file; ours need modules only, and start faster so."""
    names = vars(sys.modules["__main__"])
    hidden: dict[str, object] = {name: names.pop(name) for name in ("__file__", "__spec__") if name in names}
    names["__spec__"] = None
    try:
        yield
    finally:
        names.update(hidden)


def map_chunks(
    pool: Executor,
    work: Callable[[Given], Result],
    given: Iterable[Given],
    size: int = 1,
    done: Callable[[int], None] = lambda _: None,
) -> list[Result]:
    """`work` on everything given, in chunks of `size`, results in the order given; `done` hears how many are ready.

    The first failure is raised at once and cancels what has not begun.
    """
    things = list(given)
    chunks = [things[start : start + size] for start in range(0, len(things), size)]
    futures: dict[Future[list[Result]], int] = {
        pool.submit(_all, work, chunk): number for number, chunk in enumerate(chunks)
    }
    results: list[list[Result]] = [[] for _ in chunks]
    try:
        for future in as_completed(futures):
            results[futures[future]] = future.result()
            done(len(chunks[futures[future]]))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [result for chunk in results for result in chunk]


def stream(
    pool: Executor | None, work: Callable[[Given], Result], given: Iterable[Given], size: int, ahead: int = 32
) -> Iterator[Result]:
    """Like `map_chunks`, but never more than `ahead` chunks are under way or waiting to be taken: for long streams.

    Without a pool everything happens here.
    """
    if pool is None:
        yield from map(work, given)
        return
    waiting: deque[Future[list[Result]]] = deque()
    things = iter(given)
    while chunk := list(islice(things, size)):
        waiting.append(pool.submit(_all, work, chunk))
        if len(waiting) >= ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def _all(work: Callable[[Given], Result], chunk: Sequence[Given]) -> list[Result]:
    return [work(one) for one in chunk]
