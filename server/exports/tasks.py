"""Workers make the exports, and throw them away when they are old."""

from __future__ import annotations

from pydantic import JsonValue

from server.exports.orders import ATTEMPTS, JOB, forget_old, make
from server.jobs.registry import Tools, job, scheduled


@job(JOB, attempts=ATTEMPTS)
async def make_export(tools: Tools, payload: JsonValue) -> None:
    assert isinstance(payload, dict), "which one"
    await make(tools.database, tools.settings, int(str(payload["export"])))


@scheduled("exports.forget", "10 * * * *")
async def forget_exports(tools: Tools) -> None:
    async with tools.database.transaction() as session:
        await forget_old(session)
