"""grintu setting: read and change the settings of the study."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import COMMAND_LINE, audit
from server.cli.shell import in_transaction
from server.study import settings as study

app = typer.Typer(no_args_is_help=True)
setting = typer.Typer(no_args_is_help=True, help="Read and change study settings.")
app.add_typer(setting, name="setting")


@app.callback()
def group() -> None:
    """The study's settings."""


@setting.command()
def show() -> None:
    """Show every setting with its value and meaning."""
    values = in_transaction(study.read_settings).model_dump(mode="json")
    for name, about in study.describe().items():
        shown, default = (_words(name, value) for value in (values[name], about["default"]))
        typer.echo(f"{name} = {shown}\n    {about['meaning']} (default {default})")


@setting.command()
def change(
    name: str,
    value: Annotated[str, typer.Argument(help='A number, true or false; seconds, or as "4 weeks".')],
) -> None:
    """Change a setting; the old values stay in the history."""

    async def work(session: AsyncSession) -> study.StudySettings:
        before = (await study.read_settings(session)).model_dump(mode="json").get(name)
        after = await study.change_setting(session, name, value, changed_by=COMMAND_LINE)
        details: dict[str, object] = {"from": before, "to": after.model_dump(mode="json")[name]}
        if details["from"] != details["to"]:
            audit(session, COMMAND_LINE, "setting.change", name, details)
        return after

    changed = in_transaction(work).model_dump(mode="json")
    typer.echo(f"{name} = {_words(name, changed[name])}")


def _words(name: str, value: object) -> str:
    """As `change` takes it."""
    return study.in_words(name, value, str, "en") if study.kind_of(name) == "duration" else json.dumps(value)
