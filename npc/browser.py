"""The door from a web page to Python: functions called with JSON and answered with JSON, inside the browser's worker.

Only what `FUNCTIONS` names can be called. A function's module is imported when it is first called, so that starting up
stays quick. client_web/src/python_calls.ts states the same functions with their types.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from games.references import MissingSourceError

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
    """Calls a function (`module.function`) with a JSON list of arguments; gives `{"result": …}`, or the reference of
    rules that have to be learnt first as `{"missing": …}`. Raises LookupError for an unknown name."""
    try:
        return json.dumps({"result": _function(name)(*json.loads(arguments))})
    except MissingSourceError as error:
        return json.dumps({"missing": error.reference})


@cache
def _function(name: str) -> Callable[..., Any]:
    if name not in FUNCTIONS:
        raise LookupError(f"pages may not call {name[:80]!r}; they may call {', '.join(sorted(FUNCTIONS))}")
    module, _, function = name.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
