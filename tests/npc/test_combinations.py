"""The table of combinations: every pair behaves as described, as statistics over seeded games."""

import pytest

from npc.composed.jostle import ELEMENTS
from npc.composed.jostle.measuring.document import document
from npc.composed.jostle.measuring.table import COMBINATIONS, Claim, Effect, Finding, findings
from npc.simulation.report import Estimate
from server.base.settings import ROOT

GAMES = 100


@pytest.fixture(scope="module")
def found() -> dict[str, list[Finding]]:
    """Every combination and its host, played once for all tests."""
    by_name: dict[str, list[Finding]] = {}
    for finding in findings(GAMES, "table", workers=1):
        by_name.setdefault(finding.combination.name, []).append(finding)
    return by_name


@pytest.mark.parametrize("name", [combination.name for combination in COMBINATIONS])
def test_a_combination_differs_from_its_host_as_described(found: dict[str, list[Finding]], name: str) -> None:
    for finding in found[name]:
        assert finding.holds, f"{finding.claim.measure} should be {finding.claim.effect.value}: {finding.difference}"


def test_the_table_has_the_twelve_combinations_and_revenging() -> None:
    basics = [name for name in ELEMENTS if ELEMENTS[name].is_basic]
    symbionts = [name for name in ELEMENTS if not ELEMENTS[name].is_basic]
    assert {combination.name for combination in COMBINATIONS} == {f"{s} {b}" for s in symbionts for b in basics}


@pytest.mark.parametrize(
    ("effect", "difference", "holds"),
    [
        (Effect.MORE, Estimate(1, 0.5, 1.5), True),
        (Effect.MORE, Estimate(1, -0.5, 2.5), False),
        (Effect.LESS, Estimate(-1, -1.5, -0.5), True),
        (Effect.LESS, Estimate(1, 0.5, 1.5), False),
        (Effect.NONE, Estimate(0, 0, 0), True),
        (Effect.NONE, Estimate(0, -0.1, 0.1), False),
    ],
)
def test_a_claim_holds_only_if_its_whole_interval_does(effect: Effect, difference: Estimate, holds: bool) -> None:
    assert Claim("distance", effect).holds(difference) is holds


def test_the_page_names_every_element_and_what_was_found() -> None:
    found = Finding(COMBINATIONS[0], COMBINATIONS[0].claims[0], *[Estimate(1, 0.5, 1.5)] * 3)
    page = document([found], 10, "7")
    assert all(f"| {name} |" in page for name in ELEMENTS)
    assert "+1.00 [+0.50, +1.50] | yes |" in page


def test_the_committed_page_is_of_the_present_table_and_every_claim_held() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text()
    assert all(element.meaning in page for element in ELEMENTS.values())
    assert all(f"| {combination.name} | {combination.said} |" in page for combination in COMBINATIONS)
    rows = [line for line in page.splitlines() if line.endswith(("| yes |", "| no |"))]
    assert len(rows) == sum(len(combination.claims) for combination in COMBINATIONS)
    assert all(line.endswith("| yes |") for line in rows)
