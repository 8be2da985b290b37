"""What the lobby keeps of a person: a place in the queue, as long as he or she takes part."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.owndata import erases
from server.matchmaking.lobby import LEAVE


@erases("play_data", "account")
async def leave_lobby(session: AsyncSession, person_id: int) -> None:
    await session.execute(LEAVE, {"person": person_id})
