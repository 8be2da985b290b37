"""The folders of the server point one way: no two of them need each other, not even by way of others.

Where a domain has to tell one below it something, the lower one offers a place to register (accounts/owndata.py,
study/withdrawal.py, questionnaires/listeners.py). Imports inside of functions and for type checkers count like all
others: who needs a name has to know what it means.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "server"
ROOTS = {"app", "cli"}
"""They put the server together: they may import everything, and nobody imports them."""

Graph = Mapping[str, Mapping[str, str]]
"""Folder → folder that it imports → the first place where it does."""


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """What a file imports from the server, as `folder` with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "server":
            names = [f"server.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [node.module]
        elif isinstance(node, ast.ImportFrom):
            raise AssertionError(f"{path}:{node.lineno}: imports are absolute here, so that this test understands them")
        else:
            continue
        yield from ((node.lineno, name.split(".")[1]) for name in names if name.startswith("server."))


def graph_of(server: Path) -> Graph:
    found: dict[str, dict[str, str]] = {}
    for path in sorted(server.rglob("*.py")):
        inside = path.relative_to(server)
        folder = inside.parts[0].removesuffix(".py")
        needs = found.setdefault(folder, {})
        for line, other in imported(path):
            if other != folder:
                needs.setdefault(other, f"server/{inside.as_posix()}:{line}")
    return found


def cycle_in(graph: Graph) -> list[str]:
    """Folders that need each other in a ring, each with the place where it imports the next; empty if there is none."""
    done: set[str] = set()

    def search(folder: str, way: list[str]) -> list[str]:
        if folder in way:
            ring = [*way[way.index(folder) :], folder]
            return [f"{one} → {next_} ({graph[one][next_]})" for one, next_ in pairwise(ring)]
        if folder in done:
            return []
        for other in graph.get(folder, {}):
            if found := search(other, [*way, folder]):
                return found
        done.add(folder)
        return []

    return next((found for folder in graph if (found := search(folder, []))), [])


def test_the_folders_of_the_server_point_one_way() -> None:
    assert cycle_in(graph_of(SERVER)) == []


@pytest.mark.parametrize("root", sorted(ROOTS))
def test_nobody_imports_what_puts_the_server_together(root: str) -> None:
    wrong = [needs[root] for folder, needs in graph_of(SERVER).items() if root in needs and folder not in ROOTS]
    assert wrong == []


def test_the_server_has_no_loose_modules() -> None:
    assert {path.name for path in SERVER.glob("*.py")} == {"__init__.py", "app.py"}


@pytest.mark.parametrize(
    "source",
    [
        "from server.a.x import y",
        "import server.a.x",
        "from server import a",
        "def late():\n    from server.a import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from server.a import x",
    ],
)
def test_a_ring_is_found_however_it_is_closed(tmp_path: Path, source: str) -> None:
    for name, text in {"a": "from server.b import one", "b": "import server.c.two", "c": source}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "module.py").write_text(text, encoding="utf-8")
    ring = cycle_in(graph_of(tmp_path))
    assert [step.split(" (")[0] for step in ring] == ["a → b", "b → c", "c → a"]
