"""A simulated study's judgement log, written straight into the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import Judgement
from server.accounts.models import Person
from server.base.clock import now
from server.judgements.models import JudgementRow
from server.live.models import Match

GAME = "jostle:standard"
MATCH = {
    "software": "test",
    "game": GAME,
    "dice_seed": b"seed",
    "secret": b"secret",
    "programs_think": "browsers",
    "commitment": "c",
    "panel": [],
    "thinking": {},
    "clock_ms": 1,
    "ask_ms": 1,
    "grace_ms": 1,
    "proposal_ms": 1,
    "check_share": 0.0,
    "ply": 2,
    "to_act": -2,
    "position": "",
}


async def person_ids(session: AsyncSession, names: Sequence[str]) -> dict[str, int]:
    """Persons with these pseudonyms, made where they are missing."""
    wanted = sorted(set(names))
    known = select(Person.pseudonym, Person.id).where(Person.pseudonym.in_(wanted))
    found = dict((await session.execute(known)).all())
    missing = [{"pseudonym": name, "created_at": now()} for name in wanted if name not in found]
    if missing:
        await session.execute(insert(Person), missing)
    return dict((await session.execute(known)).all())


async def store(session: AsyncSession, log: Sequence[Judgement], game: str = GAME) -> None:
    """Append the judgements, one match of the game for each match name."""
    persons = await person_ids(session, [one.person for one in log])
    if not log:
        return
    names = list(dict.fromkeys(one.match for one in log))
    times = {"created_at": now(), "starts_at": now(), "turn_at": now(), "ended_at": now()}
    made = await session.scalars(insert(Match).returning(Match.id), [{**MATCH, **times, "game": game} for _ in names])
    matches = dict(zip(names, made, strict=True))
    seats: dict[tuple[str, str], int] = {}
    rows = []
    for one in log:
        seat = seats[one.match, one.person] = seats.get((one.match, one.person), -1) + 1
        rows.append(
            {
                "at": datetime.fromtimestamp(one.time, UTC),
                "match_id": matches[one.match],
                "game": game,
                "person_id": persons[one.person],
                "seat": seat,
                "strategy": None if one.of_human else one.seat_truth,
                "verdict": one.verdict.value,
                "sureness": one.sureness,
                "enjoyment": one.enjoyment,
                "challenge": one.challenge.value if one.challenge else None,
            }
        )
    await session.execute(insert(JudgementRow), rows)
