"""Refinement rounds: rate a population of strategies, evolve it, strip the believable ones to the minimum."""

from lab.refinement.evidence import Evidence, Ratings
from lab.refinement.pool import DOCUMENTED, JOSTLE_POOL, Elements, Pool
from lab.refinement.round import Decision, Phase, RoundState, Step, start, step
from lab.refinement.settings import PRESETS, RefinementSettings

__all__ = [
    "DOCUMENTED",
    "JOSTLE_POOL",
    "PRESETS",
    "Decision",
    "Elements",
    "Evidence",
    "Phase",
    "Pool",
    "Ratings",
    "RefinementSettings",
    "RoundState",
    "Step",
    "start",
    "step",
]
