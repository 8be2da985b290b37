"""How often simulated studies find the planted human factor: the proof table of docs/refinement.md.

    python benchmarks/refinement.py --seeds 20 [--section proof] [--workers 2] [--cluster tcp://…]

Found means that the first of P_final is exactly the planted set plus one basic strategy. Intervals are exact
(Clopper–Pearson), 95 %.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import numpy as np

from lab.cluster import executor
from lab.probands.factor import HumanFactor
from lab.probands.judging import hold_session
from lab.probands.persons import PersonSettings, draw_persons
from lab.refinement.operators import SIGMA_RULES, child_sigma
from lab.refinement.pool import parse
from lab.refinement.settings import DECIDED, RECOMMENDED, THESIS, RefinementSettings
from lab.simulation.judgement_log import JudgementLog, LogSettings
from lab.simulation.proof import (
    Hits,
    chance_of_random_strategy,
    found,
    outcomes,
    random_strategies,
    with_random_selection,
)
from lab.simulation.study import Outcome, StudySettings

FACTOR: Final = HumanFactor(parse("Observing,Lingering"))
SIZES: Final = ((25, 20), (25, 40), (50, 30), (100, 15), (100, 30), (200, 30))
"""Persons and judgements of each in every generation."""


@dataclass(frozen=True)
class Bench:
    """Where studies run and over which seeds."""

    pool: Executor
    seeds: Sequence[int]

    def run(self, settings: StudySettings) -> list[Outcome]:
        return outcomes(settings, self.seeds, self.pool)


def study(refinement: RefinementSettings = RECOMMENDED, persons: int = 100, judgements: int = 30) -> StudySettings:
    return StudySettings(FACTOR, persons, judgements, refinement=refinement)


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
        sys.stdout.flush()


def summary(results: Sequence[Outcome]) -> tuple[str, str, str]:
    """Found, found in the planted order too, and generations that a study took."""
    ordered = Hits(sum(one.in_order for one in results), len(results))
    return str(found(results)), str(ordered), f"{statistics.median(len(one.generations) for one in results):g}"


def proof(bench: Bench) -> None:
    def row(persons: int, judgements: int) -> tuple[str, ...]:
        settings = study(persons=persons, judgements=judgements)
        guided, blind = bench.run(settings), bench.run(with_random_selection(settings))
        return str(persons), str(judgements), *summary(guided), str(found(blind))

    table(
        "Recommended settings, planted Observing Lingering",
        ("persons", "judgements each", "found", "in order too", "generations", "random selection"),
        (row(*size) for size in SIZES),
    )
    chance, drawn = chance_of_random_strategy(FACTOR), random_strategies(FACTOR, bench.seeds)
    print(f"\nA random strategy of the same size: {drawn}; exactly {chance:.1%}.")


SETTINGS: Final[dict[str, RefinementSettings]] = {
    "thesis, literally": THESIS,
    "thesis with equivalence test (decided)": DECIDED,
    "decided, 10 % believable suffice": replace(DECIDED, believable_share=0.1),
    "recommended": RECOMMENDED,
    "recommended, 20 % believable needed": replace(RECOMMENDED, believable_share=0.2),
    "recommended, strict reading": replace(RECOMMENDED, tolerance=0.0),
    "recommended, tolerance 10 points, level 5 %": replace(RECOMMENDED, tolerance=0.1, level=0.05),
    "recommended, fall below the predecessor": replace(RECOMMENDED, fall="predecessor"),
    "recommended, σ as printed": replace(RECOMMENDED, sigma_rule="printed"),
    "recommended, σ log-normal": replace(RECOMMENDED, sigma_rule="lognormal"),
    "recommended, children refilled": replace(RECOMMENDED, refill=True),
    "recommended, every element stripped": replace(RECOMMENDED, try_all=True),
}


def settings_side_by_side(bench: Bench) -> None:
    few = ("recommended", "recommended, fall below the predecessor", "recommended, every element stripped")
    for persons, judgements, names in ((100, 30, tuple(SETTINGS)), (25, 20, few)):
        table(
            f"Settings side by side, {persons} persons, {judgements} judgements each",
            ("settings", "found", "in order too", "generations", "wrong answer", "no answer"),
            (
                (name, *summary(results), *_failures(results))
                for name in names
                for results in [bench.run(study(SETTINGS[name], persons, judgements))]
            ),
        )


def _failures(results: Sequence[Outcome]) -> tuple[str, str]:
    none = sum(one.answer is None for one in results)
    return str(sum(not one.found for one in results) - none), str(none)


def truths(bench: Bench) -> None:
    """Other planted factors, and the same one in easier and harder worlds."""
    worlds = {written: HumanFactor(parse(written)) for written in PLANTED} | {
        "Observing, Lingering; order free": replace(FACTOR, misorder=0.0),
        EASY[1]: replace(FACTOR, superfluous=0.0),
        "Observing, Lingering; superfluous free; super experts stay": replace(FACTOR, superfluous=0.0),
        "Observing, Lingering; superfluous 0.15": replace(FACTOR, superfluous=0.15),
        "Observing, Lingering; missing 0.7": replace(FACTOR, missing=0.7),
    }

    def row(name: str, factor: HumanFactor) -> tuple[str, ...]:
        settings = replace(study(), factor=factor, log=LogSettings(experts_stay="stay" in name))
        blind = str(found(bench.run(with_random_selection(settings)))) if name in EASY else "not run"
        return name, *summary(bench.run(settings)), blind, f"{chance_of_random_strategy(factor):.1%}"

    table(
        "Other truths, recommended settings, 100 persons, 30 judgements each",
        ("planted", "found", "in order too", "generations", "random selection", "random strategy"),
        (row(*world) for world in worlds.items()),
    )


EASY: Final = ("Observing", "Observing, Lingering; superfluous free")
"""Worlds in which chance might do; a study without selection takes several times as long, so it runs for these only."""

PLANTED: Final = (
    "Observing",
    "Revenging",
    "Observing,Aggressive",
    "Revenging,Lingering",
    "Observing,Aggressive,Lingering",
    "PALS,Lingering",
    "Observing,Aggressive,Revenging,Lingering",
)


def reasons(_: Bench) -> None:
    """Why the literal settings fail, in figures that need no study."""
    table(
        "How likely a strategy that looks exactly human is never called artificial",
        ("judgements by super experts", *(f"false alarms {alarm:.0%}" for alarm in ALARMS)),
        ((str(count), *(f"{(1 - alarm) ** count:.1%}" for alarm in ALARMS)) for count in (1, 5, 10, 20, 40)),
    )
    table(
        "Mean σ after so many generations of random mating",
        ("rule", *map(str, GENERATIONS)),
        ((rule, *(f"{sigma:.2f}" for sigma in _sigmas(rule))) for rule in SIGMA_RULES),
    )
    table(
        "Super experts among 100 persons after 30, 90 and 180 judgements each (mean of 10 studies)",
        ("strategies that look exactly human", "30", "90", "180"),
        ((f"{flawless} of 16", *(f"{count:.1f}" for count in _experts(flawless))) for flawless in (0, 4, 8, 12)),
    )


ALARMS: Final = (0.05, 0.15, 0.27)
GENERATIONS: Final = (0, 1, 5, 10, 20)


def _sigmas(rule: str) -> Iterable[float]:
    rng, settings = Random(rule), replace(DECIDED, sigma_rule=rule)
    sigmas = [settings.sigma_start] * 2000
    for generation in range(max(GENERATIONS) + 1):
        if generation in GENERATIONS:
            yield statistics.fmean(sigmas)
        sigmas = [child_sigma(rng.choice(sigmas), rng.choice(sigmas), rng, settings) for _ in sigmas]


def _experts(flawless: int) -> Iterable[float]:
    """How many super experts a population with so many flawless members lets emerge; the others lack one element."""
    looks = np.array([0.0] * flawless + [FACTOR.missing] * (16 - flawless))
    counts = np.zeros((10, 6))
    for study_number in range(10):
        persons = draw_persons(100, PersonSettings(), np.random.default_rng([study_number, 0]))
        log = JudgementLog(100, LogSettings())
        log.numbered([(str(place),) for place in range(16)])
        for session in range(6):
            log.add(
                hold_session(persons, looks, 30, 0.5, 30 * session, np.random.default_rng([study_number, session + 1]))
            )
            counts[study_number, session] = len(log.experts)
    means = counts.mean(axis=0).tolist()
    return means[0], means[2], means[5]


SECTIONS: Final[dict[str, Callable[[Bench], None]]] = {
    "proof": proof,
    "settings": settings_side_by_side,
    "truths": truths,
    "reasons": reasons,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--section", choices=SECTIONS, action="append")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--cluster")
    given = parser.parse_args()
    with executor(given.cluster, given.workers) as pool:
        bench = Bench(pool, range(1, given.seeds + 1))
        for section in given.section or SECTIONS:
            SECTIONS[section](bench)


if __name__ == "__main__":
    main()
