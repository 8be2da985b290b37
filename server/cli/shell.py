"""What the commands share: settings, logs, and one transaction around the work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import typer
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from server.base import logs
from server.base.errors import GrintuError
from server.base.settings import Settings, unknown_names
from server.storage.database import address, connect
from server.storage.migrate import migrate

Result = TypeVar("Result")


def read_settings() -> Settings:
    """The installation's settings, or an exit that says what is wrong with them."""
    try:
        settings = Settings()
    except ValidationError as error:
        for found in error.errors(include_url=False, include_input=False):
            name = ".".join(str(part) for part in found["loc"])
            said = found["msg"].removeprefix("Value error, ")
            typer.echo(f"Settings: {f'GRINTU_{name.upper()}: ' if name else ''}{said}", err=True)
        raise typer.Exit(2) from None
    for name in unknown_names():
        typer.echo(f"Settings: there is no {name}; it is ignored.", err=True)
    logs.configure(settings)
    return settings


def in_transaction(work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    """Run `work` on the migrated database and commit; a refusal ends the command with its message."""
    settings = read_settings()

    async def run() -> Result:
        async with address(settings) as url:
            await asyncio.to_thread(migrate, url)
            async with connect(url, size=1, raw_size=1) as database, database.transaction() as session:
                return await work(session)

    try:
        return asyncio.run(run())
    except GrintuError as error:
        typer.echo(error.english(), err=True)
        raise typer.Exit(1) from None
