"""Every parser that is fuzzed, by name."""

from __future__ import annotations

from typing import Final

from tests.fuzz import borders, rules
from tests.fuzz.target import Target

TARGETS: Final[dict[str, Target]] = {target.name: target for target in (*rules.TARGETS, *borders.TARGETS)}
