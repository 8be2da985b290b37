"""The server's side of the status page's self-check; the browser must compute the same."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from games.registry import shelf
from npc.selfcheck import SelfCheck, self_check

SEED: Final = "status"
PLAYOUTS: Final = 2 * len(shelf())
"""Every game of the library once with players and once without."""

_computing: Final = asyncio.Lock()
_known: Final[list[SelfCheck]] = []


async def expected_self_check() -> SelfCheck:
    """Computed once, in a process of its own: it takes seconds, for which nobody's match shall wait."""
    async with _computing:
        if not _known:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                _known.append(await asyncio.get_running_loop().run_in_executor(pool, self_check, SEED, PLAYOUTS))
    return _known[0]
