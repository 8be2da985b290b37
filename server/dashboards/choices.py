"""What the filters of the researchers' pages can be set to, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from server.base.errors import N_
from server.dashboards.attributes import attributes
from server.dashboards.standing import standing
from server.rounds import repository as rounds
from server.storage.database import Database
from server.study.games import GameChoice

Options = list[tuple[str, str]]
Say = Callable[..., str]
"""A text in the reader's language, with values to be put in."""

PATTERN = N_("By detections")
GENERATION = N_("%(name)s, generation %(number)s")


@dataclass(frozen=True)
class Choices:
    """Values with their texts; those of rounds and groups under headings."""

    rounds: list[tuple[str, Options]]
    games: Options
    groups: list[tuple[str, Options]]


async def choices(session: AsyncSession, database: Database, games: GameChoice, language: str, say: Say) -> Choices:
    return Choices(
        rounds=[
            (one.name, [(str(one.id), one.name), *_generations(one.id, one.name, one.step, say)])
            for one in await rounds.all_rounds(session)
        ],
        games=games.options,
        groups=await groups(session, database, games.chosen, language, say),
    )


def _generations(round_id: int, name: str, step: int, say: Say) -> Options:
    """Every population that has played; a round that is over has taken one step more than it had populations."""
    return [(f"{round_id}.{n}", say(GENERATION, name=name, number=n)) for n in range(step + 1)] if step else []


async def groups(
    session: AsyncSession, database: Database, game: str, language: str, say: Say
) -> list[tuple[str, Options]]:
    """By pattern of detections, then by each attribute of the profile."""
    ratings = await standing(session, database, game)
    found = ratings.record["groups"] if ratings else []
    patterns = [(str(one["group"]), f"{one['group'] + 1} ({one['persons']})") for one in found]
    return [
        (say(PATTERN), patterns),
        *(
            (one.text[language], [(f"{one.key}:{key}", text[language]) for key, text in one.options.items()])
            for one in await attributes(session)
            if one.options
        ),
    ]
