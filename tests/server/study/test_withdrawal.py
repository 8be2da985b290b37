"""Withdrawing a consent: its effect is shown first, then it happens; own data on a page and as books."""

from __future__ import annotations

import io
import zipfile

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from games.book import read_book
from server.base.clock import now
from server.base.settings import Settings
from server.live.models import InteractionBatch
from server.storage.database import Database
from server.study.consent import ConsentKind, decide, has_consent
from tests.downloads import downloaded
from tests.server.questionnaires.conftest import as_person, log_in, played_match
from tests.servers import PageClient


async def test_the_effect_is_shown_before_anything_happens(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    person = await as_person(client, session, settings)
    match = await played_match(session, person, await as_person(client, session, settings))
    session.add(InteractionBatch(match_id=match.id, person_id=person.id, number=0, at=now(), events=42, data=b"x"))
    await decide(session, person.id, {ConsentKind.PLAY_DATA: True, ConsentKind.INTERACTION_LOG: True})
    await session.commit()
    await log_in(client, session, settings, person.id)
    asked = await client.post("/consent", data={"play_data": "yes"})
    assert asked.status_code == 200
    assert "42 events in 1 matches" in asked.text
    assert await has_consent(session, person.id, "interaction_log"), "nothing has happened yet"
    await client.post("/consent", data={"play_data": "yes", "confirmed": "yes"})
    assert not await has_consent(session, person.id, "interaction_log")
    assert await session.scalar(select(func.count()).select_from(InteractionBatch)) == 0
    assert await has_consent(session, person.id, "play_data")


async def test_own_data_can_be_read_and_books_downloaded(
    client: PageClient, session: AsyncSession, settings: Settings, database: Database
) -> None:
    partner = await as_person(client, session, settings)
    person = await as_person(client, session, settings)

    async def books() -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO((await downloaded(client, database, "books")).content))

    assert (await books()).namelist() == []
    match = await played_match(session, person, partner)
    await played_match(session)
    await session.commit()
    page = await client.get("/account/my-data")
    assert "My data" in page.text
    archive = await books()
    assert archive.namelist() == [f"match-{match.id}.book"], "one's own match, and nobody else's"
    assert read_book(archive.read(archive.namelist()[0]).decode()).lines
