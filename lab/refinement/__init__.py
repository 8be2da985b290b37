"""Refinement rounds: rate a population of strategies, evolve it, strip the believable ones to the minimum."""

from lab.refinement.evidence import Evidence, Ratings
from lab.refinement.pool import Elements, Pool, pool_of, population_of
from lab.refinement.round import Phase, RoundState, Step, StepDecision, start, step
from lab.refinement.settings import PRESETS, RefinementSettings

__all__ = [
    "PRESETS",
    "Elements",
    "Evidence",
    "Phase",
    "Pool",
    "Ratings",
    "RefinementSettings",
    "RoundState",
    "Step",
    "StepDecision",
    "pool_of",
    "population_of",
    "start",
    "step",
]
