"""Who may take part: logged in, and agreeing to the present consent text."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from server.accounts.dependencies import DatabaseOf, SignedIn
from server.accounts.sessions import Identity
from server.errors import ConsentMissing
from server.study.consent import may_play


async def consenting(identity: SignedIn, database: DatabaseOf) -> Identity:
    async with database.glances() as session:
        if not await may_play(session, identity.person_id):
            raise ConsentMissing
    return identity


Consenting = Annotated[Identity, Depends(consenting)]
"""A proband who may play; others are led to the consent page."""
