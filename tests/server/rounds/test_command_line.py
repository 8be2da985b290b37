"""Everything an admin does with rounds can be done on the command line."""

from __future__ import annotations

import asyncio

import pytest
from typer.testing import CliRunner

from server.accounts.audit import recent_entries
from server.base.settings import Settings
from server.cli.main import app
from server.storage.database import Database
from tests.servers import environment_of


async def run(*words: str) -> tuple[int, str]:
    """In a thread, because commands have an event loop of their own."""
    result = await asyncio.to_thread(CliRunner().invoke, app, ["round", *words])
    return result.exit_code, result.output


async def test_a_round_from_the_command_line(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment_of(settings).items():
        if name.startswith("GRINTU_"):
            monkeypatch.setenv(name, value)
    code, told = await run("create", "Spring", "--seed", "4", "--change", "judgements = 8", "--when", "held")
    assert (code, told.split()[1:3]) == (0, ["running", "rate"])
    number = told.split()[0]
    for action, status in (
        ("pause", "paused"),
        ("resume", "running"),
        ("schedule", "running"),
        ("cancel", "cancelled"),
    ):
        code, told = await run(action, number)
        assert (code, told.split()[1]) == (0, status)
    assert "cancelled" in (await run("list"))[1]
    assert (await run("pause", number))[0] == 1, "it is over"
    assert (await run("pause", "999"))[0] == 1
    code, told = await run("create", "Summer", "--strategy", "Observing")
    assert (code, "at least one of them basic" in " ".join(told.split())) == (2, True)
    async with database.sessions() as session:
        entries = [(entry.actor, entry.action) for entry in await recent_entries(session)]
    assert entries == [
        ("command line", f"round.{action}") for action in ("cancel", "schedule", "resume", "pause", "create")
    ]
