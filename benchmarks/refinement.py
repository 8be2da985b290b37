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

from games.jostle import JOSTLE
from games.registry import game as find_game
from lab.cluster import executor
from lab.experts import ExpertSettings
from lab.probands.factor import Factor, HumanFactor, PlayedFactor
from lab.probands.judging import always, hold_session
from lab.probands.persons import PersonSettings, draw_persons
from lab.probands.watching import WatchedFactor
from lab.refinement.behaviour import behaviour_of
from lab.refinement.operators import SIGMA_RULES, child_sigma
from lab.refinement.pool import parse, pool_of
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
from lab.simulation.study import Outcome, SimulationSettings
from lab.turing.meetings import MEETINGS

POOL: Final = pool_of(JOSTLE)
FACTOR: Final = HumanFactor(parse("Observing,Lingering"), POOL)
SIZES: Final = ((25, 20), (25, 40), (50, 30), (100, 15), (100, 30), (200, 30))
"""Persons and judgements of each in every generation."""


@dataclass(frozen=True)
class Bench:
    """Where studies run and over which seeds."""

    pool: Executor
    seeds: Sequence[int]

    def run(self, settings: SimulationSettings) -> list[Outcome]:
        return outcomes(settings, self.seeds, self.pool)


def study(refinement: RefinementSettings = RECOMMENDED, persons: int = 100, judgements: int = 30) -> SimulationSettings:
    return SimulationSettings(FACTOR, JOSTLE.reference, persons, judgements, refinement=refinement)


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
    worlds = {written: HumanFactor(parse(written), POOL) for written in PLANTED} | {
        "Observing, Lingering; order free": replace(FACTOR, misorder=0.0),
        EASY[1]: replace(FACTOR, superfluous=0.0),
        "Observing, Lingering; superfluous free; super experts die out": replace(FACTOR, superfluous=0.0),
        "Observing, Lingering; superfluous 0.15": replace(FACTOR, superfluous=0.15),
        "Observing, Lingering; superfluous 0.1": replace(FACTOR, superfluous=0.1),
        "Observing, Lingering; effects halved": replace(FACTOR, missing=0.5, misorder=0.2, superfluous=0.15),
    }

    def row(name: str, factor: HumanFactor) -> tuple[str, ...]:
        settings = replace(study(), factor=factor, log=LogSettings(ExpertSettings(stay="die out" not in name)))
        blind = str(found(bench.run(with_random_selection(settings)))) if name in EASY else "not run"
        return name, *summary(bench.run(settings)), blind, f"{chance_of_random_strategy(factor):.1%}"

    table(
        "Other truths, recommended settings, 100 persons, 30 judgements each",
        ("planted", "found", "in order too", "generations", "random selection", "random strategy"),
        (row(*world) for world in worlds.items()),
    )


CARRIERS: Final = ("Observing Lingering PALS", "Revenging EQUALIZER", "Aggressive Observing ADVANCER")


def behaviour(bench: Bench) -> None:
    """Judges who go by what is played: humans play like one list; what decides otherwise looks artificial by that."""
    lists = Random("idle").sample(list(POOL.lists(3)), 100)
    known = behaviour_of(JOSTLE.reference)
    print(f"\nOf 100 lists of three elements {sum(bool(known.idle(one)) for one in lists)} carry an idle one.")
    for carrier in CARRIERS:
        table(
            f"Humans play like {carrier}; recommended settings, 100 persons, 30 judgements each",
            PLAYED_HEAD,
            (
                played_row(bench, name, world, merged)
                for name, world in worlds(carrier).items()
                for merged in (False, True)
            ),
        )


PLAYED_HEAD: Final = (
    "judges",
    "alike merged",
    "found",
    "found or at most 5 % of the decisions unlike",
    "with idle element",
    "decisions unlike humans",
    "no answer",
    "matches per person",
)


