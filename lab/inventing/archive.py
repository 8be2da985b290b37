"""Every game that ever lived in an evolution, one line of JSON each, after a line that says how it was run."""

import json
from collections.abc import Iterable
from pathlib import Path

from lab.inventing.evolution import Setting, Trial
from lab.inventing.metrics import Figures


class ArchiveError(ValueError):
    """A file that is not the archive of this run."""


def heading(setting: Setting) -> str:
    return json.dumps({"genre": "board", "metrics": "source", **setting._asdict()}) + "\n"


def line(trial: Trial) -> str:
    return json.dumps(trial._asdict() | {"figures": trial.figures._asdict()}) + "\n"


def read_archive(file: Path, setting: Setting) -> list[Trial]:
    """The trials that are there; none if the file is not. A last line that was cut off is dropped, and is made again.

    More iterations than the run had first are fine; any other difference is refused with ArchiveError.
    """
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [each for each in lines if each.endswith("\n")]
    if not whole:
        return []
    try:
        wanted, found = (json.loads(each) | {"iterations": 0} for each in (heading(setting), whole[0]))
        if wanted != found:
            raise ArchiveError(f"{file} is the archive of {found}, not of {wanted}")
        return [_trial(each) for each in whole[1:]]
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(f"{file} is no archive of an evolution: {error}") from error


def write_archive(file: Path, setting: Setting, trials: Iterable[Trial]) -> None:
    """All of it anew, in one step: whoever is interrupted keeps the old file."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(heading(setting) + "".join([line(trial) for trial in trials]), encoding="utf-8")
    fresh.replace(file)


def _trial(text: str) -> Trial:
    found = json.loads(text)
    return Trial(**found | {"genes": tuple(found["genes"]), "figures": Figures(**found["figures"])})
