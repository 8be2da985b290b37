"""Whatever a module of the command line offers can be called."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
import typer
from typer.testing import CliRunner

import server.cli
from server.cli.main import COMMANDS, app

MODULES = {
    name: importlib.import_module(name)
    for _, name, _ in pkgutil.iter_modules(server.cli.__path__, "server.cli.")
    if not name.endswith("__main__")  # it runs when it is imported
}


def offered(module: str) -> set[str]:
    """What the module's app has: commands, and groups of commands."""
    return set(typer.main.get_group(MODULES[module].app).commands)


@pytest.mark.parametrize("module", sorted({module for module, _ in COMMANDS.values()}))
def test_every_command_is_listed(module: str) -> None:
    assert offered(module) == {name for name, (place, _) in COMMANDS.items() if place == module}


def test_no_module_with_commands_is_forgotten() -> None:
    known = {module for module, _ in COMMANDS.values()} | {"server.cli.main"}
    groups = {id(getattr(MODULES[module], name)) for module in known for name in vars(MODULES[module])}
    forgotten = {
        name
        for name, module in MODULES.items()
        if isinstance(getattr(module, "app", None), typer.Typer) and name not in known and id(module.app) not in groups
    }
    assert forgotten == set()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str) -> None:
    told = CliRunner().invoke(app, [command, "--help"])
    assert told.exit_code == 0
    assert "Usage" in told.output
