"""The command `grintu`. Groups are imported only when they are used, so that `grintu --help` answers at once."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("server.cli.server", "Serve the platform."),
    "worker": ("server.cli.server", "Work off background jobs."),
    "migrate": ("server.cli.server", "Bring the database to the newest schema."),
    "backup": ("server.cli.backup", "Write everything in the database to one file."),
    "restore": ("server.cli.backup", "Put a backup into the database."),
    "backup-key": ("server.cli.backup", "Make a key for sealed backups."),
    "backup-signer": ("server.cli.backup", "Make a pair of keys for signed backups."),
    "backup-verify": ("server.cli.backup", "Tell who signed a backup, and that nobody changed it."),
    "user": ("server.cli.users", "Create and change accounts."),
    "setting": ("server.cli.settings", "Read and change study settings."),
    "export": ("server.cli.exports", "Export tables for research."),
    "replay": ("server.cli.games", "Replay a book."),
    "show": ("server.cli.games", "Show a position or a game."),
    "games": ("server.cli.games", "List, show, add and invent games."),
    "gdl": ("server.cli.gdl", "Check, explain and play descriptions of games, alone or with other programs."),
    "simulate": ("server.cli.npc", "Let strategies play against each other."),
    "decide": ("server.cli.npc", "Ask a strategy for its decision."),
    "prolog": ("server.cli.npc", "Run a Prolog rule base."),
    "program": ("server.cli.program", "Try programs of your own, and begin new ones."),
    "rasch": ("server.cli.lab_ratings", "Fit a Rasch model."),
    "rate": ("server.cli.lab_ratings", "Rate strategies from judgements."),
    "power": ("server.cli.power", "How many judgements a study needs."),
    "differing": ("server.cli.differing", "Which strategies differ between groups of judges."),
    "ratings": ("server.cli.ratings", "Compute the ratings of the study now."),
    "tournament": ("server.cli.tournament", "Tournaments of programs."),
    "persona": ("server.cli.persona", "Fit personalities of search players to people."),
    "study": ("server.cli.study", "Simulate a study."),
    "round": ("server.cli.rounds", "Create and steer refinement rounds."),
}
"""Name → (module, one line of help). A module offers the command as an attribute of its typer app called `app`."""


class LazyGroup(TyperGroup):
    """Knows its commands by name and imports the module of the one that is called."""

    # The contexts are typer's private copy of click's, hence Any.
    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class's signature
        return [name for name, (module, _) in COMMANDS.items() if importlib.util.find_spec(module) is not None]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _ = COMMANDS[cmd_name]
        return typer.main.get_group(importlib.import_module(module).app).get_command(ctx, cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """A refusal, a full disk or a lost database ends any command with a sentence, not with a traceback."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever read the output (head, less) has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            from server.cli.failures import in_words  # only who fails needs it

            sentence = in_words(error)
            if sentence is None:
                raise
            typer.echo(sentence, err=True)
            raise typer.Exit(1) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_show_locals=False)


@app.callback()
def main() -> None:
    """GRINTU: board-game Turing tests."""
