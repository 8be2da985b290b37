"""Only a few failures of tests are worth another run; broken files and landslides are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.again import FEW, failed_tests, worth_another_run


@pytest.mark.parametrize(
    ("failed", "again"),
    [
        ([], False),
        (["tests/test_a.py::test_one"], True),
        ([f"tests/test_a.py::test_one[{n}]" for n in range(FEW)], True),
        ([f"tests/test_a.py::test_one[{n}]" for n in range(FEW + 1)], False),
        (["tests/test_a.py"], False),
    ],
)
def test_what_is_run_again(tmp_path: Path, failed: list[str], again: bool) -> None:
    remembered = tmp_path / "lastfailed"
    remembered.write_text(json.dumps(dict.fromkeys(failed, True)))
    assert failed_tests(remembered) == failed
    assert worth_another_run(failed) is again


def test_a_run_that_remembers_nothing_is_not_excused(tmp_path: Path) -> None:
    assert not worth_another_run(failed_tests(tmp_path / "lastfailed"))