def worlds(carrier: str) -> dict[str, SimulationSettings]:
    """Judges who know how often a strategy decides otherwise, and judges who only know the match that they saw."""
    known, seen = (
        replace(study(), factor=kind(parse(carrier), JOSTLE.reference)) for kind in (PlayedFactor, WatchedFactor)
    )
    halved = replace(seen, factor=WatchedFactor(parse(carrier), JOSTLE.reference, 2.5))
    return {
        "by all decisions": known,
        "by the match that they saw": seen,
        "the same, effects halved": halved,
        "the same, people differ by 0.8": replace(seen, people=PersonSettings(human_spread=0.8)),
        "the same, judges compare by half": replace(seen, people=PersonSettings(comparing=0.5)),
        "the same, a tenth leaves each session": replace(seen, people=PersonSettings(leaving=0.1)),
        "the same, misjudged ones again": replace(seen, again=True),
        "all of these": replace(
            halved, again=True, people=PersonSettings(human_spread=0.8, comparing=0.5, leaving=0.1)
        ),
    }


def played_row(bench: Bench, name: str, settings: SimulationSettings, merged: bool) -> tuple[str, ...]:
    results = bench.run(replace(settings, refinement=replace(settings.refinement, merge_alike=merged)))
    known, carrier = behaviour_of(JOSTLE.reference), settings.factor.planted
    answers = [one.answer for one in results if one.answer is not None]
    unlike = [known.disagreement(one, carrier) for one in answers]
    return (
        name,
        "yes" if merged else "no",
        str(found(results)),
        f"{sum(one <= 0.05 for one in unlike)}",
        str(sum(bool(known.idle(one)) for one in answers)),
        f"{statistics.fmean(unlike):.0%}" if unlike else "–",
        str(len(results) - len(answers)),
        matches_each(results, settings),
    )


def matches_each(results: Sequence[Outcome], settings: SimulationSettings) -> str:
    """In a standard match everybody judges two others."""
    return f"{statistics.median(len(one.generations) for one in results) * settings.judgements / 2:g}"


def helps(bench: Bench) -> None:
    """Where recommended settings break, and what helps there: a stricter proof, more persons, experts by less."""
    known = behaviour_of(JOSTLE.reference)

    def row(name: str, world: SimulationSettings, remedy: str) -> tuple[str, ...]:
        settings = HELPS[remedy](world)
        results, carrier = bench.run(settings), settings.factor.planted
        answers = [one.answer for one in results if one.answer is not None]
        alike = sum(known.disagreement(one, carrier) <= 0.05 for one in answers) if settings.factor.is_played else "–"
        return name, remedy, str(found(results)), str(alike), *_failures(results), matches_each(results, settings)

    hard = {
        "names, effects halved": replace(study(), factor=replace(FACTOR, missing=0.5, misorder=0.2, superfluous=0.15)),
        "names, superfluous 0.1": replace(study(), factor=replace(FACTOR, superfluous=0.1)),
        "the match that was seen, effects halved": worlds(CARRIERS[0])["the same, effects halved"],
    }
    table(
        "Where it breaks and what helps, 100 persons, 30 judgements each",
        ("judged by", "settings", "found", "at most 5 % unlike", "wrong answer", "no answer", "matches per person"),
        (row(name, world, remedy) for name, world in hard.items() for remedy in HELPS),
    )


def _stricter(world: SimulationSettings, level: float = RECOMMENDED.level) -> SimulationSettings:
    return replace(world, refinement=replace(world.refinement, tolerance=0.1, level=level))


def _lenient(world: SimulationSettings) -> SimulationSettings:
    return replace(world, log=LogSettings(ExpertSettings(least_d_prime=0.5)))


HELPS: Final[dict[str, Callable[[SimulationSettings], SimulationSettings]]] = {
    "recommended": lambda world: world,
    "tolerance 10 points": _stricter,
    "tolerance 10 points, level 5 %": lambda world: _stricter(world, level=0.05),
    "tolerance 10 points, 200 persons": lambda world: replace(_stricter(world), persons=200),
    "super experts from d′ 0.5 on": _lenient,
    "tolerance 10 points, super experts from d′ 0.5 on": lambda world: _lenient(_stricter(world)),
}


