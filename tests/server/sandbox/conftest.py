"""A sandbox with small limits, where the machine offers one."""

from collections.abc import Iterator

import pytest

from server.sandbox.host import SandboxHost, refusal
from server.sandbox.limits import MB, Limits


@pytest.fixture(scope="session")
def sandbox() -> Iterator[SandboxHost]:
    if reason := refusal():
        pytest.skip(reason)
    limits = Limits(memory=128 * MB, scratch=4 * MB, scratch_files=64, processes=24, cpu_seconds=2.0)
    host = SandboxHost(limits)
    yield host
    host.close()
