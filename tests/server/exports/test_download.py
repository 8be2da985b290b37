"""Exports from the browser: asked for by researchers, made by a worker that tells how far it is, taken as a file."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import AuditEntry
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.exports import orders
from server.exports.models import Export, ExportPiece
from server.exports.service import Wanted
from server.mail.models import Mail
from server.storage.database import Database
from tests.server.exports.test_export import answered_match
from tests.server.questionnaires.conftest import as_person
from tests.servers import PATIENCE, PageClient
from tests.workers import running_worker

PAGE = "/research/exports"
URL = f"{PAGE}/download"


async def asked_for(client: PageClient, session: AsyncSession, **form: Any) -> int:
    await client.get(PAGE)  # for its token
    asked = await client.post(PAGE, data=form)
    assert (asked.status_code, asked.headers["location"]) == (303, PAGE)
    return (await session.scalars(select(Export.id))).one()


def names_in(answer: httpx.Response) -> set[str]:
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    return {name.removeprefix("grintu-export/") for name in archive.namelist() if not name.endswith("/")}


async def test_a_request_only_asks_and_a_worker_makes_it(
    client: PageClient, session: AsyncSession, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forbidden(*_: object) -> None:
        raise AssertionError("a server writes none of it")

    await answered_match(session)
    await as_person(client, session, settings, "researcher")
    monkeypatch.setattr(orders, "export", forbidden)
    await asked_for(client, session, what=["judgements", "questionnaires"], form="jsonl", books="true")
    assert "It waits for a worker." in (await client.get(PAGE)).text
    assert (await client.get(URL)).headers["location"] == PAGE, "it is not there yet"
    with running_worker(settings):
        async with asyncio.timeout(PATIENCE):
            while await session.scalar(select(Export.ready_at)) is None:
                await session.rollback()
                await asyncio.sleep(0.1)
    assert "Export ready" in (await client.get(PAGE)).text
    answer = await client.get(URL)
    assert answer.headers["content-type"] == "application/zip"
    assert int(answer.headers["content-length"]) == len(answer.content)
    made = {"judgements.jsonl", "judgements_joined.jsonl", "answers.jsonl", "codebook.md", "manifest.json"}
    assert made | {"books/1.book"} <= names_in(answer)
    manifest = json.loads(zipfile.ZipFile(io.BytesIO(answer.content)).read("grintu-export/manifest.json"))
    assert manifest["judgement_log_position"] == 2
    assert not list((settings.data_dir / "exports").iterdir()), "nothing is left behind on the disk"
    assert list(await session.scalars(select(AuditEntry.action))) == ["export"]


async def test_the_page_tells_how_far_it_is(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    await asked_for(client, session, what="judgements")
    await session.execute(update(Export).values(step="judgements_joined", steps_done=1, rows=12345))
    await session.commit()
    page = (await client.get(PAGE)).text
    assert "Writing judgements_joined: 12,345 rows so far." in page
    assert '<progress max="2" value="1"' in page
    assert 'data-live="yes"' in page
    german = (await client.get(PAGE, headers={"accept-language": "de"})).text
    assert "12.345" in german, "numbers as the language writes them"


async def test_who_wants_it_is_told_by_mail(
    client: PageClient, session: AsyncSession, settings: Settings, database: Database
) -> None:
    await as_person(client, session, settings, "researcher")
    for wanted, mails in (({}, 0), ({"by_mail": "true"}, 1)):
        await orders.make(database, settings, await asked_for(client, session, what="flags", **wanted))
        assert await session.scalar(select(func.count()).select_from(Mail).where(Mail.occasion == "export")) == mails
    body = (await session.scalars(select(Mail.body).where(Mail.occasion == "export"))).one()
    assert f"{settings.base_url}{PAGE}" in body


async def test_a_new_export_takes_the_place_of_the_one_before_also_while_that_is_made(
    client: PageClient, session: AsyncSession, settings: Settings, database: Database
) -> None:
    await as_person(client, session, settings, "researcher")
    first = await asked_for(client, session, what="flags")
    second = await asked_for(client, session, what="codes")
    assert first != second
    await orders.make(database, settings, first)  # its job is still in the queue
    await orders.make(database, settings, second)
    assert {"codes.csv"} <= names_in(await client.get(URL))
    assert list(await session.scalars(select(ExportPiece.export_id).distinct())) == [second]


async def test_what_fails_is_told_and_can_be_tried_again(
    client: PageClient, session: AsyncSession, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers = []

    async def full(_: Database, wanted: Wanted, *__: object) -> None:
        readers.append(wanted.reader)
        raise OSError(28, "No space left on device")

    reader = await as_person(client, session, settings, "researcher")
    asked = await asked_for(client, session, what="flags")
    with monkeypatch.context() as patched:
        patched.setattr(orders, "export", full)
        with pytest.raises(OSError, match="No space left"):
            await orders.make(database, settings, asked)
    assert readers == [reader.id], "who is told nothing that he or she has still to judge"
    assert "The export could not be made." in (await client.get(PAGE)).text
    await orders.make(database, settings, asked)
    assert "Export ready" in (await client.get(PAGE)).text


async def test_exports_go_after_a_day_and_when_anybody_deletes_data(
    clock: ManualClock, client: PageClient, session: AsyncSession, settings: Settings, database: Database
) -> None:
    await as_person(client, session, settings, "researcher")
    await orders.make(database, settings, await asked_for(client, session, what="flags"))
    await orders.forget_old(session)
    await session.commit()
    assert (await client.get(URL)).status_code == 200
    clock.advance(timedelta(days=1, seconds=1))
    await orders.forget_old(session)
    assert await session.scalar(select(func.count()).select_from(ExportPiece)) == 0
    await session.rollback()
    await orders.forget_all(session, 1)
    assert await session.scalar(select(func.count()).select_from(Export)) == 0


async def test_what_makes_no_sense_is_refused(client: PageClient, session: AsyncSession, settings: Settings) -> None:
    await as_person(client, session, settings, "researcher")
    await client.get(PAGE)
    for wrong in ({"form": "pdf"}, {"what": "secrets"}, {"first": "yesterday"}):
        assert (await client.post(PAGE, data=wrong)).status_code == 422, wrong
    await as_person(client, session, settings)
    await client.get("/account")
    assert (await client.post(PAGE)).status_code == 403
    assert (await client.get(URL)).status_code == 403
