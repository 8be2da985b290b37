"""Consents: what people agreed to, in which version, and what happens when they withdraw.

if await has_consent(session, person_id, "interaction_log"): ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import contains_eager

from server.accounts.owndata import counts, erase, exports, shows, tells
from server.base.errors import Conflict
from server.study.models import Consent, ConsentText
from server.web.translations import DEFAULT_LANGUAGE


class ConsentKind(StrEnum):
    PLAY_DATA = "play_data"
    INTERACTION_LOG = "interaction_log"


REQUIRED = frozenset({ConsentKind.PLAY_DATA})
"""Without these nobody can play; the others are free."""
TOLD = 20
"""Decisions on the page of the own data; the download has all."""


# Per person and kind the newest text, and the person's newest decision about any text of that kind.
AGREED = sql("""
SELECT person.id, newest.kind
FROM unnest(CAST(:persons AS bigint[])) AS person(id)
CROSS JOIN (SELECT DISTINCT ON (kind) id, kind FROM consent_texts ORDER BY kind, version DESC) AS newest
CROSS JOIN LATERAL (
    SELECT c.given, c.text_id FROM consents c JOIN consent_texts t ON t.id = c.text_id
    WHERE c.person_id = person.id AND t.kind = newest.kind ORDER BY c.id DESC LIMIT 1
) AS last
WHERE last.given AND last.text_id = newest.id
""")


@dataclass(frozen=True, slots=True)
class ConsentState:
    """One kind of consent as it stands for one person. `given` means: to the present version."""

    kind: ConsentKind
    text: ConsentText
    given: bool
    at: datetime | None
    outdated: bool = False
    """Whether it was given, but to an earlier version."""

    @property
    def holds(self) -> bool:
        """Whether something was gathered under it that withdrawing would erase."""
        return self.given or self.outdated

    @property
    def required(self) -> bool:
        return self.kind in REQUIRED

    def words(self, language: str) -> dict[str, str]:
        """The text's `title` and `body` in a language."""
        words: dict[str, str] = self.text.texts.get(language) or self.text.texts[DEFAULT_LANGUAGE]
        return words


async def current_texts(session: AsyncSession) -> dict[ConsentKind, ConsentText]:
    """The newest version of every kind."""
    query = select(ConsentText).ext(distinct_on(ConsentText.kind))
    query = query.order_by(ConsentText.kind, ConsentText.version.desc())
    found = {text.kind: text for text in await session.scalars(query)}
    return {kind: found[kind.value] for kind in ConsentKind}


@shows("consents")
async def state_of(session: AsyncSession, person_id: int) -> list[ConsentState]:
    texts = await current_texts(session)
    newest = await _newest(session, person_id)
    states = []
    for kind, text in texts.items():
        last = newest.get(kind)
        agreed = last is not None and last.given
        given = agreed and last is not None and last.text_id == text.id
        states.append(ConsentState(kind, text, given, last.at if last else None, outdated=agreed and not given))
    return states


async def has_consent(session: AsyncSession, person_id: int, kind: str) -> bool:
    """Whether the person agrees to the present version of the text."""
    return bool(await who_consents(session, [person_id], kind))


async def who_consents(session: AsyncSession, persons: Sequence[int], kind: str) -> set[int]:
    """Those of the persons who agree to the present version of the text."""
    return {person for person, agreed in await _agreed(session, persons) if agreed == kind}


async def may_play(session: AsyncSession, person_id: int) -> bool:
    return {kind for _, kind in await _agreed(session, [person_id])} >= REQUIRED


async def has_withdrawn(session: AsyncSession, person_id: int) -> bool:
    """Whether the person's last word about taking part was no. A newer text that was not read yet is no such word."""
    newest = await _newest(session, person_id)
    return any(kind in newest and not newest[kind].given for kind in REQUIRED)


async def _agreed(session: AsyncSession, persons: Sequence[int]) -> list[tuple[int, str]]:
    """Who agrees to which kinds."""
    return [(row.id, row.kind) for row in await session.execute(AGREED, {"persons": list(persons)})]


async def decide(session: AsyncSession, person_id: int, decisions: dict[ConsentKind, bool]) -> None:
    """Write down what the person decided. A withdrawal erases what was gathered under that consent alone; who does not
    agree to a new version withdraws what was given to the earlier one."""
    before = {state.kind: state for state in await state_of(session, person_id)}
    for kind, given in decisions.items():
        state = before[kind]
        if not state.outdated and state.given == given and (given or state.at is not None):
            continue
        session.add(Consent(person_id=person_id, text_id=state.text.id, given=given))
        if state.holds and not given:
            await erase(session, person_id, kind.value)
    await session.flush()


async def publish_text(
    session: AsyncSession, kind: ConsentKind, texts: dict[str, dict[str, str]], *, after: int | None = None
) -> ConsentText:
    """A new version, for which everybody is asked again. `texts` maps languages to `title` and `body`.

    Raises Conflict if the newest version is not `after`, the one that the author has read.
    """
    await session.execute(select(ConsentText.id).where(ConsentText.kind == kind.value).with_for_update())
    newest = (await current_texts(session))[kind]
    if after is not None and newest.version != after:
        raise Conflict
    text = ConsentText(kind=kind.value, version=newest.version + 1, texts=texts)
    session.add(text)
    await session.flush()
    return text


async def _newest(session: AsyncSession, person_id: int) -> dict[ConsentKind, Consent]:
    return {ConsentKind(event.text.kind): event for event in await _history(session, person_id)}


async def _history(session: AsyncSession, person_id: int) -> list[Consent]:
    query = select(Consent).join(Consent.text).options(contains_eager(Consent.text))
    return list(await session.scalars(query.where(Consent.person_id == person_id).order_by(Consent.id)))


@counts("consents")
async def number_of_decisions(session: AsyncSession, person_id: int) -> int:
    return await session.scalar(select(func.count()).where(Consent.person_id == person_id)) or 0


@tells("decisions")
async def my_decisions(session: AsyncSession, person_id: int, language: str) -> list[tuple[str, int, bool, datetime]]:
    """The newest decisions first: the text's title, its version, whether it was agreed to, and when."""
    newest = (await _history(session, person_id))[: -TOLD - 1 : -1]
    return [
        (
            (one.text.texts.get(language) or one.text.texts[DEFAULT_LANGUAGE])["title"],
            one.text.version,
            one.given,
            one.at,
        )
        for one in newest
    ]


@exports("consents")
async def my_consents(session: AsyncSession, person_id: int) -> JsonValue:
    return [
        {
            "kind": event.text.kind,
            "version": event.text.version,
            "given": event.given,
            "at": event.at.isoformat(),
            "text": event.text.texts,
        }
        for event in await _history(session, person_id)
    ]
