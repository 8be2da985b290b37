"""The same code gives the same numbers in local processes and on a real Dask cluster."""

import os
from collections.abc import Iterator
from functools import partial

import pytest
from distributed import LocalCluster

from lab.cluster import ADDRESS_VARIABLE, executor, map_chunks
from lab.probands.factor import HumanFactor
from lab.simulation.proof import outcomes
from lab.simulation.study import SimulationSettings, simulate
from tests.lab.start import GAME, POOL

SETTINGS = SimulationSettings(HumanFactor(("Observing", "Lingering"), POOL), GAME, persons=40, judgements=20)
SEEDS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Two worker processes on free ports of this machine."""
    with LocalCluster(  # type: ignore[no-untyped-call]  # dask has no types here
        n_workers=2, threads_per_worker=1, processes=True, scheduler_port=0, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.long
def test_processes_and_a_dask_cluster_give_the_same_studies(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = [simulate(SETTINGS, seed) for seed in SEEDS]
    with executor(workers=2) as pool:
        assert outcomes(SETTINGS, SEEDS, pool) == here
    with executor(scheduler) as pool:
        assert outcomes(SETTINGS, SEEDS, pool) == here
        at_work = {pool.submit(os.getpid).result() for _ in range(20)}
    assert os.getpid() not in at_work
    monkeypatch.setenv(ADDRESS_VARIABLE, scheduler)
    with executor() as pool:
        assert type(pool).__module__.startswith("distributed")


def test_results_come_in_order_progress_counts_and_failures_are_raised() -> None:
    ready: list[int] = []
    with executor(workers=2) as pool:
        assert map_chunks(pool, partial(pow, 2), range(7), size=3, done=ready.append) == [1, 2, 4, 8, 16, 32, 64]
        assert sum(ready) == 7
        with pytest.raises(ZeroDivisionError):
            map_chunks(pool, partial(divmod, 1), [1, 0, 2])


def test_an_address_without_a_scheduler_is_refused() -> None:
    nowhere = "tcp://127.0.0.1:9"  # the discard port: nobody listens there
    with pytest.raises(RuntimeError, match="no Dask scheduler answers at"), executor(nowhere, patience=1):
        pass
