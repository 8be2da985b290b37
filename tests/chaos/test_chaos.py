"""The quick form of the chaos test, and what is said about seeds. The full form is `python -m tests.chaos`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.faults import FAULTS
from tests.chaos.plan import DETAILS, FULL, QUICK, Scale, draw_plan
from tests.chaos.run import run


@pytest.mark.parametrize("scale", [QUICK, FULL], ids=["quick", "full"])
def test_a_seed_draws_the_same_plan_and_every_fault(scale: Scale) -> None:
    plan, again, other = (draw_plan(seed, scale) for seed in (7, 7, 8))
    assert plan == again
    assert plan.dice_seed(0) == again.dice_seed(0)
    assert plan.faults != other.faults
    assert plan.dice_seed(0) != other.dice_seed(0)
    assert sorted({fault.kind for fault in plan.faults}) == sorted(DETAILS) == sorted(FAULTS)
    assert len(plan.faults) == scale.rounds * len(FAULTS)
    assert [fault.after for fault in plan.faults] == sorted(fault.after for fault in plan.faults)


@pytest.mark.alone
def test_nothing_that_was_acknowledged_is_lost_whatever_breaks(tmp_path: Path) -> None:
    outcome = run(draw_plan(7, QUICK), tmp_path)
    assert outcome.good, outcome.told()
