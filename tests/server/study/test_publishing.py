"""Admins publish new versions of the consent texts; whoever agreed to an earlier one is asked again."""

from __future__ import annotations

import asyncio

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import AuditEntry
from server.base.clock import now
from server.base.settings import Settings
from server.live.models import InteractionBatch
from server.storage.database import Database
from server.storage.migrate import migrate
from server.study.consent import ConsentKind, current_texts, has_consent, publish_text
from tests.conftest import SignIn
from tests.people import new_account
from tests.server.questionnaires.conftest import as_person, log_in, played_match
from tests.servers import PageClient

WORDS = {"title_en": "Title", "body_en": "One.\r\n\r\nTwo.", "title_de": "Titel", "body_de": "Eins."}


async def test_a_new_version_is_published_and_asks_again(
    client: PageClient, sign_in: SignIn, database: Database, session: AsyncSession
) -> None:
    await new_account(database)
    await sign_in("admin", consenting=False)
    page = (await client.get("/admin/consent/play_data")).text
    assert "1 person agrees to the present version" in page
    assert "only as a hash" in page, "the text that is there is the one to be rewritten"
    answer = await client.post("/admin/consent/play_data", data=WORDS | {"after": "1"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/consent")
    newest = (await current_texts(session))[ConsentKind.PLAY_DATA]
    assert (newest.version, newest.texts["en"]["body"]) == (2, "One.\n\nTwo.")
    page = (await client.get("/admin/consent")).text
    assert "0 people agree to it" in page
    assert "1 person has agreed to it and was not asked again yet" in page
    entry = (await session.scalars(select(AuditEntry))).one()
    assert (entry.action, entry.target, entry.details) == ("consent.publish", "play_data", {"from": 1, "to": 2})
    await sign_in()
    assert (await client.get("/lobby")).status_code == 200, "who agreed to the new one only"


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"body_de": ""}, 422, 'id="field-body_de-error"'),
        ({"after": "7"}, 409, "Please reload the page"),
        ({"after": "soon"}, 422, ""),
    ],
    ids=["nothing in German", "somebody else was first", "no version"],
)
async def test_what_cannot_be_published_is_refused(
    client: PageClient, sign_in: SignIn, session: AsyncSession, change: dict[str, str], status: int, reason: str
) -> None:
    await sign_in("admin")
    answer = await client.post("/admin/consent/play_data", data=WORDS | {"after": "1"} | change)
    assert answer.status_code == status
    assert reason in answer.text
    assert (await current_texts(session))[ConsentKind.PLAY_DATA].version == 1


async def test_the_same_text_is_no_new_version(client: PageClient, sign_in: SignIn, session: AsyncSession) -> None:
    await sign_in("admin")
    texts = (await current_texts(session))[ConsentKind.INTERACTION_LOG].texts
    same = {f"{part}_{language}": words[part] for language, words in texts.items() for part in words}
    answer = await client.post("/admin/consent/interaction_log", data=same | {"after": "1"})
    assert answer.status_code == 422
    assert "Nothing has been changed." in answer.text


async def test_who_does_not_agree_to_the_new_version_withdraws_the_old_one(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    person = await as_person(client, session, settings)
    match = await played_match(session, person, await as_person(client, session, settings))
    session.add(InteractionBatch(match_id=match.id, person_id=person.id, number=0, at=now(), events=42, data=b"x"))
    await log_in(client, session, settings, person.id)
    await client.post("/consent", data={"play_data": "yes", "interaction_log": "yes"})
    words = {"title": "New", "body": "New"}
    await publish_text(session, ConsentKind.INTERACTION_LOG, {"en": words, "de": words})
    await session.commit()
    assert "You agreed to an earlier version on" in (await client.get("/consent")).text
    asked = await client.post("/consent", data={"play_data": "yes"})
    assert "42 events in 1 matches" in asked.text, "nothing has happened yet"
    await client.post("/consent", data={"play_data": "yes", "confirmed": "yes"})
    assert not await has_consent(session, person.id, "interaction_log")
    assert await session.scalar(select(func.count()).select_from(InteractionBatch)) == 0
    assert "You agreed to an earlier version on" not in (await client.get("/consent")).text, "decided once and for all"


@pytest.mark.parametrize(("agreed", "word"), [(False, "only as a hash"), (True, "(encrypted)")])
async def test_a_text_that_somebody_agreed_to_is_never_changed(database_url: str, *, agreed: bool, word: str) -> None:
    """The first text called the password encrypted. Where nobody has agreed yet, an update says it truly."""
    connection = await asyncpg.connect(database_url)
    await connection.execute("UPDATE consent_texts SET texts = replace(texts::text, $1, $2)::jsonb",
        "address, your password (only as a hash, from which it cannot be read)", "address and password (encrypted)",
    )  # fmt: skip
    await connection.execute("UPDATE alembic_version SET version_num = '20261116_13'")
    if agreed:
        await connection.execute("INSERT INTO persons (pseudonym, created_at) VALUES ('somebody', now())")
        await connection.execute(
            "INSERT INTO consents (person_id, text_id, given, at)"
            " SELECT p.id, t.id, true, now() FROM persons p, consent_texts t WHERE kind = 'play_data'"
        )
    await asyncio.to_thread(migrate, database_url, "20261116_14")
    body = await connection.fetchval("SELECT texts -> 'en' ->> 'body' FROM consent_texts WHERE kind = 'play_data'")
    assert word in body
    await connection.close()
