"""The Prolog engine for tests that need it, compiled once per run."""

from collections.abc import Iterator

import pytest

from npc.prolog.host import use_host
from npc.prolog.memory import SESSIONS
from server.prolog import WasmtimeHost, start_engine


@pytest.fixture(scope="session")
def running_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WasmtimeHost]:
    host = start_engine(tmp_path_factory.getbasetemp() / "engine")
    yield host
    use_host(None)
    host.stop()


@pytest.fixture
def engine(running_engine: WasmtimeHost) -> WasmtimeHost:
    """The engine, with no session left from another test."""
    SESSIONS.clear()
    use_host(running_engine)
    return running_engine
