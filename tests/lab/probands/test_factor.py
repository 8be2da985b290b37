"""How artificial a strategy looks, and when the planted factor counts as found."""

import pytest

from lab.probands.factor import HumanFactor
from lab.refinement.pool import parse
from tests.lab.start import POOL

FACTOR = HumanFactor(parse("Observing,Lingering"), POOL, missing=1, misorder=0.5, superfluous=0.25)
WITH_BASIC = HumanFactor(parse("Lingering,PALS"), POOL, missing=1, misorder=0.5, superfluous=0.25)


@pytest.mark.parametrize(
    ("factor", "written", "artificialness", "is_found", "in_order"),
    [
        (FACTOR, "Observing Lingering PALS", 0, True, True),
        (FACTOR, "Observing EQUALIZER Lingering", 0, True, True),
        (FACTOR, "Lingering Observing PALS", 0.5, True, False),
        (FACTOR, "Observing PALS", 1, False, False),
        (FACTOR, "PALS", 2, False, False),
        (FACTOR, "PALS ADVANCER", 2.25, False, False),
        (FACTOR, "Observing Lingering PALS ADVANCER", 0.25, False, False),
        (FACTOR, "Aggressive Observing Lingering PALS ADVANCER", 0.5, False, False),
        (FACTOR, "Aggressive Observing PALS", 1.25, False, False),
        (WITH_BASIC, "Lingering PALS", 0, True, True),
        (WITH_BASIC, "PALS Lingering", 0.5, True, False),
        (WITH_BASIC, "Lingering PALS ADVANCER", 0.25, False, False),
        (WITH_BASIC, "Lingering ADVANCER", 1, False, False),
        (WITH_BASIC, "PALS", 1, False, False),
    ],
)
def test_missing_misplaced_and_superfluous_elements_look_artificial(
    factor: HumanFactor, written: str, artificialness: float, is_found: bool, in_order: bool
) -> None:
    elements = parse(written)
    assert factor.artificialness(elements) == pytest.approx(artificialness)
    assert factor.is_found_in(elements) is is_found
    assert factor.in_order(elements) is in_order


def test_nothing_is_found_in_nothing() -> None:
    assert not FACTOR.is_found_in(None)
    assert not FACTOR.in_order(None)


@pytest.mark.parametrize("planted", ["", "Observing,Observing", "Sleeping", "RANDOMIZER,ADVANCER,PALS,EQUALIZER," * 2])
def test_impossible_factors_are_refused(planted: str) -> None:
    with pytest.raises(ValueError, match="expected different elements of"):
        HumanFactor(parse(planted), POOL)


def test_a_factor_that_fills_the_whole_pool_is_refused() -> None:
    everything = "RANDOMIZER ADVANCER PALS EQUALIZER Observing Aggressive Revenging Lingering"
    with pytest.raises(ValueError, match="no strategy can carry"):
        HumanFactor(parse(everything), POOL)
