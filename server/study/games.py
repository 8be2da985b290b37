"""Which games the study is about, and which of them a page or a command speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Query
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request

from server.judgements.repository import games_judged
from server.rules.service import open_game
from server.study.settings import read_settings
from server.web.dependencies import Session
from server.web.rendering import language_of


async def study_games(session: AsyncSession) -> tuple[str, ...]:
    """The references of the games that are offered, the study's first one first."""
    return tuple((await read_settings(session)).games)


async def all_games(session: AsyncSession) -> tuple[str, ...]:
    """What is offered, then what was offered once and has data."""
    return tuple(dict.fromkeys((*await study_games(session), *await games_judged(session))))


async def titled(session: AsyncSession, references: Iterable[str], language: str) -> list[tuple[str, str]]:
    """References with what people call the games; where two are called the same, the reference tells them apart."""
    found = [(reference, (await open_game(session, reference)).texts(language).title) for reference in references]
    titles = [title for _, title in found]
    return [
        (reference, f"{title} ({reference.partition(':')[2][:12]})" if titles.count(title) > 1 else title)
        for reference, title in found
    ]


async def chosen_game(session: AsyncSession, asked: str | None) -> str:
    """The reference that somebody asked for, by itself or by a kind alone; without one the study's first game."""
    return (await open_game(session, asked)).reference if asked else (await study_games(session))[0]


async def _game_of(
    session: Session, game: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$")] = None
) -> str:
    return await chosen_game(session, game)


GameOf = Annotated[str, Depends(_game_of)]
"""The reference of the game that an address speaks of: `?game=tic-tac-toe`, else the study's first."""


@dataclass(frozen=True)
class GameChoice:
    """The game that a page shows, and those that it could show instead, with their titles."""

    chosen: str
    usual: str
    options: list[tuple[str, str]]

    @property
    def query(self) -> str:
        """What addresses of pages about the same game end with."""
        return "" if self.chosen == self.usual else f"?{urlencode({'game': self.chosen})}"


async def _choice_of(request: Request, session: Session, game: GameOf) -> GameChoice:
    known = dict.fromkeys((*await all_games(session), game))
    usual = (await study_games(session))[0]
    return GameChoice(game, usual, await titled(session, known, language_of(request)))


GameChoiceOf = Annotated[GameChoice, Depends(_choice_of)]
