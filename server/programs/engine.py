"""The Prolog engine and the sandbox of a process that computes: both start when they are first needed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from npc.program.host import use_programs
from npc.prolog.host import EngineMissingError, use_host
from server.sandbox.host import SandboxHost

if TYPE_CHECKING:
    from server.prolog import WasmtimeHost


class EngineOnDemand:
    """Implements npc.prolog.host.Host. Raises EngineMissingError if the engine's file is nowhere to be found."""

    @cached_property
    def _engine(self) -> WasmtimeHost:
        from server.prolog import EngineFileError, WasmtimeHost, engine_file, user_cache  # large, and seldom needed

        try:
            return WasmtimeHost(engine_file(), user_cache())
        except EngineFileError as missing:
            raise EngineMissingError(str(missing)) from missing

    def open(self) -> int:
        return self._engine.open()

    def copy(self, instance: int) -> int:
        return self._engine.copy(instance)

    def run(self, instance: int, goal: str) -> str:
        return self._engine.run(instance, goal)

    def serve(self, instance: int, goal: str) -> str:
        return self._engine.serve(instance, goal)

    def ask(self, instance: int, key: str, question: str) -> str:
        return self._engine.ask(instance, key, question)

    def size(self, instance: int) -> int:
        return self._engine.size(instance)

    def close(self, instance: int) -> None:
        self._engine.close(instance)


def offer_engine() -> None:
    """Lets rule bases and programs be asked in this process."""
    use_host(EngineOnDemand())
    use_programs(SandboxHost())
