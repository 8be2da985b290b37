"""What happens by itself at a table: the beginning, programs' moves, moves without a choice, clocks and stand-ins.

The first deadline of a match is in its columns. The process that committed last acts on it to the millisecond; others
that have the table loaded act a little later in case that process died, and a sweep over the database finds what nobody
has loaded. Whoever is late finds the ply taken and reads the table again.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from games.protocol import Late, Seat
from server.base.clock import now
from server.live.models import Due, Source
from server.live.tables.standing_in import hand_over
from server.live.tables.table import REFEREE, Action, Alarm, Deadline, Table, first_of
from server.live.tables.thinkers import Computing, Thinkers, accepted_proposal
from server.live.thinking.times import uniform
from server.programs.asking import LIVE_SECONDS
from server.programs.service import Programs

if TYPE_CHECKING:
    from server.live.tables.house import House

log = structlog.get_logger(__name__)

BACKUP_SECONDS: Final = 0.3
"""How long a process waits for the one whose duty it is."""


class Clockwork:
    """Acts on the deadlines of the tables of one process."""

    def __init__(self, house: House, programs: Programs):
        self.house = house
        self.thinkers = Thinkers(house, programs)
        self.actions: dict[Due, Action] = {
            Due.START: self.start,
            Due.REVEAL: self.reveal,
            Due.PASS: self.pass_by,
            Due.CLOCK: self.clock_ran_out,
            Due.ASKED: self.time_is_up,
            Due.OPEN: self.open,
        }

    # ------------------------------------------------------------------------------------------------------ timers

    def arm(self, table: Table, *, backup: bool = False, late: float = 0.0) -> None:
        """Wait for the table's first deadline; `backup` if it is first of all another process's duty.

        `late` is how long after the deadlines were set the table was told; they are moved by as much.
        """
        if late:
            table.deadlines = {seat: Deadline(due, at + late) for seat, (due, at) in table.deadlines.items()}
        if not table.deadlines or table.ended:
            table.rest()
            return
        planned = [self._planned(table, seat, deadline, backup) for seat, deadline in table.deadlines.items()]
        at, seat, action = planned[0] if len(planned) == 1 else min(planned, key=lambda one: one[0])
        # The clock may have been moved back: nobody waits longer than the deadline was away when it was set.
        begun = table.turn_at
        if not table.started:
            begun = at - self.house.config.start_delay.total_seconds() * table.thinking.pace
        loop = asyncio.get_running_loop()
        rings_at = loop.time() + max(0.0, at - max(begun, now().timestamp()))
        table.alarm = Alarm(rings_at, seat, action)
        # Each move of a person puts the alarm off. A timer that rings before it stays: it costs less to look once more
        # when it rings than to set thousands of them anew with every move.
        if table.timer is None or table.timer.when() > rings_at:
            self._set(table, rings_at)

    def _set(self, table: Table, rings_at: float) -> None:
        if table.timer is not None:
            table.timer.cancel()
        table.timer = asyncio.get_running_loop().call_at(rings_at, self._ring, table)

    def _planned(self, table: Table, seat: Seat, deadline: Deadline, backup: bool) -> tuple[float, Seat, Action]:
        """When to do what about a deadline. A program's move is prepared before it is shown."""
        due, at = deadline
        if backup:
            return at + BACKUP_SECONDS, seat, self.actions[due]
        if due == Due.REVEAL and seat not in table.prepared:
            lead = self.house.config.compute_lead.total_seconds() * table.thinking.pace
            return min(at - lead, table.turn_at + table.proposal_ms / 1000), seat, self.prepare
        return at, seat, self.actions[due]

    def _ring(self, table: Table) -> None:
        table.timer = None
        if table.alarm is None:
            return
        rings_at, seat, action = table.alarm
        if rings_at > asyncio.get_running_loop().time():
            self._set(table, rings_at)
        elif table.busy:
            ply = table.ply
            table.deferred.append(lambda: self._ring(table) if table.ply == ply and not table.timer else None)
        elif seat in table.deadlines:
            action(table, seat)
        else:  # the seat has chosen meanwhile
            self.arm(table)

    def act_if_overdue(self, table: Table) -> None:
        """For the sweep: nobody has acted on this table's deadline."""
        if table.busy or not table.deadlines:
            return
        seat, (due, at) = min(table.deadlines.items(), key=lambda item: item[1].at)
        if at < now().timestamp():
            self.actions[due](table, seat)

    # ------------------------------------------------------------------------------------------------- the referee

    def start(self, table: Table, _seat: Seat) -> None:
        self.house.begin(table)

    def pass_by(self, table: Table, _seat: Seat) -> None:
        self.house.play_forced(table)

    def open(self, table: Table, _seat: Seat) -> None:
        self.house.open_sealed(table)

    # -------------------------------------------------------------------------------------------------- programs

    def prepare(self, table: Table, seat: Seat) -> None:
        """Shortly before a program's move is shown: compute it here unless a browser has."""
        table.prepared.add(seat)
        if accepted_proposal(table, seat) is None:
            self.thinkers.compute(table, seat)
        self.arm(table)

    def reveal(self, table: Table, seat: Seat) -> None:
        """Show a program's move: what the browsers agree on, or what was computed here."""
        proposed = accepted_proposal(table, seat)
        if proposed is not None and seat not in table.decisions:
            self.house.choose(table, seat, proposed, Source.PROPOSAL)
            return
        decision, ply = self.thinkers.compute(table, seat), table.ply
        if decision.done():
            self.play_decision(table, ply, seat)
        else:
            decision.add_done_callback(lambda _: self.play_decision(table, ply, seat))
            self._wait_for_others(table, seat)
            member = table.member_on(seat)
            if member is not None and member.heavy:
                asyncio.get_running_loop().call_later(LIVE_SECONDS, self._give_up, table, ply, seat, decision)

    def _give_up(self, table: Table, ply: int, seat: Seat, decision: Computing) -> None:
        """A heavy player is late; who waits for long would learn from it that a program sits there."""
        if table.ply == ply and table.chooses(seat) and not decision.done():
            self.thinkers.draw_lot(table, seat)
            self.play_decision(table, ply, seat)

    def _wait_for_others(self, table: Table, seat: Seat) -> None:
        """While a program still thinks, the deadlines of those who choose at the same time count."""
        others = {other: deadline for other, deadline in table.deadlines.items() if other != seat}
        if others:
            table.deadlines = others
            self.arm(table)

    def play_decision(self, table: Table, ply: int, seat: Seat) -> None:
        """Play what was computed for a seat, if it is still waited for."""
        decision = table.decisions.get(seat)
        if table.ply != ply or not table.chooses(seat) or decision is None or decision.cancelled():
            return
        if table.busy:
            table.deferred.append(partial(self.play_decision, table, ply, seat))
            return
        legal = table.choices[seat].legal
        error = decision.exception()
        text = None if error is not None else decision.result()["move"]
        if text not in legal:
            log.error("live.decision_failed", match=table.match, ply=ply, exc_info=error)
            text = legal[int(uniform(table.secret, f"failed{ply}:{seat}") * len(legal))]
            details: dict[str, object] = {"ply": ply, "error": str(error)}
            self.house.spawn(self.house.repository.note(table.match, seat, "decision_failed", details))
        proposed = text == accepted_proposal(table, seat)
        self.house.choose(table, seat, text, Source.PROPOSAL if proposed else Source.SERVER)

    # ---------------------------------------------------------------------------------------------------- persons

    def clock_ran_out(self, table: Table, seat: Seat) -> None:
        """The clock of a person ran out: ask, if there is anybody to be asked; in games with a beat it goes on."""
        if table.places[seat].played_by_program:  # replaced while the clock was being wound
            self.reveal(table, seat)
        elif table.game.tempo.late is Late.DEFAULT:
            self.house.choose(table, seat, str(table.position.default(seat)), Source.DEFAULT)
        else:
            self.ask(table, seat)

    def ask(self, table: Table, seat: Seat) -> None:
        table.busy = True
        self.house.spawn(self._ask(table, seat))

    async def _ask(self, table: Table, seat: Seat) -> None:
        before = table.next_deadline()
        try:
            here = bool(table.connections.get(seat)) or await self.house.repository.connected(table.match, seat)
            until = now().timestamp() + table.ask_ms / 1000 if here else None
            deadlines = {other: deadline for other, deadline in table.deadlines.items() if other != seat}
            if until is not None:
                deadlines[seat] = Deadline(Due.ASKED, until)
            asked = await self.house.repository.ask(table.match, table.ply, seat, first_of(deadlines), before, until)
        except BaseException:
            self.house.reload(table)
            raise
        if not asked:
            self.house.reload(table)
            return
        table.deadlines = deadlines
        if here:
            self.house.tell_asked(table, seat)
        self.arm(table)
        self.house.free(table)

    def welcome_back(self, table: Table, seat: Seat) -> None:
        """A person whose clock ran out while away is asked on coming back."""
        place = table.places[seat]
        waited_for = table.chooses(seat) and not place.played_by_program and not table.ended
        if not waited_for or seat in table.deadlines or REFEREE in table.deadlines or not table.connections.get(seat):
            return
        if table.busy:
            table.deferred.append(partial(self.welcome_back, table, seat))
        else:
            self.ask(table, seat)

    def time_is_up(self, table: Table, seat: Seat) -> None:
        self.house.spawn(self.replace(table, seat, "clock"))

    async def replace(self, table: Table, seat: Seat, why: str) -> None:
        """A member of the panel who does not sit here yet plays this seat to the end."""
        if table.busy:
            table.deferred.append(lambda: self.house.spawn(self.replace(table, seat, why)))
            return
        place = table.places[seat]
        asked = table.deadlines.get(seat)
        if place.replaced or table.ended or (why == "clock" and (asked is None or asked.due != Due.ASKED)):
            return
        table.busy = True
        deadlines = hand_over(table, seat, now().timestamp())
        assert place.member is not None
        name = table.panel[place.member].name
        try:
            replaced = await self.house.repository.replace(
                table.match, table.ply, seat, name, place.member, first_of(deadlines), why
            )
        except BaseException:
            self.house.reload(table)
            raise
        if not replaced:
            self.house.reload(table)
            return
        place.replaced = True
        log.info("live.replaced", match=table.match, ply=table.ply, seat=seat, why=why)
        table.deadlines = deadlines
        self.house.dismiss(table, seat)
        self.arm(table)
        self.house.free(table)
