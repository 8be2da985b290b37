"""Stand-ins: a member of the panel plays on for a person who does not."""

from __future__ import annotations

from games.protocol import Seat
from server.live.tables.table import Deadline, Table, thinking_deadline
from server.live.thinking.times import uniform


def hand_over(table: Table, seat: Seat, at: float) -> dict[Seat, Deadline]:
    """Let a stand-in sit down; gives what is due at the table then."""
    table.places[seat].member = stand_in(table, seat)
    deadlines = dict(table.deadlines)
    if table.chooses(seat):
        deadlines[seat] = thinking_deadline(table, table.position, table.course, seat, at)
    return deadlines


def stand_in(table: Table, seat: Seat) -> int:
    """Which member of the panel replaces a person: one that plays no other seat, if there is one."""
    sitting = {place.member for place in table.places}
    free = [member for member in range(len(table.panel)) if member not in sitting] or list(range(len(table.panel)))
    return free[int(uniform(table.secret, f"stand-in{seat}") * len(free))]
