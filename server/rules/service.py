"""Opens the game of a reference, wherever its source lies, and takes new sources in.

Games of the library are at hand. A source from the database is read once per process and checked against its hash;
after that `games.registry` knows it like any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from games.protocol import Game, GameError, Lesson, Section
from games.references import MissingSourceError
from server.accounts.audit import audit
from server.accounts.sessions import Identity
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.rules import repository
from server.rules.models import GameSource

LONGEST_UPLOAD: Final = 500_000
"""Characters of a source that somebody adds."""
LONGEST_TITLE: Final = 120

_at_hand: Final[set[str]] = set()
"""What this process has opened and prepared. (A source that was forgotten since is learnt again.)"""


class NoSuchGame(NotFound):
    message = N_("There is no game %(reference)s here.")

    def __init__(self, reference: str) -> None:
        super().__init__(reference=reference[:80])


class Description(NamedTuple):
    """A game as pages tell of it, in the reader's language."""

    reference: str
    title: str
    summary: str
    goal: str
    rules: tuple[Section, ...]
    keys: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    lessons: tuple[Lesson, ...] = ()


def describe(game: Game, reference: str, language: str) -> Description:
    texts = game.texts(language)
    return Description(
        reference, texts.title, texts.summary, texts.goal, texts.rules, texts.keys, texts.seats, texts.lessons
    )


async def open_game(session: AsyncSession, reference: str) -> Game:
    """The game that a reference names. Raises NoSuchGame."""
    return await _open(reference, lambda: repository.source_of(session, reference))


async def open_game_with(pool: asyncpg.Pool, reference: str) -> Game:
    """The same for those who have no session."""
    return await _open(reference, lambda: pool.fetchval(repository.SOURCE, reference))


async def _open(reference: str, find_source: Callable[[], Awaitable[str | None]]) -> Game:
    # Reading a source and preparing its game may take long; those who play must not wait for it.
    try:
        if reference in _at_hand:
            return registry.game(reference)
        game = await asyncio.to_thread(lambda: _prepared(registry.game(reference)))
    except MissingSourceError:
        source = await find_source() if "\x00" not in reference else None
        if source is None:
            raise NoSuchGame(reference) from None
        game = await asyncio.to_thread(lambda: _prepared(registry.learn(reference, source)))
    except GameError:
        raise NoSuchGame(reference) from None
    _at_hand.add(reference)
    return game


def _prepared(game: Game) -> Game:
    """What a game finds out once and keeps (where its board is, whether it has secrets) is found out before anybody
    plays it: at a table all others would wait for it."""
    _ = (game.board, game.secrets, game.setup())
    return game


async def add_source(session: AsyncSession, kind: str, source: str, title: str, who: Identity | str) -> GameSource:
    """Keep a source that its kind can open; what was added before is not added again.

    Raises InvalidInput with the reason of the kind, and Conflict for rules that come with the platform.
    """
    text = source.replace("\r\n", "\n")
    if len(text) > LONGEST_UPLOAD:
        raise InvalidInput(
            N_("A game is described in at most %(most)s characters, not in %(given)s."),
            most=LONGEST_UPLOAD,
            given=len(text),
        )
    if "\x00" in text or "\x00" in title:
        raise InvalidInput(N_("This holds characters or numbers that cannot be stored."))
    try:
        game = await asyncio.to_thread(lambda: _prepared(registry.open_source(kind, text)))
    except GameError as error:
        raise InvalidInput(N_("%(reason)s"), reason=str(error)) from error
    reference = game.reference
    if reference in registry.shelf():
        raise Conflict(N_("These rules come with the platform: %(reference)s."), reference=reference)
    known = await repository.find(session, reference)
    if known is not None:
        return known
    named = title.strip()[:LONGEST_TITLE] or game.texts("en").title
    author = who if isinstance(who, str) else who.pseudonym
    row = GameSource(reference=reference, kind=kind, source=game.source, title=named, author=author, created_at=now())
    session.add(row)
    audit(session, who, "game.add", reference, {"title": named})
    await session.flush()
    return row


async def source_text(session: AsyncSession, reference: str) -> str:
    """The source of a game, as whoever learns it needs it. Raises NoSuchGame."""
    return (await open_game(session, reference)).source
