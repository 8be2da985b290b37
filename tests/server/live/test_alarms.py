"""A table's timer may ring before its deadline; what is due is done at the deadline all the same, once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from server.base.clock import now
from server.live.models import Due
from server.live.tables.clockwork import Clockwork
from server.live.tables.table import Deadline, Table
from tests.server.live.test_dice_and_wire import a_table


class Noting(Clockwork):
    """Notes what it would have done, and when."""

    def __init__(self) -> None:
        self.house = cast("Any", SimpleNamespace(config=None))
        self.done: list[tuple[int, float]] = []
        self.something = asyncio.Event()
        self.actions = dict.fromkeys(Due, self.note)

    def note(self, _table: Table, seat: int) -> None:
        self.done.append((seat, asyncio.get_running_loop().time()))
        self.something.set()


def due_in(table: Table, seat: int, seconds: float) -> None:
    table.turn_at = now().timestamp()
    table.deadlines = {seat: Deadline(Due.CLOCK, table.turn_at + seconds)}


async def test_a_deadline_that_was_put_off_is_not_acted_on_early() -> None:
    clockwork, table, loop = Noting(), a_table(b"s" * 32), asyncio.get_running_loop()
    due_in(table, 0, 0.05)
    clockwork.arm(table)
    due_in(table, 1, 0.4)
    clockwork.arm(table)
    until = loop.time() + 0.4
    await clockwork.something.wait()
    ((seat, at),) = clockwork.done
    assert seat == 1
    assert at >= until - 0.05
    assert table.timer is None


async def test_an_earlier_deadline_is_not_waited_past_and_rest_is_rest() -> None:
    clockwork, table = Noting(), a_table(b"s" * 32)
    due_in(table, 0, 3600)
    clockwork.arm(table)
    due_in(table, 1, 0.02)
    clockwork.arm(table)
    await clockwork.something.wait()
    assert [seat for seat, _ in clockwork.done] == [1]
    due_in(table, 0, 0.02)
    clockwork.arm(table)
    table.deadlines = {}
    clockwork.arm(table)
    assert table.timer is None
    assert table.alarm is None
    await asyncio.sleep(0.1)
    assert [seat for seat, _ in clockwork.done] == [1]
