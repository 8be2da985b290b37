"""The engine as npc/ sees it: somebody outside who runs Trealla Prolog's WebAssembly.

On the server that is wasmtime, in the browser the worker's own WebAssembly. Both speak in plain numbers and texts, so
that the browser's side can be called from Python as it is. A reply begins with "+", or with "-" if the instance is
dead.
"""

from typing import Protocol


class Host(Protocol):
    """Runs instances of the engine. An instance that replied with "-" is gone; nothing else may be asked of it."""

    def open(self) -> int:
        """Starts a fresh instance and names it."""
        ...

    def copy(self, instance: int) -> int:
        """Starts an instance that is in the same state as another one, which must not be serving; much cheaper."""
        ...

    def run(self, instance: int, goal: str) -> str:
        """Runs a goal once: "+", then "1" if it succeeded or "0", then what it printed."""
        ...

    def serve(self, instance: int, goal: str) -> str:
        """Starts the goal that answers questions; each question makes it find one more solution."""
        ...

    def ask(self, instance: int, key: str, question: str) -> str:
        """Hands the question in and gives the answer: "+" and its text. `key` names the question for a watchdog."""
        ...

    def size(self, instance: int) -> int:
        """How many bytes of memory the instance has taken; 0 if it is gone."""
        ...

    def close(self, instance: int) -> None:
        """Forgets an instance, dead or alive."""
        ...


class EngineMissingError(RuntimeError):
    """A rule base was to be asked, but nobody runs the engine here."""


class EngineError(RuntimeError):
    """The instance died: it ran too long, wanted too much memory, or broke. The message says which."""


_host: Host | None = None


def use_host(host: Host | None) -> None:
    """Makes `host` run the engine of this process."""
    global _host  # there is one engine per process
    _host = host


def current_host() -> Host:
    """Who runs the engine. Raises EngineMissingError."""
    if _host is None:
        raise EngineMissingError("no Prolog engine is running here")
    return _host
