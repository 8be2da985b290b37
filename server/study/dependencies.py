"""Who may take part: logged in, and agreeing to the present consent text."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from server.accounts.dependencies import SignedIn
from server.accounts.sessions import Identity
from server.base.errors import ConsentMissing
from server.study.consent import has_withdrawn, may_play
from server.web.dependencies import DatabaseOf


async def consenting(identity: SignedIn, database: DatabaseOf) -> Identity:
    async with database.glances() as session:
        if not await may_play(session, identity.person_id):
            raise ConsentMissing
    return identity


Consenting = Annotated[Identity, Depends(consenting)]
"""A proband who may play; others are led to the consent page."""


async def participating(identity: SignedIn, database: DatabaseOf) -> Identity:
    async with database.glances() as session:
        if await has_withdrawn(session, identity.person_id):
            raise ConsentMissing
    return identity


Participating = Annotated[Identity, Depends(participating)]
"""A proband who has not withdrawn: nothing is recorded of others."""
