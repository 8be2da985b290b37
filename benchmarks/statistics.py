"""Do the statistics find planted truths? The tables of docs/statistics.md.

    python -m benchmarks statistics        (or one table: python -m benchmarks.statistics experts)

Coverage of 95 % intervals and size of 5 % tests in worlds in which a sceptic would expect them to fail.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Final

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import brentq
from scipy.special import expit

from lab.experts import ExpertSettings, cross_fitted, super_experts
from lab.groups import find_groups
from lab.judgements import HUMAN, Judgement, Verdict
from lab.simulation.verdicts import World, verdicts
from lab.turing import (
    Answers,
    Design,
    Difference,
    answers,
    clustered_share,
    crossed,
    crossed_difference,
    crossed_share,
    difference,
    equivalence_power,
    first_meetings,
    mixed_model,
    needed_judgements,
    within_matches,
)
from lab.turing.evidence import by_match

STUDIES: Final = 200
FEW: Final = 24
"""For what takes seconds each."""

Log = list[Judgement]


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*head, title=title, title_justify="left")
    for row in rows:
        table.add_row(*row)
    Console(width=140).print(table)


def split(log: Log) -> tuple[Log, Log]:
    return [one for one in log if one.seat_truth == "s0"], [one for one in log if one.of_human]


def share(values: Sequence[bool]) -> str:
    return f"{np.mean(values):.2f}"


def few_judges() -> None:
    """Item: a program that few of sixty judges met; all judge programs and humans alike."""
    rows = []
    for judges in (2, 3, 5, 8, 15):
        rng = np.random.default_rng(judges)
        names, ten = tuple(f"j{n}" for n in range(60)), np.full(60, 10.0)
        covered = []
        for _ in range(4 * STUDIES):
            own = rng.beta(3, 3, 60)
            humans = Answers(names, ten, rng.binomial(10, own).astype(np.float64))
            program = Answers(names[:judges], ten[:judges], rng.binomial(10, own[:judges]).astype(np.float64))
            covered.append(0.0 in difference(program, humans).interval())
        rows.append([str(judges), share(covered)])
    show("Coverage of the difference where few of 60 judges met the program", ("judges", "covered"), rows)


def people() -> None:
    rows = []
    for spread, plays in ((0.0, 0.0), (0.3, 0.0), (0.6, 0.0), (1.0, 0.0), (0.6, 0.6)):
        world = World(people=spread, plays=plays)
        kept: dict[str, list[bool]] = {"one": [], "two": [], "gap one": [], "gap two": [], "within": [], "mixed": []}
        for seed in range(STUDIES):
            log = verdicts(world, seed)
            program, humans = split(log)
            by_judge = [answers((one.person, one.judged_human) for one in part) for part in (program, humans)]
            kept["one"].append(world.humans in clustered_share(by_judge[1]).interval)
            kept["two"].append(world.humans in crossed_share(crossed(humans)).interval)
            kept["gap one"].append(world.gap() in difference(*by_judge).interval())
            kept["gap two"].append(world.gap() in crossed_difference(crossed(program), crossed(humans)).interval())
            kept["within"].append(world.gap() in within_matches(program, by_match(humans)).interval())
            if seed < FEW and (model := mixed_model(log)):
                kept["mixed"].append(world.gap() in model.strategies["s0"].difference.interval())
        rows.append([f"{spread:g}", f"{plays:g}", *(share(values) for values in kept.values())])
    show(
        f"Coverage where people differ as stimuli, and programs by match (40 persons, 20 matches each; {STUDIES} "
        f"studies, mixed model {FEW})",
        (
            "spread of people",
            "of plays",
            "humans, by judge",
            "two-way",
            "gap, by judge",
            "two-way",
            "within match",
            "mixed model",
        ),
        rows,
    )


def comparing() -> None:
    rows = []
    for comparing in (0.0, 0.5, 1.0):
        estimates: dict[str, list[float]] = {"all": [], "within": []}
        for seed in range(FEW):
            program, humans = split(verdicts(World(comparing=comparing, persons=60), seed))
            estimates["all"].append(crossed_difference(crossed(program), crossed(humans)).estimate)
            estimates["within"].append(within_matches(program, by_match(humans)).estimate)
        rows.append([f"{comparing:g}", *(f"{np.mean(values):+.3f}" for values in estimates.values())])
    show(
        "Estimated difference of a perfectly human program beside three clumsy ones",
        ("comparing", "from all humans", "within matches"),
        rows,
    )


def at_the_margin() -> World:
    """The truth is a gap of exactly −.10, judges have views of their own, and misjudged strategies come again."""
    look = float(brentq(lambda look: World((look,), views=0.8).gap() + 0.10, 0, 2))
    return World((look, *[0.6] * 5), matches=30, views=0.8)


def shown_again() -> None:
    rows = []
    for again in (False, True):
        world = replace(at_the_margin(), again=again)
        found: dict[str, list[Difference]] = {"all": [], "first": [], "within": [], "mixed": []}
        for seed in range(STUDIES):
            log = verdicts(world, seed)
            program, humans = split(log)
            found["all"].append(crossed_difference(crossed(program), crossed(humans)))
            program, humans = split(first_meetings(log))
            found["first"].append(crossed_difference(crossed(program), crossed(humans)))
            found["within"].append(within_matches(program, by_match(humans)))
            if seed < FEW and (model := mixed_model(log)):
                found["mixed"].append(model.strategies["s0"].difference)
        for name, ones in found.items():
            equal, covered = ([test(one) for one in ones] for test in (_equivalent, _covers))
            mean = np.mean([one.estimate for one in ones])
            rows.append(["yes" if again else "no", name, f"{mean:+.3f}", share(equal), share(covered)])
    show(
        "The truth is −.10: mean estimate, false equivalence (5 % wanted), coverage",
        ("shown again", "judgements", "estimate", "equivalent", "covered"),
        rows,
    )


def _equivalent(one: Difference) -> bool:
    return one.equivalence().equivalent


def _covers(one: Difference) -> bool:
    return -0.10 in one.interval()


def planted_experts(seed: int, each: int, human_like: int = 0) -> Log:
    """Eight judges of d′ 2.5 among a hundred of 0.3 ± 0.4; twenty strategies that differ, some exactly human."""
    rng = np.random.default_rng(seed)
    d_prime = np.concatenate((np.full(8, 2.5), rng.normal(0.3, 0.4, 92)))
    looks = np.clip(rng.normal(1, 0.4, 20), 0.2, None)
    looks[:human_like] = 0.0
    log = []
    for number, (own, bar) in enumerate(zip(d_prime, rng.normal(0, 0.4, 100), strict=True)):
        for match in range(each // 2):
            strategy = int(rng.integers(20))
            for truth, seems in ((f"s{strategy}", own * (looks[strategy] - 0.5)), (HUMAN, -own / 2)):
                verdict = Verdict.ARTIFICIAL if rng.standard_normal() + seems > bar else Verdict.HUMAN
                log.append(Judgement(match, f"{number}-{match}", f"p{number}", truth, verdict))
    return log


def experts() -> None:
    rules = {"probability": ExpertSettings(), "bounds": ExpertSettings(rule="bounds")}
    rows = []
    for each in (10, 20, 30, 50, 100, 200):
        cells = [str(each)]
        for settings in rules.values():
            right = called = 0
            for seed in range(10):
                chosen = super_experts(planted_experts(seed, each), settings)
                right += sum(int(name[1:]) < 8 for name in chosen)
                called += len(chosen)
            cells += [f"{right / called:.2f}" if called else "–", f"{right / 80:.2f}"]
        rows.append(cells)
    head = ("judgements each", "probability: precision", "recall", "bounds: precision", "recall")
    show("Super experts: 8 of d′ 2.5 among 100 persons", head, rows)
    rows = []
    for each in (24, 40, 100):
        lenient = ExpertSettings(probability=0.7, least_d_prime=0.3)
        excesses: dict[str, list[float]] = {"same": [], "other": []}
        for seed in range(20):
            log = planted_experts(seed, each, human_like=5)
            names = super_experts(log, lenient)
            excesses["same"].append(_excess([one for one in log if one.person in names]))
            excesses["other"].append(_excess(list(filter(cross_fitted(log, lenient), log))))
        rows.append([str(each), *(f"{np.nanmean(values):+.3f}" for values in excesses.values())])
    show(
        "How much more often experts detect exactly human strategies than humans",
        ("judgements each", "chosen on the same judgements", "cross-fitted"),
        rows,
    )


def _excess(told: Log) -> float:
    exact = [one.judged_artificial for one in told if one.seat_truth in {f"s{n}" for n in range(5)}]
    humans = [one.judged_artificial for one in told if one.of_human]
    return float(np.mean(exact) - np.mean(humans)) if exact and humans else float("nan")


def calculator() -> None:
    show(
        "Judgements of the program for 80 % power, and power of 214",
        ("human judgements per program judgement", "needed", "power of 214"),
        [
            [
                f"{humans:g}",
                str(needed_judgements(Design(humans=humans))),
                f"{equivalence_power(214, Design(humans=humans)):.2f}",
            ]
            for humans in (1.0, 2.0, 5.0, 20.0, inf)
        ],
    )


def groups() -> None:
    several = merged = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        ability, difficulty = rng.normal(0, 1, 100), rng.normal(0, 1, 16)
        log = [
            Judgement(n, f"m{n}", f"p{n}", f"s{s}", Verdict.ARTIFICIAL if hit else Verdict.HUMAN)
            for n in range(100)
            for s in range(16)
            for hit in rng.random(2) < expit(ability[n] - difficulty[s])
        ]
        found = find_groups(log)
        several += min(found.bic, key=lambda number: found.bic[number]) > 1
        merged += found.number > 1
    show(
        "Studies of one homogeneous population in which groups are found",
        ("by BIC alone", "compared with Rasch"),
        [[f"{several} of 30", f"{merged} of 30"]],
    )


TABLES: Final[dict[str, Callable[[], None]]] = {
    "few-judges": few_judges,
    "people": people,
    "comparing": comparing,
    "shown-again": shown_again,
    "experts": experts,
    "calculator": calculator,
    "groups": groups,
}


def main() -> None:
    for name in sys.argv[1:] or TABLES:
        TABLES[name]()


if __name__ == "__main__":
    main()
