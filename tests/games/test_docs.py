"""What the documents show must run, and the game that they teach must pass what every game must pass."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from games.jostle import JOSTLE
from games.jostle.drawing import draw_svg

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILE = re.compile(r"`(games/[\w/]+\.\w+)`[^`]*\n\n^```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""A code block, and the file that the sentence before it names."""


def python_in(name: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def run(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "docs"}
    exec(compile(source, "docs", "exec"), names)  # noqa: S102  # our own documents
    return names


@pytest.mark.parametrize("number", range(len(python_in("jostle.md"))))
def test_the_examples_of_jostle_run(number: int) -> None:
    run(python_in("jostle.md")[number])


def test_the_steps_are_printed_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    run(python_in("jostle.md")[0])
    shown = (DOCS / "jostle.md").read_text(encoding="utf-8")
    assert all(f"    {line}\n" in shown for line in capsys.readouterr().out.splitlines())


def test_the_picture_is_the_board_as_it_is_drawn_now() -> None:
    """If the drawing was changed on purpose: `grintu show --svg docs/images/jostle.svg POSITION`."""
    position = JOSTLE.position("4,-1,-1/1,-1,-1/3,-1,-1 r")
    assert (DOCS / "images/jostle.svg").read_text(encoding="utf-8") == draw_svg(position)


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which somebody has followed adding-a-game.md: files, registry, golden playthroughs."""
    checkout = tmp_path_factory.mktemp("checkout")
    for folder in ("kernels", "games", "tests/games"):
        shutil.copytree(ROOT / folder, checkout / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", checkout)
    for name, content in FILE.findall((DOCS / "adding-a-game.md").read_text(encoding="utf-8")):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(content, encoding="utf-8")
    registry = checkout / "games/registry.py"
    source = registry.read_text(encoding="utf-8")
    source = source.replace("gdl, jostle, ", "gdl, hands, jostle, ").replace(".KIND,\n)", ".KIND,\n    hands.KIND,\n)")
    registry.write_text(source, encoding="utf-8")
    in_checkout(checkout, "tests.games.playthrough")
    return checkout


def in_checkout(checkout: Path, *arguments: str) -> str:
    """What a Python module says that is run there. It must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_documents_show_every_file_of_the_game(followed: Path) -> None:
    files = {str(path.relative_to(followed / "games/hands")) for path in (followed / "games/hands").rglob("*.*")}
    assert {file for file in files if "pyc" not in file} == {
        "__init__.py",
        "rules.py",
        "texts/de.json",
        "texts/en.json",
    }


def test_the_game_of_the_documents_conforms(followed: Path) -> None:
    said = in_checkout(
        followed, "pytest", "-q", "-p", "no:cacheprovider", "tests/games/test_conformance.py", "-k", "hands"
    )
    assert re.search(r"\d{2} passed", said)


def test_tests_of_varied_games_take_the_game_of_the_documents_along(followed: Path) -> None:
    assert '"hands:standard"' in in_checkout(followed, "tests.games.selection").replace("'", '"')


def test_the_game_of_the_documents_changes_no_other_golden_file(followed: Path) -> None:
    ours, theirs = (
        {path.name: path.read_bytes() for path in (root / "tests/games/golden").iterdir()} for root in (ROOT, followed)
    )
    assert theirs.keys() - ours.keys() == {"hands.standard.txt"}
    assert theirs.items() >= ours.items()


@pytest.mark.parametrize(
    "linter",
    [
        ("ruff", "check", "--no-cache", "games/hands", "games/registry.py"),
        ("ruff", "format", "--no-cache", "--check", "games/hands", "games/registry.py"),
        ("mypy", "--cache-dir", ".mypy", "games"),
    ],
    ids=["check", "format", "types"],
)
def test_the_game_of_the_documents_is_written_as_the_house_writes(followed: Path, linter: tuple[str, ...]) -> None:
    in_checkout(followed, *linter)


def test_the_book_of_the_documents_replays(followed: Path) -> None:
    text = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    found = re.search(r"^ {7}\[Rules .*?(?=^\S|^\d)", text, re.DOTALL | re.MULTILINE)
    assert found
    (followed / "book.txt").write_text(dedent(found[0]), encoding="utf-8")
    program = "from games.book import *\nprint(replay(read_book(open('book.txt').read())).position.text())\n"
    (followed / "replay_it.py").write_text(program, encoding="utf-8")
    assert in_checkout(followed, "replay_it") == "rock/paper paper/rock\n"
