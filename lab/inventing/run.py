"""A whole evolution: its families side by side, every game written down as soon as its iteration is done."""

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import repeat
from pathlib import Path

from lab.inventing.archive import line, read_archive, write_archive
from lab.inventing.evolution import Setting, Trial, first_trial, next_trial


def evolve(setting: Setting, file: Path, pool: Executor, tell: Callable[[int], None]) -> list[Trial]:
    """All trials of a run, those that the archive has already included. `tell` hears how many iterations are done.

    Raises ArchiveError if the file is that of another run.
    """
    trials = read_archive(file, setting)
    write_archive(file, setting, trials)
    done = {(trial.family, trial.iteration) for trial in trials}
    parents: dict[int, Trial] = {}
    for trial in sorted(trials, key=lambda each: each.iteration):
        if trial.kept:
            parents[trial.family] = trial
    for iteration in range(setting.iterations + 1):
        missing = [family for family in range(setting.families) if (family, iteration) not in done]
        if iteration == 0:
            born = list(pool.map(first_trial, repeat(setting), missing))
        else:
            born = list(pool.map(next_trial, repeat(setting), [parents[f] for f in missing], repeat(iteration)))
        with file.open("a", encoding="utf-8") as archive:
            archive.writelines(map(line, born))
        parents |= {trial.family: trial for trial in born if trial.kept}
        trials += born
        tell(iteration)
    return trials
