"""The document that teaches kernels is followed literally: its files, its output, its other examples."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernels.compiler.checking import EXPRESSIONS
from kernels.compiler.intrinsics import INTRINSICS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/adding-a-kernel.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(\w+\.py)`:\n\n^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
OTHER = re.compile(r"(?<!\.py`:\n\n)^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("followed")
    for name, content in FILE.findall(TEXT):
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}:{ROOT}", "XDG_CACHE_HOME": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_example_prints_what_the_document_says(folder: Path) -> None:
    assert f"\n    {run(folder, 'try_pig.py')}" in TEXT


@pytest.mark.parametrize("linter", [("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")])
def test_the_example_is_written_as_the_house_writes(folder: Path, linter: tuple[str, ...]) -> None:
    run(folder, "-m", *linter, "--config", str(ROOT / "pyproject.toml"), "pig.py", "try_pig.py")


@pytest.mark.parametrize("source", OTHER.findall(TEXT))
def test_the_other_examples_run(source: str) -> None:
    names: dict[str, Any] = {"__name__": "docs"}
    exec(compile(source, "docs", "exec"), names)  # noqa: S102  # our own document


def test_the_document_names_everything_that_can_be_called() -> None:
    missing = [known.name for known in INTRINSICS.values() if f"`{known.name}`" not in TEXT]
    assert missing == []
    assert "a if c else b" in EXPRESSIONS
