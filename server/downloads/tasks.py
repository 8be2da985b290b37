"""Workers build the files, and throw them away when they are old."""

from __future__ import annotations

from pydantic import JsonValue

from server.downloads.service import JOB, build, forget_old
from server.jobs.registry import Tools, job, scheduled


@job(JOB, attempts=3)
async def build_download(tools: Tools, payload: JsonValue) -> None:
    assert isinstance(payload, dict), "which one"
    await build(tools.database, int(str(payload["download"])))


@scheduled("downloads.forget", "5 * * * *")
async def forget_downloads(tools: Tools) -> None:
    async with tools.database.transaction() as session:
        await forget_old(session)
