"""docs/adding-a-player.md, followed literally: the files saved, entered where the page says, and its commands run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from server.base.settings import ROOT

PAGE: Final = (ROOT / "docs" / "adding-a-player.md").read_text(encoding="utf-8")
FILE: Final = re.compile(r"Save this as\s+`([\w/]+\.py)`.*?```python\n(.*?)```", re.DOTALL)
COMMAND: Final = re.compile(r"^ {4}grintu (.*(?:Cramping|Homing|ordered:).*)$", re.MULTILINE)
SAVED: Final = dict(FILE.findall(PAGE))
COMMANDS: Final = COMMAND.findall(PAGE)
FEW: Final = "--games 10"  # the page plays some hundred, which proves no more here


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which somebody has followed the page; what the page leaves alone is only linked."""
    checkout = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "npc", checkout / "npc", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("kernels", "games", "lab", "server", "client_web", "migrations", "pyproject.toml"):
        (checkout / name).symlink_to(ROOT / name)
    for name, content in SAVED.items():
        (checkout / name).write_text(content, encoding="utf-8")
    entered(checkout / "npc/composed/any/__init__.py", "Cramping", "npc.composed.any.cramping", "        Nearby(),\n")
    entered(
        checkout / "npc/composed/jostle/elements/__init__.py",
        "Homing",
        "npc.composed.jostle.elements.homing",
        "        Lingering(),\n",
    )
    entered(checkout / "npc/players.py", "OrderedKind", "npc.ordered", "        ProgramKind(),\n")
    return checkout


def entered(registry: Path, name: str, module: str, last: str) -> None:
    """At the end of a registry, as the page says."""
    source = registry.read_text(encoding="utf-8")
    assert source.count(last) == 1
    source = source.replace(last, f"{last}        {name}(),\n")
    registry.write_text(source.replace("\nfrom ", f"\nfrom {module} import {name}\nfrom ", 1), encoding="utf-8")


def run(checkout: Path, *arguments: str) -> str:
    """What a module says that is run there. It must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "GRINTU_DEMO": "true", "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_page_has_three_players_and_commands_for_each() -> None:
    assert list(SAVED) == [
        "npc/composed/any/cramping.py",
        "npc/composed/jostle/elements/homing.py",
        "npc/ordered.py",
    ]
    assert len(COMMANDS) == 6


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_works(followed: Path, command: str) -> None:
    told = run(followed, "server.cli", *shlex.split(re.sub(r"--games \d+", FEW, command)))
    assert re.search("Cramping|Homing|homing|Ordered|ordered", told), told


def test_the_players_of_the_page_are_written_as_the_house_writes(followed: Path) -> None:
    run(followed, "ruff", "check", "--no-cache", *SAVED)
    run(followed, "ruff", "format", "--no-cache", "--check", *SAVED)
