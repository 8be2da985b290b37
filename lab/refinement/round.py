"""A round of refinement as a pure state machine: rate, evolve, strip, done.

`step` takes the state and what the judgements say by now, and gives the next state with every decision and its reason.
All chance comes from the round's seed and the number of the step, so that a step that is repeated (after a crash, on
another machine) gives the same result. A step that lacks judgements gives the same state back and says what it needs.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Any, Self

from lab.refinement.evidence import FALLS, Evidence, Ratings, believable, fell, shared
from lab.refinement.operators import SIGMA_RULES, Member, next_population
from lab.refinement.pool import Alike, Elements, Pool, as_written, text
from lab.refinement.settings import RefinementSettings
from lab.refinement.stripping import Survivor, ordered, removable, strip


class Phase(StrEnum):
    RATE = "rate"
    EVOLVE = "evolve"
    STRIP = "strip"
    DONE = "done"


@dataclass(frozen=True)
class StepDecision:
    """One thing that a step decided, about a strategy ("" for the whole population), and why."""

    kind: str
    about: str
    reason: str


@dataclass(frozen=True)
class RoundState:
    """Everything that the next step needs besides the judgements."""

    seed: int
    start_size: int
    """μ0"""
    members: tuple[Member, ...]
    """Whom the judges meet now: P(t), or in phase three the stripped members of P_opt."""
    pool: Pool
    phase: Phase = Phase.RATE
    step: int = 0
    generation: int = 0
    slots: int = 0
    """Size that phase three tries to keep."""
    final: tuple[Survivor, ...] = ()
    """P_final, in order."""

    @property
    def population(self) -> tuple[Elements, ...]:
        return tuple(member.elements for member in self.members)

    @property
    def answer(self) -> Elements | None:
        """The first of P_final, once the round is done."""
        return self.final[0].elements if self.phase is Phase.DONE and self.final else None

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, written: str) -> Self:
        data: dict[str, Any] = json.loads(written)
        data["pool"] = Pool(**{name: tuple(elements) for name, elements in data["pool"].items()})
        data["phase"] = Phase(data["phase"])
        data["members"] = tuple(
            Member(**{**one, "elements": tuple(one["elements"]), "parents": tuple(map(tuple, one["parents"]))})
            for one in data["members"]
        )
        data["final"] = tuple(Survivor(**{**one, "elements": tuple(one["elements"])}) for one in data["final"])
        return cls(**data)


@dataclass(frozen=True)
class Step:
    """What a step gives: the next state (the same one if it has to wait) and the decisions that led to it."""

    state: RoundState
    decisions: tuple[StepDecision, ...] = field(default=())

    @property
    def waits(self) -> bool:
        return any(decision.kind == "wait" for decision in self.decisions)


def start(seed: int, settings: RefinementSettings, population: Sequence[Elements], pool: Pool) -> RoundState:
    """A new round whose P(0) has still to be judged. Raises ValueError if a list cannot play or occurs twice."""
    for name, value, known in (("sigma_rule", settings.sigma_rule, SIGMA_RULES), ("fall", settings.fall, FALLS)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value}")
    lists = [pool.checked(elements) for elements in population]
    if not lists or len(set(lists)) != len(lists):
        raise ValueError(f"a start population needs different strategies, got {[text(one) for one in lists]}")
    return RoundState(seed, len(lists), tuple(Member(one, settings.sigma_start) for one in lists), pool)


def step(state: RoundState, ratings: Ratings, settings: RefinementSettings, alike: Alike = as_written) -> Step:
    """With `alike`, lists that play alike are one strategy: in breeding, in what is known about them, in stripping."""
    if state.phase is Phase.DONE:
        return Step(state)
    apart, ratings = ratings, shared(ratings, state.population, alike)
    if lacking := tuple(missing(state, ratings, settings, apart)):
        return Step(state, lacking)
    rng = Random(f"{state.seed}:{state.step}")
    advance = _stripped if state.phase is Phase.STRIP else _rated
    return advance(replace(state, step=state.step + 1), ratings, settings, rng, alike)


def missing(
    state: RoundState, ratings: Ratings, settings: RefinementSettings, apart: Ratings
) -> Iterable[StepDecision]:
    """What the round still waits for, one line per strategy that lacks something.

    `apart` is the evidence about each list by itself: how evenly people meet them does not depend on which play alike.
    """
    experts = settings.strip_experts if state.phase is Phase.STRIP else settings.expert_judgements
    counts = [apart.of(elements).judgements for elements in state.population]
    for elements in state.population:
        evidence = ratings.of(elements)
        lacks = []
        if evidence.judgements < settings.judgements:
            lacks.append(f"{evidence.judgements} of {settings.judgements} judgements")
        if evidence.expert_judgements < experts:
            lacks.append(f"{evidence.expert_judgements:g} of {experts} judgements by super experts")
        if lacks:
            yield StepDecision("wait", text(elements), "has " + " and ".join(lacks))
    if state.phase is Phase.RATE and min(counts) and max(counts) > settings.imbalance * min(counts):
        rarest = text(state.population[counts.index(min(counts))])
        yield StepDecision(
            "wait",
            rarest,
            f"judged {min(counts)} times, another {max(counts)} times, more than {settings.imbalance:g} times that",
        )


def _rated(state: RoundState, ratings: Ratings, settings: RefinementSettings, rng: Random, alike: Alike) -> Step:
    """After a population has been judged: strip the believable ones if there are enough, else breed the next one."""
    decisions, chosen = [], []
    for member in state.members:
        verdict = believable(ratings.of(member.elements), ratings.humans, settings)
        decisions.append(
            StepDecision("believable" if verdict.holds else "not believable", text(member.elements), verdict.reason)
        )
        if verdict.holds:
            chosen.append(member)
    share = f"{len(chosen)} of {len(state.members)} are believable, {settings.believable_share:.0%} needed"
    if chosen and len(chosen) >= settings.believable_share * len(state.members):
        decisions.append(StepDecision("strip", "", share))
        return _strip_further(replace(state, slots=len(chosen)), chosen, {}, ratings, settings, rng, alike, decisions)
    if state.generation >= settings.max_generations:
        decisions.append(
            StepDecision("give up", "", f"{share}, and population {state.generation} was the last one allowed")
        )
        return Step(replace(state, phase=Phase.DONE), tuple(decisions))
    fitness = _fitness(state, ratings, settings, rng)
    generation = state.generation + 1
    size = settings.growth * state.start_size
    members = next_population(state.members, fitness, size, generation, state.pool, rng, settings, alike)
    decisions.append(StepDecision("evolve", "", share))
    decisions.extend(_changes(state.members, members, fitness))
    return Step(replace(state, phase=Phase.EVOLVE, generation=generation, members=members), tuple(decisions))


def _changes(
    before: Sequence[Member], after: Sequence[Member], fitness: Mapping[Elements, float]
) -> Iterable[StepDecision]:
    """Who stays, who comes and who goes, and why."""
    for member in after:
        if member.origin == "elite":
            yield StepDecision("keep", text(member.elements), f"ρ = {fitness[member.elements]:.2f}, among the best")
        else:
            promise = sum(fitness[parent] for parent in member.parents) / len(member.parents)
            parents = " and ".join(map(text, member.parents))
            yield StepDecision("child", text(member.elements), f"of {parents}, promising ρ = {promise:.2f}")
    staying = {member.elements for member in after}
    for member in before:
        if member.elements not in staying:
            yield StepDecision(
                "retire", text(member.elements), f"ρ = {fitness[member.elements]:.2f}, not among the best"
            )


def _fitness(state: RoundState, ratings: Ratings, settings: RefinementSettings, rng: Random) -> dict[Elements, float]:
    if settings.fitness == "random":
        return {elements: rng.random() for elements in state.population}
    return {elements: ratings.of(elements).believability for elements in state.population}


def _stripped(state: RoundState, ratings: Ratings, settings: RefinementSettings, rng: Random, alike: Alike) -> Step:
    """After stripped members have been judged: the predecessors of the fallen are final, the others are stripped on."""
    decisions, kept = [], []
    final = {one.elements: one for one in state.final}
    for member in state.members:
        before = _pooled([ratings.of(parent) for parent in member.parents])
        verdict = fell(ratings.of(member.elements), before, ratings.humans, settings)
        if not verdict.holds:
            kept.append(member)
            decisions.append(StepDecision("still believable", text(member.elements), verdict.reason))
            continue
        decisions.append(StepDecision("drop", text(member.elements), verdict.reason))
        for parent in member.parents:
            if parent not in final:
                final[parent] = Survivor(parent, ratings.of(parent).believability, f"{text(member.elements)} fell")
                decisions.append(
                    StepDecision("final", text(parent), f"{text(member.elements)}, stripped from it, fell")
                )
    return _strip_further(state, kept, final, ratings, settings, rng, alike, decisions)


def _strip_further(
    state: RoundState,
    kept: Sequence[Member],
    final: dict[Elements, Survivor],
    ratings: Ratings,
    settings: RefinementSettings,
    rng: Random,
    alike: Alike,
    decisions: list[StepDecision],
) -> Step:
    for member in kept:
        played = alike(member.elements)
        if not removable(played, state.pool) and played not in final:
            reason = "nothing is left to remove"
            final[played] = Survivor(played, ratings.of(member.elements).believability, reason)
            decisions.append(StepDecision("final", text(played), reason))
    generation = state.generation + 1
    members = strip(kept, state.slots, generation, state.pool, rng, settings, alike)
    decisions.extend(
        StepDecision("stripped", text(member.elements), f"what {' and '.join(map(text, member.parents))} kept")
        for member in members
    )
    state = replace(state, members=members, final=ordered(final), generation=generation)
    if not members:
        decisions.append(StepDecision("done", "", f"P_opt is empty; P_final has {len(final)} members"))
        return Step(replace(state, phase=Phase.DONE), tuple(decisions))
    return Step(replace(state, phase=Phase.STRIP), tuple(decisions))


def _pooled(evidence: Sequence[Evidence]) -> Evidence:
    return Evidence(
        expert_judgements=sum(one.expert_judgements for one in evidence),
        expert_detections=sum(one.expert_detections for one in evidence),
    )
