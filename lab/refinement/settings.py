"""Everything about a round that can be set, with the thesis's values and those that we recommend."""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class RefinementSettings:
    """The defaults are the decided ones; `PRESETS` names whole sets."""

    # All phases
    merge_alike: bool = False
    """Whether lists that play alike are one strategy: in breeding, in what is known about them, in stripping."""

    # Phase one
    judgements: int = 5
    """Judgements that every strategy needs before a decision about it."""
    expert_judgements: int = 1
    """Of these by super experts, before a decision about it."""
    imbalance: float = 2.0
    """Phase one is satisfied when no strategy has more than so many times the judgements of another."""

    # Phase two
    sigma_start: float = 3.0
    sigma_rule: str = "additive"
    """A name of `operators.SIGMA_RULES`: additive (the thesis's prose), printed (its formula), lognormal."""
    learning_rate: float = 0.35
    """τ of the lognormal rule; about 1/√(size of the pool)."""
    refill: bool = False
    """Whether a child gets as long as a parent although duplicates were dropped. Then lists never become shorter in
    phase two, and the population drifts away from short strategies."""
    offspring_factor: int = 7
    elite_factor: int = 7
    """The best ⌈|P|/elite_factor⌉ stay as they are."""
    growth: int = 2
    """P(t+1) has growth·μ0 members."""
    fitness: str = "rating"
    """rating: by ρ; random: a coin instead of ρ in every choice of phase two (the baseline of the proof)."""
    believable_share: float = 0.2
    max_generations: int = 20
    """Phase two gives up after so many populations."""

    # Believable
    tolerance: float = 0.10
    """How far the detection by super experts may lie above their false-alarm rate on humans. 0: the thesis's strict
    reading, no super expert detected it at all."""
    level: float = 0.05
    """Error level of the test that a strategy is believable."""
    believable_experts: int = 10
    """Judgements by super experts without which nothing is called believable."""

    # Phase three
    fall: str = "predecessor"
    """What a stripped strategy must not fall below; a name of `evidence.FALLS`."""
    fall_level: float = 0.05
    """Error level of the one-sided test that believability fell."""
    strip_experts: int = 1
    """Judgements by super experts that a stripped strategy needs before it is decided about."""
    try_all: bool = False
    """Strip every removable element of a member at once instead of one at random."""

    def __post_init__(self) -> None:
        if not 0 < self.level < 0.5:
            raise ValueError(f"level must lie above 0 and below 0.5, got {self.level}")
        for name in ("believable_share", "fall_level"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name} must lie above 0 and at most at 1, got {getattr(self, name)}")
        for name in ("judgements", "offspring_factor", "elite_factor", "growth", "max_generations"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.fitness not in {"rating", "random"}:
            raise ValueError(f"fitness must be rating or random, got {self.fitness}")
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance must lie between 0 and 1, got {self.tolerance}")


DECIDED: Final = RefinementSettings()
"""The values that the thesis gives, with the equivalence test within ±10 points instead of its strict reading."""

THESIS: Final = replace(DECIDED, tolerance=0.0, believable_experts=1)
"""The thesis taken literally: a strategy that one super expert has detected once is not believable."""

RECOMMENDED: Final = replace(DECIDED, merge_alike=True, believable_share=0.1, tolerance=0.2, level=0.2, fall="humans")
"""What finds a planted human factor with a hundred persons; docs/refinement.md has the figures behind each value."""

PRESETS: Final = {"recommended": RECOMMENDED, "decided": DECIDED, "thesis": THESIS}
