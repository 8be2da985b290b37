"""Our figures against those of R for the same data, as `oracles.py` keeps them: no R is needed, nothing skipped."""

from __future__ import annotations

import pytest

from tests.lab.oracles import ORACLES


@pytest.mark.parametrize("name", ORACLES)
def test_we_say_what_r_said(name: str) -> None:
    oracle = ORACLES[name]
    assert oracle.recorded
    assert list(oracle.ours()) == pytest.approx(oracle.recorded, abs=oracle.within)
