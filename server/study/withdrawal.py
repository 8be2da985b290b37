"""What withdrawing a consent will do, in figures, shown before it is confirmed.

Domains register what they have gathered under a consent, in a module `personal.py` or one that it imports:

@gathered(ConsentKind.PLAY_DATA, "matches")
async def my_number_of_matches(session: AsyncSession, person_id: int) -> int: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from server.base.domains import domain_modules
from server.study.consent import ConsentKind

Figure = Literal["matches", "answers", "records"]
Counter = Callable[[AsyncSession, int], Awaitable[int]]
AnyCounter = TypeVar("AnyCounter", bound=Counter)

COUNTERS: dict[tuple[ConsentKind, Figure], Counter] = {}


@dataclass(frozen=True, slots=True)
class Effect:
    """How much of the person's data is concerned. What happens to them is told by the page, by kind."""

    matches: int = 0
    answers: int = 0
    records: int = 0


def gathered(kind: ConsentKind, figure: Figure) -> Callable[[AnyCounter], AnyCounter]:
    def register(counter: AnyCounter) -> AnyCounter:
        COUNTERS[kind, figure] = counter
        return counter

    return register


async def effect_of_withdrawing(session: AsyncSession, person_id: int, kind: ConsentKind) -> Effect:
    domain_modules("personal")
    return Effect(
        **{figure: await count(session, person_id) for (about, figure), count in COUNTERS.items() if about is kind}
    )
