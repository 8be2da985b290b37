"""Who takes no part any more, in the middle of a match: a stand-in plays on from this moment.

It happens in the transaction in which somebody withdraws the consent or deletes the account, wherever that is; the
processes that have the table hear of it by its notice, and close the seat's sockets.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.owndata import erases
from server.base.clock import now
from server.live.tables.loading import table_from
from server.live.tables.repository import Repository
from server.live.tables.standing_in import hand_over
from server.live.tables.table import first_of
from server.rules.service import open_game

NOBODY: Final = ""
"""No process: every one of them is told."""

# Locked, so that nobody moves meanwhile: what is due after a move depends on who sits where.
MATCHES_OF = text("""
SELECT m.id, s.seat FROM matches m JOIN match_seats s ON s.match_id = m.id
WHERE s.person_id = :person AND s.replaced_at IS NULL AND m.ended_at IS NULL
ORDER BY m.id FOR UPDATE OF m
""")


@erases("play_data", "account")
async def leave_tables(session: AsyncSession, person_id: int) -> None:
    """Nothing that the person does from now on belongs to a match."""
    seats = (await session.execute(MATCHES_OF, {"person": person_id})).all()
    if not seats:
        return
    raw = await (await session.connection()).get_raw_connection()
    repository = Repository(raw.driver_connection, NOBODY)
    for match, seat in seats:
        row = await repository.load(match)
        assert row is not None, "it is locked"
        table = table_from(match, row, await open_game(session, row["game"]))
        deadlines = hand_over(table, seat, now().timestamp())
        member = table.places[seat].member
        assert member is not None, "a stand-in has sat down"
        name = table.panel[member].name
        await repository.replace(match, table.ply, seat, name, member, first_of(deadlines), "withdrawn")
