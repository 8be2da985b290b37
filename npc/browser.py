"""The door from a web page to Python: functions called with JSON and answered with JSON, inside the browser's worker.

Only what `FUNCTIONS` names can be called. A function's module is imported when it is first called, so that starting up
stays quick. client_web/src/python_calls.ts states the same functions with their types.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

FUNCTIONS: Final = frozenset(
    {
        "npc.panel.propose",
        "npc.practice.advance",
        "npc.practice.options",
        "npc.replays.check_dice",
        "npc.replays.of_book",
        "npc.replays.of_moves",
        "npc.rules.learn",
        "npc.selfcheck.import_all",
        "npc.selfcheck.self_check",
    }
)


def call(name: str, arguments: str) -> str:
    """Calls a function (`module.function`) with a JSON list of arguments. Raises LookupError for an unknown name."""
    return json.dumps(_function(name)(*json.loads(arguments)))


@cache
def _function(name: str) -> Callable[..., Any]:
    if name not in FUNCTIONS:
        raise LookupError(f"pages may not call {name[:80]!r}; they may call {', '.join(sorted(FUNCTIONS))}")
    module, _, function = name.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
