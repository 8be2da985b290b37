"""Who may still judge which match. As long as somebody may, neither the match's seed nor others' exact times are told.

Live play knows nothing of questionnaires: whoever asks people about matches says here who can still answer.

@asks_judges
async def pending(session: AsyncSession, matches: Collection[int]) -> set[Judge]: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple, TypeVar

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.models import MatchSeat


class Judge(NamedTuple):
    """A person who has played a match and can still answer about it."""

    match: int
    person: int


FindJudges = Callable[[AsyncSession, Collection[int]], Awaitable[set[Judge]]]
AnyFindJudges = TypeVar("AnyFindJudges", bound=FindJudges)

ASKING: list[FindJudges] = []


def asks_judges(find: AnyFindJudges) -> AnyFindJudges:
    ASKING.append(find)
    return find


async def still_to_judge(session: AsyncSession, person: int) -> frozenset[int]:
    """The matches that a person has played, or plays, and has not judged yet: of those nobody tells who was who."""
    played = await session.scalars(select(MatchSeat.match_id).where(MatchSeat.person_id == person))
    return frozenset(judge.match for judge in await judges_of(session, list(played)) if judge.person == person)


async def judges_of(session: AsyncSession, matches: Collection[int]) -> set[Judge]:
    """Everybody who can still answer about one of these matches."""
    found: set[Judge] = set()
    for find in ASKING:
        found |= await find(session, matches)
    return found
