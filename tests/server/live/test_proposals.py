"""Programs' moves are computed by the browsers' panels; the server takes, checks and replaces them."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from games.jostle import JOSTLE
from npc.follower import Follower
from npc.players import player
from server.live.models import Match, MatchEvent, Source
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import Advise, SeatClient, at_random
from tests.server.live.conftest import Seat
from tests.server.live.test_whole_match import finished


@pytest.fixture
def live_environment(live_environment: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Fifty times faster than life, an honest browser also talks fifty times as fast."""
    live_environment.setenv("GRINTU_LIVE_MESSAGES_PER_SECOND", "1000")
    return live_environment


def follower(text: str, seed: str) -> Follower:
    return Follower(JOSTLE, player(text, JOSTLE.reference), seed)


def honest() -> Advise:
    """What an honest browser does: every member of the panel decides for the seat on move."""
    followers: list[Follower] = []

    def advise(client: SeatClient, seat: int) -> list[str | None]:
        if not followers:
            followers.extend(follower(member.player, member.seed) for member in client.panel)
        for each in followers:
            each.catch_up(client.moves)
        return [str(each.decide(seat).move) for each in followers]

    return advise


def lying(client: SeatClient, seat: int) -> list[str | None]:
    """Always the last legal move, whoever is asked."""
    return [str(JOSTLE.position(client.position).moves(seat)[-1])] * len(client.panel)


def silent(client: SeatClient, _seat: int) -> list[str | None]:
    return [None] * len(client.panel)


def decisions_of(match: Match, after: int = -1) -> list[tuple[str, str, str]]:
    """For every move of a program, or those after a ply: what was played, what its strategy plays, and where the move
    came from."""
    found = []
    for seat in match.seats:
        if seat.person_id is None and seat.member is not None:
            member = match.panel[seat.member]
            own = follower(member["player"], member["seed"])
            for move in match.moves:
                if move.seat == seat.seat and move.source != Source.FORCED and move.ply > after:
                    own.catch_up([each.move for each in match.moves[: move.ply]])
                    found.append((move.move, str(own.decide(seat.seat).move), move.source))
    return found


async def play(database: Database, seat: Seat, share: float, *advisers: Advise) -> Match:
    async with database.transaction() as session:
        await change_setting(session, "check_share", share, changed_by="test")
    party = await seat(len(advisers))
    for number, (client, adviser) in enumerate(zip(party.clients, advisers, strict=True)):
        client.advise = adviser
        await client.open()
        assert number < 3
    await asyncio.gather(*(client.play_on(at_random(n)) for n, client in enumerate(party.clients)))
    assert all(client.ended is not None for client in party.clients)
    return await finished(database, party.match)


async def events(database: Database, match: Match) -> list[MatchEvent]:
    async with database.sessions() as session:
        query = select(MatchEvent).where(MatchEvent.match_id == match.id, MatchEvent.kind == "wrong_proposal")
        return list(await session.scalars(query))


async def test_what_browsers_propose_is_played(database: Database, seat: Seat) -> None:
    match = await play(database, seat, 0.0, honest(), honest())
    decided = decisions_of(match)
    assert all(played == own for played, own, _ in decided)
    from_browsers = sum(source == Source.PROPOSAL for _, _, source in decided)
    assert from_browsers > len(decided) / 2
    assert not await events(database, match)


async def test_without_proposals_the_server_plays_the_same(database: Database, seat: Seat) -> None:
    decided = decisions_of(await play(database, seat, 0.0, silent))
    assert all(played == own for played, own, _ in decided)
    assert {source for _, _, source in decided} == {Source.SERVER}


@pytest.mark.parametrize("advisers", [(silent,), (silent, honest())], ids=["alone", "beside an honest one"])
async def test_who_could_not_compute_is_no_liar(database: Database, seat: Seat, advisers: tuple[Advise, ...]) -> None:
    """Every proposal is held against what the server computes; none at all contradicts nothing."""
    match = await play(database, seat, 1.0, *advisers)
    assert all(played == own for played, own, _ in decisions_of(match))
    assert not await events(database, match)


@pytest.mark.parametrize("advisers", [(lying,), (lying, honest())], ids=["alone", "beside an honest one"])
async def test_a_liar_changes_nothing(database: Database, seat: Seat, advisers: tuple[Advise, ...]) -> None:
    match = await play(database, seat, 1.0, *advisers)
    assert all(played == own for played, own, _ in decisions_of(match))
    noted = await events(database, match)
    assert len(noted) == 1, "found out once, not believed again"
    assert noted[0].details["proposed"] != noted[0].details["computed"]


async def test_who_was_caught_once_is_not_believed_again_however_seldom_anybody_checks(
    database: Database, seat: Seat
) -> None:
    """An honest browser contradicts the liar until that is noticed; from then on only the liar speaks."""
    caught, truth = asyncio.Event(), honest()

    def honest_until_then(client: SeatClient, asked: int) -> list[str | None]:
        return silent(client, asked) if caught.is_set() else truth(client, asked)

    async def look() -> None:
        async with database.sessions() as session:
            while not await session.scalar(select(MatchEvent.id).where(MatchEvent.kind == "wrong_proposal")):
                await session.rollback()
                await asyncio.sleep(0.02)
        caught.set()

    looking = asyncio.create_task(look())
    match = await play(database, seat, 0.0, lying, honest_until_then)
    await asyncio.wait_for(looking, 60)
    (noted,) = await events(database, match)
    later = decisions_of(match, after=noted.details["ply"])
    assert all(played == own for played, own, _ in later)
    assert Source.SERVER in {source for _, _, source in later}, "nobody who is believed proposes any more"
