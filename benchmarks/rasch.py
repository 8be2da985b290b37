"""How long the Rasch estimates and all ratings take, and how much memory: 10,000 persons on 100 strategies.

Each case runs in a process of its own, so that its peak memory is its own; `bare` only makes the data. Beside the times
stands the ratio to a trivial reference in the same process: the logit of every strategy's share of ones.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter, process_time

import numpy as np
from rich.console import Console
from rich.table import Table

from lab.judgements import HUMAN, Judgement, Verdict
from lab.rasch import Responses, fit_joint, fit_marginal, from_arrays, report
from lab.ratings import rate

PERSONS, STRATEGIES, RESPONSES = 10_000, 100, 200_000
JUDGEMENTS = 50_000


def responses() -> tuple[Responses, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """A sparse table with repeated trials and the true difficulties."""
    rng = np.random.default_rng(1)
    ability, difficulty = rng.normal(0, 1, PERSONS), rng.normal(0, 1, STRATEGIES)
    person = np.repeat(np.arange(PERSONS), RESPONSES // PERSONS)
    item = rng.integers(0, STRATEGIES, RESPONSES)
    ones = rng.random(RESPONSES) < 1 / (1 + np.exp(difficulty[item] - ability[person]))
    names = tuple(map(str, range(PERSONS))), tuple(map(str, range(STRATEGIES)))
    return from_arrays(*names, person, item, ones.astype(np.float64)), difficulty


def judgements() -> list[Judgement]:
    rng = np.random.default_rng(2)
    difficulty = rng.normal(0, 1, STRATEGIES)
    log = []
    for number in range(JUDGEMENTS // 2):
        strategy, person = int(rng.integers(STRATEGIES)), f"p{rng.integers(JUDGEMENTS // 20)}"
        for truth, chance in ((f"s{strategy}", 1 / (1 + np.exp(difficulty[strategy]))), (HUMAN, 0.35)):
            verdict = Verdict.ARTIFICIAL if rng.random() < chance else Verdict.HUMAN
            log.append(Judgement(float(number), f"m{number}", person, truth, verdict, int(rng.integers(101)), 3, None))
    return log


def share_logits(table: Responses) -> None:
    ones, trials = table.item_scores, table.item_trials
    np.log((trials - ones + 0.5) / (ones + 0.5))


RASCH_CASES: dict[str, Callable[[Responses], object]] = {
    "bare": lambda _: None,
    "fast joint estimate": fit_joint,
    "marginal ML with errors": fit_marginal,
    "full report (fit, map)": report,
}
RATE_CASE = f"all ratings of {JUDGEMENTS:,} judgements"


def measure(case: str) -> None:
    """Run one case here and print its figures as JSON."""
    record: dict[str, float] = {}
    if case == RATE_CASE:
        log = judgements()
        start, busy = perf_counter(), process_time()
        rate(log)
        record["seconds"], record["cpu"] = perf_counter() - start, process_time() - busy
    else:
        table, difficulty = responses()
        start, busy = perf_counter(), process_time()
        fitted = RASCH_CASES[case](table)
        record["seconds"], record["cpu"] = perf_counter() - start, process_time() - busy
        busy = process_time()
        for _ in range(100):
            share_logits(table)
        record["ratio"] = record["cpu"] / ((process_time() - busy) / 100)
        estimate = getattr(fitted, "difficulty", None)
        if estimate is not None:
            centred = (estimate - np.mean(estimate)) - (difficulty - np.mean(difficulty))
            record["rmse"] = float(np.sqrt(np.mean(centred**2)))
    record["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(record))


def main() -> None:
    table = Table("case", "seconds", "CPU seconds", "× share logits", "error (RMSE)", "peak memory, MB")
    table.title = f"{RESPONSES:,} responses of {PERSONS:,} persons on {STRATEGIES} strategies"
    for case in (*RASCH_CASES, RATE_CASE):
        done = subprocess.run([sys.executable, __file__, case], capture_output=True, text=True, check=True)
        got = json.loads(done.stdout)
        ratio = f"{got['ratio']:,.0f}" if "ratio" in got else ""
        error = f"{got['rmse']:.3f}" if "rmse" in got else ""
        table.add_row(case, f"{got['seconds']:.2f}", f"{got['cpu']:.2f}", ratio, error, f"{got['megabytes']:.0f}")
    Console().print(table)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        main()
