"""The computation of a step, done in another process: from the judgement log to what the round decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lab.experts import assess
from lab.judgements import Judgement, in_order
from lab.ratings import RatingSettings
from lab.refinement import Evidence, Phase, Ratings, RefinementSettings, RoundState, Step, step
from lab.refinement.pool import text
from lab.refinement.ratings import evidence_of
from lab.smoothing import smooth


@dataclass(frozen=True)
class Outcome:
    """A step, and what was known about the population when it was taken."""

    step: Step
    progress: dict[str, Any]
    lacking: tuple[str, ...]
    """Strategies with too few judgements by super experts."""

    @property
    def kind(self) -> str:
        return kind_of(self.step)


def kind_of(step: Step) -> str:
    """What a step did, in a word."""
    if step.waits:
        return "wait"
    last = step.decisions[-1].kind if step.decisions else ""
    return last if last in {"done", "give up"} else step.state.phase.value


def decide(
    state: RoundState, settings: RefinementSettings, log: Sequence[Judgement], rating: RatingSettings
) -> Outcome:
    ratings, experts = evidence(log, rating)
    taken = step(state, ratings, settings)
    return Outcome(taken, progress(state, ratings, experts), lacking(state, ratings, settings))


def evidence(log: Sequence[Judgement], rating: RatingSettings) -> tuple[Ratings, int]:
    """What the log says about every strategy, and by how many super experts."""
    if not log:
        return Ratings({}), 0
    ordered = in_order(log)
    experts = assess(ordered, rating.experts).super_experts
    smoothed = smooth(ordered, rating.smoothing, experts)
    believability = {name: one.believability for name, one in smoothed.strategies.items()}
    return evidence_of(ordered, experts, believability), len(experts)


def lacking(state: RoundState, ratings: Ratings, settings: RefinementSettings) -> tuple[str, ...]:
    needed = settings.strip_experts if state.phase is Phase.STRIP else settings.expert_judgements
    return tuple(text(elements) for elements in state.population if ratings.of(elements).expert_judgements < needed)


def progress(state: RoundState, ratings: Ratings, experts: int) -> dict[str, Any]:
    return {
        "strategies": {text(elements): asdict(ratings.of(elements)) for elements in state.population},
        "humans": asdict(ratings.humans),
        "experts": experts,
    }


def nothing_known(state: RoundState) -> dict[str, Any]:
    """The progress of a population that nobody has looked at yet."""
    return progress(state, Ratings({}, Evidence()), 0)
