"""Inventing board games: what makes one entertaining by its source's metrics, and the evolution towards it."""

from lab.inventing.evolution import Setting, Trial, best, first_trial, mutated, next_trial
from lab.inventing.metrics import METRICS, Figures, combined, differences, measured
from lab.inventing.run import evolve

__all__ = [
    "METRICS",
    "Figures",
    "Setting",
    "Trial",
    "best",
    "combined",
    "differences",
    "evolve",
    "first_trial",
    "measured",
    "mutated",
    "next_trial",
]
