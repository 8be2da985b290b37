"""Programs' moves are computed by the browsers' panels; the server takes, checks and replaces them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import select

from games.jostle import JOSTLE
from server.database import Database
from server.live.decisions import Mind, mind
from server.live.models import Match, MatchEvent, Source
from server.live.wire import PanelMember
from server.study.settings import change_setting
from tests.server.live.clients import SeatClient, at_random
from tests.server.live.conftest import Seat
from tests.server.live.test_whole_match import finished

Advise = Callable[[SeatClient], list[str | None]]


@pytest.fixture
def live_environment(live_environment: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Fifty times faster than life, an honest browser also talks fifty times as fast."""
    live_environment.setenv("GRINTU_LIVE_MESSAGES_PER_SECOND", "1000")
    return live_environment


def honest() -> Advise:
    """What an honest browser does: every member of the panel decides for the seat on move."""
    minds: list[Mind] = []

    def advise(client: SeatClient) -> list[str | None]:
        if not minds:
            minds.extend(mind(member, JOSTLE) for member in client.panel)
        return [each.decide(client.moves) for each in minds]

    return advise


def lying(client: SeatClient) -> list[str | None]:
    """Always the last legal move, whoever is asked."""
    return [client.legal[-1]] * len(client.panel)


def decisions_of(match: Match) -> list[tuple[str, str, str]]:
    """For every move of a program: what was played, what its strategy plays, and where the move came from."""
    found = []
    for seat in match.seats:
        if seat.person_id is None and seat.member is not None:
            own = mind(PanelMember(**match.panel[seat.member]), JOSTLE)
            for move in match.moves:
                if move.seat == seat.seat and move.source != Source.FORCED:
                    before = [each.move for each in match.moves[: move.ply]]
                    found.append((move.move, own.decide(before), move.source))
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
    decided = decisions_of(await play(database, seat, 0.0, lambda client: [None] * len(client.panel)))
    assert all(played == own for played, own, _ in decided)
    assert {source for _, _, source in decided} == {Source.SERVER}


@pytest.mark.parametrize("advisers", [(lying,), (lying, honest())], ids=["alone", "beside an honest one"])
async def test_a_liar_changes_nothing(database: Database, seat: Seat, advisers: tuple[Advise, ...]) -> None:
    match = await play(database, seat, 1.0, *advisers)
    assert all(played == own for played, own, _ in decisions_of(match))
    noted = await events(database, match)
    assert len(noted) == 1, "found out once, not believed again"
    assert noted[0].details["proposed"] != noted[0].details["computed"]
