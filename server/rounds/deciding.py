"""The computation of a step, done in another process: from what a rating snapshot knows to what the round decides."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from lab.refinement import Phase, RefinementSettings, RoundState, Step, step
from lab.refinement.behaviour import behaviour_of
from lab.refinement.evidence import shared
from lab.refinement.pool import text
from npc.rules import opened
from server.ratings.evidence import Known

Rules = tuple[str, str]
"""Reference and source of a game: another process may not know it yet."""


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


def decide(state: RoundState, settings: RefinementSettings, known: Known, rules: Rules) -> Outcome:
    """With `merge_alike`, what is known about a list is also what is known about lists that play like it."""
    if not settings.merge_alike:
        return Outcome(step(state, known.ratings, settings), progress(state, known), lacking(state, known, settings))
    behaviour = behaviour_of(opened(*rules).reference)
    taken = step(state, known.ratings, settings, behaviour.alike)
    together = replace(known, ratings=shared(known.ratings, state.population, behaviour.alike))
    behaviour.forget()
    return Outcome(taken, progress(state, together), lacking(state, together, settings))


def lacking(state: RoundState, known: Known, settings: RefinementSettings) -> tuple[str, ...]:
    needed = settings.strip_experts if state.phase is Phase.STRIP else settings.expert_judgements
    found = known.ratings
    return tuple(text(elements) for elements in state.population if found.of(elements).expert_judgements < needed)


def progress(state: RoundState, known: Known = Known()) -> dict[str, Any]:  # noqa: B008 - it is immutable
    """What is known about the population; of one that nobody has looked at yet, nothing."""
    return {
        "strategies": {text(elements): asdict(known.ratings.of(elements)) for elements in state.population},
        "humans": asdict(known.ratings.humans),
        "experts": known.experts,
    }
