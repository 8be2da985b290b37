"""Prints the part of requirements-dev.lock that running the platform needs, hashes included: it is requirements.lock.

`make lock` calls it. It follows the dependencies of the packages that are installed: it runs where the whole lock is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
BUILD = ("setuptools", "wheel")  # what installing our own packages needs


def needed(dependencies: Iterable[str]) -> set[str]:
    """The names of all packages that these need in the end, on this Python and this system."""
    found: set[str] = set()
    waiting = [(Requirement(text), "") for text in dependencies]
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        new = name not in found
        found.add(name)
        for wanted in ("", *requirement.extras):
            if new or wanted:
                waiting += [(Requirement(text), wanted) for text in requires(name) or ()]
    return found


def part(lock: str, names: set[str]) -> str:
    """The blocks of a lock that belong to the names, without the comments, which tell of tools that are left out."""
    uncommented = re.sub(r"^ *#.*\n", "", lock, flags=re.MULTILINE)
    blocks = re.split(r"^(?=[A-Za-z0-9])", uncommented, flags=re.MULTILINE)
    return "".join(block for block in blocks if canonicalize_name(block.partition("==")[0]) in names)


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = needed([*project["dependencies"], *BUILD])
    print(part((ROOT / "requirements-dev.lock").read_text(), names), end="")


if __name__ == "__main__":
    main()
