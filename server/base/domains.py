"""The domains of the server: every package in server/ that has models or routes. Adding one is adding a folder."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parents[1]


def domain_modules(name: str) -> tuple[ModuleType, ...]:
    """The modules called `name` ("models", "routes", ...) of all domains, in alphabetical order of the domains."""
    return tuple(
        importlib.import_module(f"server.{package.name}.{name}")
        for package in sorted(pkgutil.iter_modules([str(HERE)]), key=lambda found: found.name)
        if package.ispkg and (HERE / package.name / f"{name}.py").exists()
    )