def costs(bench: Bench) -> None:
    """What a study costs each person, and what cuts it: short sessions, meeting only what still lacks judgements."""

    def row(persons: int, judgements: int, adaptive: bool, factor: Factor) -> tuple[str, ...]:
        settings = replace(study(persons=persons, judgements=judgements), factor=factor, adaptive=adaptive, patience=60)
        results = bench.run(settings)
        return (
            "names" if factor is FACTOR else "matches",
            str(persons),
            str(judgements),
            "yes" if adaptive else "no",
            str(found(results)),
            _failures(results)[1],
            matches_each(results, settings),
        )

    seen = WatchedFactor(parse(CARRIERS[0]), JOSTLE.reference)
    table(
        "What a study costs, recommended settings",
        ("judged by", "persons", "judgements per session", "adaptive", "found", "no answer", "matches per person"),
        (
            row(persons, judgements, adaptive, factor)
            for factor in (FACTOR, seen)
            for persons in (50, 100, 200)
            for judgements, adaptive in ((30, False), (10, False), (10, True), (4, True))
        ),
    )


def meetings(bench: Bench) -> None:
    """What it costs a round to take first meetings only, also where misjudged strategies come again."""

    def row(persons: int, judgements: int, again: bool, which: str) -> tuple[str, ...]:
        settings = study(persons=persons, judgements=judgements)
        results = bench.run(replace(settings, again=again, log=LogSettings(meetings=which)))
        return (
            str(persons),
            str(judgements),
            "again" if again else "dealt",
            which,
            *summary(results),
            *_failures(results),
        )

    table(
        "Meetings that the tests of a round take, recommended settings, planted Observing Lingering",
        (
            "persons",
            "judgements each",
            "misjudged ones",
            "meetings",
            "found",
            "in order too",
            "generations",
            "wrong answer",
            "no answer",
        ),
        (row(*size, again, which) for size in ((100, 30), (25, 20)) for again in (False, True) for which in MEETINGS),
    )


def rules(bench: Bench) -> None:
    """Which rule for super experts finds the planted factor?"""

    def row(persons: int, judgements: int, name: str, experts: ExpertSettings) -> tuple[str, ...]:
        settings = replace(study(persons=persons, judgements=judgements), log=LogSettings(experts))
        results = bench.run(settings)
        return str(persons), str(judgements), name, *summary(results), *_failures(results)

    table(
        "Rules for super experts, recommended settings, planted Observing Lingering",
        ("persons", "judgements each", "rule", "found", "in order too", "generations", "wrong answer", "no answer"),
        (row(*size, *rule) for size in ((100, 30), (25, 20), (25, 40)) for rule in RULES.items()),
    )


RULES: Final = {
    "probability 0.9": ExpertSettings(),
    "probability 0.95": ExpertSettings(probability=0.95),
    "probability 0.99": ExpertSettings(probability=0.99),
    "bounds": ExpertSettings(rule="bounds"),
}


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
                hold_session(
                    persons, always(looks), 30, 0.5, 30 * session, np.random.default_rng([study_number, session + 1])
                )
            )
            counts[study_number, session] = len(log.experts)
    means = counts.mean(axis=0).tolist()
    return means[0], means[2], means[5]


CONNECT_FOUR: Final = "gdl:connect-four"


def elsewhere(bench: Bench) -> None:
    """The same with the elements for any game, in a game that is only described."""
    pool = pool_of(find_game(CONNECT_FOUR))
    rows = []
    for planted in ("Winning,Nearby", "Careful,Central", "Hasty"):
        factor = HumanFactor(parse(planted), pool)
        settings = SimulationSettings(factor, CONNECT_FOUR, 100, 30)
        guided, blind = bench.run(settings), bench.run(with_random_selection(settings))
        rows.append((planted, *summary(guided), str(found(blind)), f"{chance_of_random_strategy(factor):.1%}"))
    table(
        "Connect Four: 100 persons, 30 judgements in every generation",
        ("planted", "found", "in order", "generations", "with a coin instead of ρ", "by a random strategy"),
        rows,
    )


SECTIONS: Final[dict[str, Callable[[Bench], None]]] = {
    "proof": proof,
    "settings": settings_side_by_side,
    "truths": truths,
    "rules": rules,
    "meetings": meetings,
    "behaviour": behaviour,
    "helps": helps,
    "costs": costs,
    "reasons": reasons,
    "elsewhere": elsewhere,
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
