"""Kernels run on a host whose cache is this run's own."""

from collections.abc import Iterator

import pytest

from kernels.host import use_host
from kernels.in_wasmtime import WasmtimeHost


@pytest.fixture(scope="session", autouse=True)
def own_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    host = WasmtimeHost(tmp_path_factory.mktemp("kernels"))
    use_host(host)
    yield
    use_host(None)
    host.stop()
