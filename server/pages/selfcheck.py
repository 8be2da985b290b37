"""The server's side of the status page's self-check; the browser must compute the same."""

import asyncio
from functools import cache

from npc.selfcheck import SelfCheck, self_check

SEED = "status"
PLAYOUTS = 200


async def expected_self_check() -> SelfCheck:
    """Computed once per process, in a thread, because it takes about a second."""
    return await asyncio.to_thread(_expected)


@cache
def _expected() -> SelfCheck:
    return self_check(SEED, PLAYOUTS)
