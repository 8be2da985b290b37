"""The host runs modules within limits, keeps what it compiled, and goes on where it cannot."""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernels.host import Limits, StoppedError, current_host, use_host
from kernels.in_wasmtime import WasmtimeHost
from kernels.wasm import F64, I32, I64, PAGE, Module


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def host(cache: Path) -> Iterator[WasmtimeHost]:
    host = WasmtimeHost(cache)
    yield host
    host.stop()


def module_of(*code: tuple[str | int | float, ...], export: str = "f", memory: int = 1) -> bytes:
    """A module with a memory and one function that takes and gives an i32."""
    module = Module()
    module.memory(memory)
    function = module.function(export, (I32,), (I32,))
    for name, *rest in code:
        assert isinstance(name, str)
        function.emit(name, *rest)  # type: ignore[arg-type]  # the name stands first, numbers behind it
    return module.binary()


DOUBLE = module_of(("local.get", 0), ("i32.const", 2), ("i32.mul",))
ENDLESS = module_of(("loop",), ("br", 0), ("end",), ("unreachable",))
GROW = module_of(("local.get", 0), ("memory.grow",))


def test_a_function_is_called_and_gives_numbers_of_every_kind(host: WasmtimeHost) -> None:
    module = Module()
    for name, kind, constant in (("wide", I64, -(1 << 62)), ("real", F64, 0.1)):
        module.function(name, (), (kind,)).emit(f"{kind.name.lower()}.const", constant)
    module.function("nothing")
    with host.load(module.binary()) as instance:
        assert (instance.call("wide"), instance.call("real"), instance.call("nothing")) == (-(1 << 62), 0.1, None)


def test_the_memory_is_read_and_written_in_stretches(host: WasmtimeHost) -> None:
    with host.load(module_of(("local.get", 0), ("i32.load", 4))) as instance:
        instance.write(12, struct.pack("<i", -7))
        assert instance.call("f", 8) == -7
        assert instance.read(8, 12) == struct.pack("<3i", 0, -7, 0)


@pytest.mark.parametrize(("address", "length"), [(-1, 1), (PAGE, 1), (PAGE - 1, 2), (0, PAGE + 1)])
def test_nothing_beyond_the_memory_is_read_or_written(host: WasmtimeHost, address: int, length: int) -> None:
    with host.load(DOUBLE) as instance:
        with pytest.raises(IndexError, match=f"{PAGE} bytes"):
            instance.read(address, length)
        with pytest.raises(IndexError):
            instance.write(address, bytes(length))


def test_memory_that_grew_is_found_where_it_is_now(host: WasmtimeHost) -> None:
    with host.load(GROW) as instance:
        instance.write(0, b"kept")
        assert instance.call("f", 100) == 1
        instance.write(100 * PAGE, b"far")
        assert (instance.read(0, 4), instance.read(100 * PAGE, 3)) == (b"kept", b"far")


def test_instances_share_nothing(host: WasmtimeHost) -> None:
    with host.load(DOUBLE) as one, host.load(DOUBLE) as other:
        one.write(0, b"mine")
        assert other.read(0, 4) == bytes(4)


def test_a_call_that_never_ends_is_ended(host: WasmtimeHost) -> None:
    with host.load(ENDLESS, Limits(seconds=0.1)) as instance, pytest.raises(StoppedError, match="too much time"):
        instance.call("f", 0)


def test_a_kernel_may_do_without_the_clock(host: WasmtimeHost, cache: Path) -> None:
    with host.load(DOUBLE, Limits(seconds=None)) as untimed, host.load(DOUBLE) as timed:
        assert untimed.call("f", 4) == timed.call("f", 4) == 8
    assert len(list(cache.glob("*.cwasm"))) == 2


def test_memory_has_a_limit(host: WasmtimeHost) -> None:
    with host.load(GROW, Limits(memory_bytes=4 * PAGE)) as instance:
        assert instance.call("f", 3) == 1
        assert instance.call("f", 1) == -1
    with pytest.raises(StoppedError):
        host.load(module_of(("local.get", 0), memory=5), Limits(memory_bytes=4 * PAGE))


def test_what_makes_no_sense_is_told(host: WasmtimeHost) -> None:
    by_zero = host.load(module_of(("local.get", 0), ("i32.const", 0), ("i32.div_s",)))
    with by_zero, pytest.raises(StoppedError, match="divide by zero"):
        by_zero.call("f", 1)
    lost = host.load(module_of(("unreachable",)))
    with lost, pytest.raises(StoppedError, match="never come"):
        lost.call("f", 1)
    with pytest.raises(ValueError, match="no module"):
        host.load(b"nonsense")


def test_what_was_compiled_is_kept_and_loaded_again(host: WasmtimeHost, cache: Path) -> None:
    host.load(DOUBLE).close()
    (kept,) = cache.glob("*.cwasm")
    written = kept.stat().st_mtime_ns
    again = WasmtimeHost(cache)
    with again.load(DOUBLE) as instance:
        assert instance.call("f", 21) == 42
    assert kept.stat().st_mtime_ns == written
    again.load(GROW).close()
    assert len(list(cache.glob("*.cwasm"))) == 2
    again.stop()


def test_a_damaged_file_is_compiled_anew(host: WasmtimeHost, cache: Path) -> None:
    host.load(DOUBLE).close()
    (kept,) = cache.glob("*.cwasm")
    whole = kept.read_bytes()
    kept.write_bytes(b"damaged")
    again = WasmtimeHost(cache)
    with again.load(DOUBLE) as instance:
        assert instance.call("f", 21) == 42
    assert kept.read_bytes() == whole
    again.stop()


def test_without_a_folder_it_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    host = WasmtimeHost(tmp_path / "file" / "cache")
    with host.load(DOUBLE) as instance:
        assert instance.call("f", 4) == 8
    host.stop()
    assert "compiled anew by each process" in caplog.text


def test_a_folder_that_others_may_write_to_is_not_trusted(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    host = WasmtimeHost(cache)
    with host.load(DOUBLE) as instance:
        assert instance.call("f", 4) == 8
    host.stop()
    assert list(cache.iterdir()) == []
    assert "others may write there" in caplog.text


def test_a_process_has_one_host_and_a_fork_gets_its_own(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    use_host(None)
    ours = current_host()
    assert current_host() is ours
    child = os.fork()
    if child == 0:
        theirs = current_host()
        with theirs.load(ENDLESS, Limits(seconds=0.1)) as instance:
            try:
                instance.call("f", 0)
            except StoppedError:
                os._exit(0 if theirs is not ours else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
