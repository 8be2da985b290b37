"""What the ratings recover of a simulated study's truth, by how many matches each person plays.

100 persons: 8 experts, 12 who call nine of ten seats artificial, 80 plain people; 20 strategies. Every match gives one
judgement of a program and one of a human. Ten seeded studies per row.
"""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.special import expit
from scipy.stats import spearmanr

from lab.experts import ExpertSettings, assess, assess_persons
from lab.judgements import HUMAN, Judgement, Verdict
from lab.smoothing import smooth

STRATEGIES, STUDIES = 20, 10
EXPERTS, YES_SAYERS, PLAIN = 8, 12, 80


def study(seed: int, matches: int) -> tuple[list[Judgement], dict[str, float], frozenset[str]]:
    """The log, the true difficulties (mean 0) and the planted experts."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(0, 0.8, STRATEGIES)
    difficulty -= difficulty.mean()
    log = []
    for person in range(EXPERTS + YES_SAYERS + PLAIN):
        expert, yes = person < EXPERTS, EXPERTS <= person < EXPERTS + YES_SAYERS
        ability, accuse = (2.5, 0.1) if expert else (rng.normal(0, 0.4), 0.4)
        for match in range(matches):
            strategy = int(rng.integers(STRATEGIES))
            chances = (0.9, 0.9) if yes else (float(expit(ability - difficulty[strategy])), accuse)
            for truth, chance in zip((f"s{strategy}", HUMAN), chances, strict=True):
                verdict = Verdict.ARTIFICIAL if rng.random() < chance else Verdict.HUMAN
                log.append(Judgement(match, f"m{match}", f"p{person}", truth, verdict))
    truth_of = {f"s{n}": float(one) for n, one in enumerate(difficulty)}
    return log, truth_of, frozenset(f"p{n}" for n in range(EXPERTS))


def row(matches: int) -> list[str]:
    difficulty_rank, detection_rank = [], []
    counts = {low: [0, 0] for low in (0.5, 0.0)}
    for seed in range(STUDIES):
        log, truth, planted = study(seed, matches)
        found = assess(log)
        estimate = {item.item: item.difficulty for item in found.rasch.items}
        ratings = smooth(log, experts=found.super_experts)
        names = sorted(truth)
        true = [truth[name] for name in names]
        difficulty_rank.append(spearmanr(true, [estimate.get(name, 0.0) for name in names]).statistic)
        smoothed = [ratings.rating(name).believability for name in names]
        detection_rank.append(spearmanr(true, smoothed).statistic)
        signals = {name: one.signal for name, one in found.persons.items()}
        for low, both in counts.items():
            settings = ExpertSettings(outfit_low=low)
            chosen = [name for name, one in assess_persons(found.rasch, signals, settings).items() if one.super_expert]
            both[0] += len(planted.intersection(chosen))
            both[1] += len(chosen)
    cells = [str(matches), f"{np.mean(difficulty_rank):.2f}", f"{np.mean(detection_rank):.2f}"]
    for right, chosen_by_rule in counts.values():
        precision = f"{right / chosen_by_rule:.2f}" if chosen_by_rule else "–"
        cells.append(f"{precision} / {right / (EXPERTS * STUDIES):.2f}")
    return cells


def main() -> None:
    table = Table(
        "matches each",
        "rank correlation\nwith true δ: Rasch",
        "smoothed\nbelievability",
        "experts, precision / recall\noutfit 0.5 to 1.5",
        "outfit up to 1.5",
    )
    for matches in (10, 20, 40, 80):
        table.add_row(*row(matches))
    Console().print(table)


if __name__ == "__main__":
    main()
