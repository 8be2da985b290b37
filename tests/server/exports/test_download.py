"""The export from the browser: the same files as from the command line, in one archive, for researchers only."""

from __future__ import annotations

import io
import json
import zipfile

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import AuditEntry
from server.base.settings import Settings
from tests.server.exports.test_export import answered_match
from tests.server.questionnaires.conftest import as_person
from tests.servers import PageClient

URL = "/research/exports/download"


async def test_an_archive_with_everything(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await answered_match(session)
    await as_person(client, session, settings, "researcher")
    answer = await client.get(URL, params={"what": ["judgements", "questionnaires"], "form": "jsonl", "books": "true"})
    assert answer.headers["content-type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    names = {name.removeprefix("grintu-export/") for name in archive.namelist() if not name.endswith("/")}
    assert {"judgements.jsonl", "answers.jsonl", "codebook.md", "manifest.json", "books/1.book"} <= names
    manifest = json.loads(archive.read("grintu-export/manifest.json"))
    assert manifest["judgement_log_position"] == 2
    assert not list((settings.data_dir / "exports").iterdir()), "nothing is left behind on the disk"
    assert list(await session.scalars(select(AuditEntry.action))) == ["export"]


async def test_what_makes_no_sense_is_refused(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    for wrong in ({"form": "pdf"}, {"what": "secrets"}, {"first": "yesterday"}):
        assert (await client.get(URL, params=wrong)).status_code == 422, wrong
    await as_person(client, session, settings)
    assert (await client.get(URL)).status_code == 403
