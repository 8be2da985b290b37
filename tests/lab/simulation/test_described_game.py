"""Refinement works in a game that nobody wrote code for: elements for any game, bred in Connect Four."""

from games.registry import game as find_game
from lab.probands.factor import HumanFactor
from lab.refinement.pool import pool_of
from lab.simulation.study import SimulationSettings, simulate

CONNECT_FOUR = "gdl:connect-four"


def test_a_round_on_connect_four_finds_the_planted_factor() -> None:
    factor = HumanFactor(("Winning", "Nearby"), pool_of(find_game(CONNECT_FOUR)))
    outcome = simulate(SimulationSettings(factor, CONNECT_FOUR, 100, 30), 1)
    assert outcome.found, outcome.final
    assert {"Winning", "Nearby"} < set(outcome.final[0])
    assert outcome.generations[-1].believability > outcome.generations[0].believability
