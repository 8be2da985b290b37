"""Imports go one way only: kernels ← games ← npc ← lab ← server; what runs in the browser needs nothing installed."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {
    "kernels": {"kernels"},
    "games": {"kernels", "games"},
    "npc": {"kernels", "games", "npc"},
    "lab": {"kernels", "games", "npc", "lab"},
    "server": {"kernels", "games", "npc", "lab", "server", "migrations"},
}
ROOMS = {*MAY_IMPORT, "migrations", "tests", "benchmarks", "client_web"}
# It runs kernels where there is no browser, and is imported by whoever asks for that only.
NOT_IN_BROWSERS = {"kernels/in_wasmtime.py"}
# What the science must not know: the web and the database stay outside its door.
SHELL_LIBRARIES = {"fastapi", "starlette", "sqlalchemy", "asyncpg", "uvicorn", "websockets", "jinja2", "alembic"}


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every absolute top-level package that a file imports, with the line it does so on."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


def imports_of_room(room: str) -> list[tuple[str, str]]:
    found = [
        (f"{path.relative_to(ROOT)}:{line}", package)
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, package in imports_of(path)
    ]
    assert found, f"the room {room}/ is empty"
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_rooms_below_it(room: str) -> None:
    wrong = [(where, package) for where, package in imports_of_room(room) if package in ROOMS - MAY_IMPORT[room]]
    assert wrong == []


@pytest.mark.parametrize("room", ["kernels", "games", "npc"])
def test_what_runs_in_the_browser_uses_the_standard_library_only(room: str) -> None:
    allowed = sys.stdlib_module_names | MAY_IMPORT[room]
    wrong = [
        (where, package)
        for where, package in imports_of_room(room)
        if package not in allowed and where.split(":")[0] not in NOT_IN_BROWSERS
    ]
    assert wrong == []


def test_the_science_knows_no_web_and_no_database() -> None:
    wrong = [(where, package) for where, package in imports_of_room("lab") if package in SHELL_LIBRARIES]
    assert wrong == []
