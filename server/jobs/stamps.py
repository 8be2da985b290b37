"""Mending the queue after the machine's clock was moved back.

Rows stamped with the time before would then count as not due yet, or as held by a worker that lives, until the clock
has caught up. Whatever lies ahead of now is moved by as much as it lies ahead.
"""

from __future__ import annotations

from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

TOLERANCE: Final = "interval '5 seconds'"

QUEUE: Final = f"""
UPDATE pgqueuer
SET execute_after = execute_after - (greatest(created, updated, now()) - now()),
    created = least(created, now()), updated = least(updated, now()), heartbeat = least(heartbeat, now())
WHERE greatest(created, updated, heartbeat) > now() + {TOLERANCE}
"""  # noqa: S608 - made of constants only

SCHEDULE: Final = f"""
UPDATE pgqueuer_schedules
SET next_run = next_run - (greatest(created, updated, now()) - now()), last_run = least(last_run, now()),
    created = least(created, now()), updated = least(updated, now()), heartbeat = least(heartbeat, now())
WHERE greatest(created, updated, heartbeat) > now() + {TOLERANCE}
"""  # noqa: S608 - made of constants only


async def mend_stamps(pool: asyncpg.Pool) -> None:
    """Nothing happens as long as the clock goes forward."""
    for statement in (QUEUE, SCHEDULE):
        await pool.execute(statement)
