"""Finished matches to answer about, made straight in the database."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from http.cookies import SimpleCookie
from uuid import uuid4

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from games.jostle import JOSTLE, JostlePosition
from server.accounts.models import Account, Person
from server.accounts.sessions import COOKIE, open_session
from server.base.clock import now
from server.base.settings import Settings
from server.live.models import Match, MatchMove, MatchSeat
from tests.servers import PageClient


@dataclass
class PlayedMatch:
    """Two persons on seats 0 and 2, a strategy on seat 1."""

    id: int
    first: int
    second: int
    strategy: str = "Observing PALS"


PLIES = 60


@cache
def beginning_of_a_game() -> tuple[tuple[tuple[int, str], ...], JostlePosition]:
    """The first plies of a game at random, always the same: who moved what, and where it stands."""
    position, chance, moves = JOSTLE.start(), random.Random(7), []
    for _ in range(PLIES):
        outcomes = [move for move, weight in position.outcomes() for _ in range(weight)]
        move = chance.choice(outcomes or list(position.moves()))
        moves.append((position.to_act, str(move)))
        position = position.play(move)
    return tuple(moves), position


async def played_match(session: AsyncSession, *persons: Person, ended: bool = True) -> PlayedMatch:
    moves, position = beginning_of_a_game()
    first, second = persons or (Person(pseudonym=uuid4().hex, created_at=now()) for _ in range(2))
    session.add_all([first, second])
    match = Match(
        created_at=now(), software="test", game="jostle:standard", dice_seed=b"seed", secret=b"secret",
        programs_think="browsers", commitment="c", panel=[],
        thinking={}, clock_ms=1, ask_ms=1, grace_ms=1, proposal_ms=1, check_share=0, starts_at=now(),
        ply=PLIES, to_act=-2, position=position.text(), turn_at=now(), ended_at=now() if ended else None,
        scores=[1, 2, 3], winners=[2],
    )  # fmt: skip
    session.add(match)
    await session.flush()
    session.add_all(
        [
            MatchSeat(match_id=match.id, seat=0, person_id=first.id),
            MatchSeat(match_id=match.id, seat=1, strategy="Observing PALS", member=0),
            MatchSeat(match_id=match.id, seat=2, person_id=second.id),
            *(
                MatchMove(match_id=match.id, ply=ply, seat=seat, move=move, source="person", ms=900, at=now())
                for ply, (seat, move) in enumerate(moves)
            ),
        ]
    )
    await session.flush()
    return PlayedMatch(match.id, first.id, second.id)


@pytest.fixture
async def played(session: AsyncSession) -> PlayedMatch:
    made = await played_match(session)
    await session.commit()
    return made


async def as_person(client: PageClient, session: AsyncSession, settings: Settings, role: str = "proband") -> Person:
    """Log the client in as a new person of a role."""
    person = Person(pseudonym=uuid4().hex[:12], created_at=now())
    session.add(person)
    await session.flush()
    email = f"{person.pseudonym}@example.org"
    account = Account(
        person_id=person.id, email=email, password_hash="!", role=role, created_at=now(), confirmed_at=now()
    )
    session.add(account)
    await session.flush()
    await log_in(client, session, settings, person.id)
    return person


async def log_in(client: PageClient, session: AsyncSession, settings: Settings, person_id: int) -> None:
    """Let the client be somebody who has an account already."""
    account = (await session.scalars(select(Account).where(Account.person_id == person_id))).one()
    answer = Response()
    await open_session(session, account, settings, answer)
    await session.commit()
    client.cookies.set(COOKIE, SimpleCookie(answer.headers["set-cookie"])[COOKIE].value)
    await client.get("/findings")  # any page brings the CSRF token
