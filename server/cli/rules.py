"""Which game a command speaks of: `--game REFERENCE`, or a kind alone for the first game of its library."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from games import protocol
from games.registry import game as find_game
from games.registry import shelf
from server.cli.shell import in_transaction

Game = Annotated[str, typer.Option(help=f"The game: a reference such as {', '.join(shelf()[:3])}, or a kind alone.")]


def in_library(reference: str) -> protocol.Game:
    """The game, of those that come with the platform: the first one if nothing is said. Raises GameError."""
    return find_game(reference or shelf()[0])


def in_study(reference: str) -> protocol.Game:
    """The same in the configured database: the study's first one if nothing is said, and also what was added to it."""
    from server.rules.service import open_game  # only commands about the database need these
    from server.study.games import chosen_game

    chosen = in_transaction(partial(chosen_game, asked=reference or None))
    return in_transaction(partial(open_game, reference=chosen))
