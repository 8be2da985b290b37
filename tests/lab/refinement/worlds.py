"""A world without noise for the round: what judges see follows from the elements alone."""

from collections.abc import Callable, Iterable

from lab.refinement import Elements, Evidence, Phase, Ratings, RefinementSettings, RoundState, Step, step


def evidence(detection: float, judgements: int = 400) -> Evidence:
    return Evidence(1 - detection, judgements, judgements, round(detection * judgements))


def ratings(lists: Iterable[Elements], detection: Callable[[Elements], float]) -> Ratings:
    return Ratings({elements: evidence(detection(elements)) for elements in lists}, evidence(0.2))


def play(
    state: RoundState, detection: Callable[[Elements], float], settings: RefinementSettings, most: int = 200
) -> list[Step]:
    """All steps of a round until it is done, in this world."""
    steps, known = [Step(state)], set(state.population)
    while state.phase is not Phase.DONE:
        if len(steps) > most:
            raise AssertionError(f"the round is not done after {most} steps: {state.phase}, {state.generation}")
        known |= set(state.population)
        steps.append(step(state, ratings(known, detection), settings))
        state = steps[-1].state
    return steps
