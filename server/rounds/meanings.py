"""What each setting of a round means, for those who choose and read them; lab/refinement/settings.py says more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from lab.refinement import PRESETS
from server.base.errors import N_

MEANINGS: Final[Mapping[str, str]] = {
    "merge_alike": N_("Whether lists that play alike are one strategy; not where simulated probands judge."),
    "judgements": N_("Judgements that every strategy needs before a decision about it."),
    "expert_judgements": N_("Of these by super experts."),
    "imbalance": N_("Phase one waits while a strategy has more than so many times the judgements of another."),
    "sigma_start": N_("Step size σ at the start: the larger, the more elements mutation adds."),
    "sigma_rule": N_("How σ is passed on: additive, printed or lognormal."),
    "learning_rate": N_("τ of the lognormal rule."),
    "refill": N_("Whether a child gets as long as a parent although duplicates were dropped."),
    "offspring_factor": N_("How many children are drawn for each strategy of the population."),
    "elite_factor": N_("Of so many strategies the best one stays as it is."),
    "growth": N_("How many times the start population later populations are."),
    "fitness": N_("What parents are chosen by: rating, or random as a baseline."),
    "believable_share": N_("The share of believable strategies that ends phase two."),
    "max_generations": N_("Phase two gives up after so many populations."),
    "tolerance": N_("How far detection by super experts may lie above their false alarms about humans."),
    "level": N_("Error level of the test that a strategy is believable."),
    "believable_experts": N_("Judgements by super experts without which nothing is called believable."),
    "fall": N_("What a stripped strategy must not fall below: predecessor, humans or either."),
    "fall_level": N_("Error level of the test that believability fell."),
    "strip_experts": N_("Judgements by super experts that a stripped strategy needs."),
    "try_all": N_("Whether every removable element is stripped at once instead of one at random."),
}


def nearest_preset(settings: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The set of settings that differs least from these, and what differs from it."""
    changes = {
        preset: {name: settings[name] for name, value in asdict(known).items() if settings.get(name, value) != value}
        for preset, known in PRESETS.items()
    }
    nearest = min(changes, key=lambda preset: len(changes[preset]))
    return nearest, changes[nearest]
