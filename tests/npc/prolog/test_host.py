"""The engine on the server: where it comes from, how it is kept, and what stops it."""

import base64
import gc
import json
import threading
import weakref
from pathlib import Path

import pytest

from server.prolog import EngineFileError, Limits, WasmtimeHost, engine_file
from server.prolog.engine_file import from_package

LOOP = "'$load_chars'(\"loop :- loop. grow(L) :- grow([a|L]).\")."


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "engine"


def host(cache: Path, **limits: float) -> WasmtimeHost:
    return WasmtimeHost(engine_file(), cache, Limits(**limits))  # type: ignore[arg-type]  # each limit has its own type


def test_fuel_stops_an_endless_loop_at_the_same_instruction_always(cache: Path) -> None:
    engine = host(cache, load_fuel=200_000_000)
    for _ in range(2):
        instance = engine.open()
        assert engine.run(instance, LOOP) == "+1"
        assert engine.run(instance, "loop.") == "-it took too many steps"
    engine.stop()


def test_the_clock_stops_what_fuel_would_not(cache: Path) -> None:
    engine = host(cache, load_fuel=10**15, seconds=0.3)
    instance = engine.open()
    assert engine.run(instance, LOOP) == "+1"
    assert engine.run(instance, "loop.") == "-it took too much time"
    engine.stop()


def test_memory_cannot_grow_beyond_its_limit(cache: Path) -> None:
    engine = host(cache, load_fuel=10**10)
    instance = engine.open()
    engine.run(instance, LOOP)
    assert "resource_error(memory)" in engine.run(instance, "grow([]).")
    engine.stop()


def test_a_dead_instance_is_gone_and_the_others_live_on(cache: Path) -> None:
    engine = host(cache, load_fuel=200_000_000)
    dead, alive = engine.open(), engine.open()
    engine.run(dead, LOOP)
    engine.run(dead, "loop.")
    with pytest.raises(KeyError):
        engine.run(dead, "true.")
    assert engine.run(alive, "X = 1.") == "+1X = 1."
    engine.stop()


def test_instances_that_are_closed_or_dead_leave_no_memory_behind(cache: Path) -> None:
    engine = host(cache, load_fuel=200_000_000)
    closed, dead, last = engine.open(), engine.open(), engine.open()
    watched = [weakref.ref(engine._instances[name]) for name in (closed, dead, last)]
    engine.close(closed)
    engine.run(dead, LOOP)
    engine.run(dead, "loop.")
    engine.stop()
    gc.collect()
    assert [one() for one in watched] == [None, None, None]


def test_nobody_waits_for_an_instance_that_thinks_long(cache: Path) -> None:
    engine = host(cache, load_fuel=10**15, seconds=600)
    long, short = engine.open(), engine.open()
    engine.run(long, LOOP)
    thinking = threading.Thread(target=engine.run, args=(long, "loop."))
    thinking.start()
    assert engine.run(short, "X = 1.") == "+1X = 1."
    assert engine.run(engine.copy(short), "X = 2.") == "+1X = 2."
    assert thinking.is_alive()
    for _ in range(20_000):  # its ten minutes
        engine._parts.engine.increment_epoch()
    thinking.join()
    engine.stop()


def test_a_copy_goes_its_own_way(cache: Path) -> None:
    engine = host(cache)
    first = engine.open()
    engine.run(first, "assertz(seen(1)).")
    second = engine.copy(first)
    engine.run(second, "assertz(seen(2)).")
    assert engine.run(first, "findall(X, seen(X), L).") == "+1L = [1]."
    assert engine.run(second, "findall(X, seen(X), L).") == "+1L = [1,2]."
    engine.stop()


def test_time_stands_still_so_that_decisions_can_be_repeated(cache: Path) -> None:
    engine = host(cache)
    answers = {engine.run(engine.open(), "get_time(T), X is random_float, write(T-X).") for _ in range(2)}
    assert len(answers) == 1
    engine.stop()


def test_the_compiled_engine_is_kept_and_a_spoilt_one_is_made_anew(tmp_path: Path, cache: Path) -> None:
    host(cache).stop()
    (kept,) = cache.glob("*.cwasm")
    own = tmp_path / kept.name
    own.write_bytes(b"spoilt")
    engine = host(tmp_path)
    assert engine.run(engine.open(), "true.") == "+1"
    assert own.stat().st_size > 1_000_000
    engine.stop()


def test_the_engine_is_found_where_it_was_put(tmp_path: Path) -> None:
    file = tmp_path / "engine.wasm"
    file.write_bytes(b"configured")
    assert engine_file(file) == b"configured"
    with pytest.raises(EngineFileError, match="no such file"):
        engine_file(tmp_path / "missing.wasm")
    with pytest.raises(EngineFileError, match="build client_web first"):
        engine_file(client=tmp_path)
    (tmp_path / "dist" / "prolog").mkdir(parents=True)
    (tmp_path / "dist" / "manifest.json").write_text(json.dumps({"prolog/trealla.wasm": "prolog/t-1.wasm"}))
    (tmp_path / "dist" / "prolog" / "t-1.wasm").write_bytes(b"built")
    assert engine_file(client=tmp_path) == b"built"


def test_the_engine_is_taken_out_of_the_package() -> None:
    other, engine = (b"\0asm\1\0\0\0" + mark + bytes(30_000) for mark in (b"other", b"pl_query"))
    script = b'x="' + base64.b64encode(other) + b'";y="' + base64.b64encode(engine) + b'";'
    assert from_package(script) == engine
    with pytest.raises(EngineFileError, match="contains no engine"):
        from_package(b"nothing")
