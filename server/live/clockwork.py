"""What happens by itself at a table: the first die, programs' moves, passes, clocks and stand-ins.

Every deadline is a column of the match. The process that committed last acts on it to the millisecond; others that have
the table loaded act a little later in case that process died, and a sweep over the database finds what nobody has
loaded. Whoever is late finds the ply taken and reads the table again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from server.clock import now
from server.live import referee
from server.live.decisions import PlayerFinder, is_rule_base, mind
from server.live.models import Due, Source
from server.live.table import NO_DEADLINE, Deadline, Table, next_deadline
from server.live.thinking import uniform

if TYPE_CHECKING:
    from server.live.house import House

log = structlog.get_logger(__name__)

BACKUP_SECONDS: Final = 0.3
"""How long a process waits for the one whose duty it is."""


class Clockwork:
    """Acts on the deadlines of the tables of one process."""

    def __init__(self, house: House, find_player: PlayerFinder):
        self.house = house
        self.find_player = find_player
        self.thinker = ThreadPoolExecutor(1, "live-thinker")
        self.actions: dict[Due, Callable[[Table], None]] = {
            Due.START: self.start,
            Due.REVEAL: self.reveal,
            Due.PASS: self.pass_by,
            Due.CLOCK: self.ask,
            Due.ASKED: self.time_is_up,
        }

    # ------------------------------------------------------------------------------------------------------ timers

    def arm(self, table: Table, *, backup: bool = False, late: float = 0.0) -> None:
        """Wait for the table's deadline; `backup` if it is first of all another process's duty.

        `late` is how long after the deadline was set the table was told; the deadline is moved by as much.
        """
        if table.timer is not None:
            table.timer.cancel()
            table.timer = None
        if table.due is None or table.due_at is None or table.ended:
            return
        table.due_at += late
        at = table.due_at + (BACKUP_SECONDS if backup else 0)
        if table.due == Due.REVEAL and not backup:
            lead = self.house.config.compute_lead.total_seconds() * table.thinking.pace
            at = min(at - lead, table.turn_at + table.proposal_ms / 1000)
            self._wait(table, at, self.prepare)
        else:
            self._wait(table, at, self.actions[table.due])

    def _wait(self, table: Table, at: float, action: Callable[[Table], None]) -> None:
        # The clock may have been moved back: nobody waits longer than the deadline was away when it was set.
        begun = table.turn_at if table.ply else at - self.house.config.start_delay.total_seconds() * table.thinking.pace
        delay = max(0.0, at - max(begun, now().timestamp()))
        table.timer = asyncio.get_running_loop().call_later(delay, self._ring, table, action)

    def _ring(self, table: Table, action: Callable[[Table], None]) -> None:
        table.timer = None
        if table.busy:
            ply = table.ply
            table.deferred.append(lambda: self._ring(table, action) if table.ply == ply and not table.timer else None)
        else:
            action(table)

    def act_if_overdue(self, table: Table) -> None:
        """For the sweep: nobody has acted on this table's deadline."""
        if table.due is not None and table.due_at is not None and not table.busy and table.due_at < now().timestamp():
            self.actions[table.due](table)

    # ------------------------------------------------------------------------------------------------- the referee

    def start(self, table: Table) -> None:
        self.house.commit(table, referee.begin(table.game, table.seed), Source.CHANCE)

    def pass_by(self, table: Table) -> None:
        self.house.play(table, table.legal[0], Source.FORCED)

    # -------------------------------------------------------------------------------------------------- programs

    def prepare(self, table: Table) -> None:
        """Shortly before a program's move is shown: compute it here unless a browser has."""
        if table.due_at is None:
            return
        if accepted_proposal(table) is None:
            self.compute(table)
        self._wait(table, table.due_at, self.reveal)

    def reveal(self, table: Table) -> None:
        """Show a program's move: what the browsers agree on, or what was computed here."""
        proposed = accepted_proposal(table)
        if proposed is not None and table.decision is None:
            self.house.play(table, proposed, Source.PROPOSAL)
            return
        decision = self.compute(table)
        if decision.done():
            self.play_decision(table, table.ply, decision)
        else:
            decision.add_done_callback(partial(self.play_decision, table, table.ply))

    def compute(self, table: Table) -> asyncio.Future[str]:
        """The decision of the program on move, computed beside the event loop, once per ply."""
        if table.decision is None:
            place = table.acting()
            assert place is not None, "somebody is on move"
            assert place.member is not None, "a program is on move"
            table.decision = asyncio.get_running_loop().run_in_executor(
                self.thinker, self._decide, table, place.member, list(table.moves)
            )
        return table.decision

    def _decide(self, table: Table, member: int, moves: list[str]) -> str:
        known = table.minds.get(member)
        if known is None or known.ply > len(moves):
            known = table.minds[member] = mind(table.panel[member], table.game, self.find_player)
        return known.decide(moves)

    def play_decision(self, table: Table, ply: int, decision: asyncio.Future[str]) -> None:
        if table.ply != ply or table.ended or decision.cancelled():
            return
        if table.busy:
            table.deferred.append(partial(self.play_decision, table, ply, decision))
            return
        legal = table.legal
        if (error := decision.exception()) is not None or decision.result() not in legal:
            log.error("live.decision_failed", match=table.match, ply=ply, exc_info=error)
            text = legal[int(uniform(table.seed, f"failed{ply}") * len(legal))]
            details: dict[str, object] = {"ply": ply, "error": str(error)}
            self.house.spawn(self.house.repository.note(table.match, table.position.to_act, "decision_failed", details))
        else:
            text = decision.result()
            self._note_fault(table, ply)
        self.house.play(table, text, Source.PROPOSAL if text == accepted_proposal(table) else Source.SERVER)

    def _note_fault(self, table: Table, ply: int) -> None:
        """A rule base that lost its decision: written down for its author."""
        place = table.acting()
        mind_of = table.minds.get(place.member) if place is not None and place.member is not None else None
        if mind_of is not None and mind_of.fault is not None:
            details: dict[str, object] = {"ply": ply, "fault": mind_of.fault}
            self.house.spawn(self.house.repository.note(table.match, table.position.to_act, "rule_base_fault", details))

    def proposed(self, table: Table, seat: int, choices: list[str | None]) -> None:
        """A browser tells what each member of the panel would do; now and then the server checks it."""
        if seat in table.proposals:
            return
        table.proposals[seat] = choices
        place = table.acting()
        if place is None or place.member is None or seat in table.distrusted:
            return
        if random.random() < table.check_share:
            check = partial(self.checked, table, seat, table.ply, choices[place.member])
            self.compute(table).add_done_callback(check)

    def checked(self, table: Table, seat: int, ply: int, proposed: str | None, decision: asyncio.Future[str]) -> None:
        if decision.cancelled() or decision.exception() is not None or decision.result() == proposed:
            return
        table.distrusted.add(seat)
        details: dict[str, object] = {"ply": ply, "proposed": proposed, "computed": decision.result()}
        self.house.spawn(self.house.repository.note(table.match, seat, "wrong_proposal", details))

    # ---------------------------------------------------------------------------------------------------- persons

    def ask(self, table: Table) -> None:
        """The clock of a person ran out: ask, if there is anybody to be asked."""
        place = table.acting()
        if place is not None and place.played_by_program:  # replaced while the clock was being wound
            self.reveal(table)
            return
        table.busy = True
        self.house.spawn(self._ask(table))

    async def _ask(self, table: Table) -> None:
        seat = table.position.to_act
        try:
            here = bool(table.connections.get(seat)) or await self.house.repository.connected(table.match, seat)
            due_at = now().timestamp() + table.ask_ms / 1000
            chosen: Deadline = (Due.ASKED, due_at) if here else NO_DEADLINE
            if await self.house.repository.ask(table.match, table.ply, seat, chosen, table.due):
                table.due, table.due_at = chosen
                if here:
                    self.house.tell_asked(table)
        except BaseException:
            self.house.reload(table)
            raise
        if table.due == Due.CLOCK:
            self.house.reload(table)
            return
        self.arm(table)
        self.house.free(table)

    def welcome_back(self, table: Table, seat: int) -> None:
        """A person whose clock ran out while away is asked on coming back."""
        if table.due is not None or table.ended or table.position.to_act != seat or not table.connections.get(seat):
            return
        if table.busy:
            table.deferred.append(partial(self.welcome_back, table, seat))
        else:
            self.ask(table)

    def time_is_up(self, table: Table) -> None:
        self.house.spawn(self.replace(table, table.position.to_act, "clock"))

    async def replace(self, table: Table, seat: int, why: str) -> None:
        """A member of the panel who does not sit here yet plays this seat to the end."""
        if table.busy:
            table.deferred.append(lambda: self.house.spawn(self.replace(table, seat, why)))
            return
        place = table.places[seat]
        if place.replaced or table.ended or (why == "clock" and table.due != Due.ASKED):
            return
        table.busy = True
        member = stand_in(table, seat)
        place.member = member
        on_move = table.position.to_act == seat and table.due != Due.PASS
        legal = table.legal
        deadline = next_deadline(table, seat, legal, table.ply, now().timestamp()) if on_move else NO_DEADLINE
        strategy = table.panel[member].strategy
        try:
            replaced = await self.house.repository.replace(
                table.match, table.ply, seat, strategy, member, deadline, why
            )
        except BaseException:
            self.house.reload(table)
            raise
        if not replaced:
            self.house.reload(table)
            return
        place.replaced = True
        log.info("live.replaced", match=table.match, ply=table.ply, seat=seat, why=why)
        if on_move:
            table.due, table.due_at = deadline
        self.house.dismiss(table, seat)
        self.arm(table)
        self.house.free(table)


def accepted_proposal(table: Table) -> str | None:
    """What the browsers that are trusted propose for the program on move, if they agree and it is legal."""
    place = table.acting()
    if place is None or place.member is None:
        return None
    if is_rule_base(table.panel[place.member].strategy):
        return (
            None  # a browser's limits are a clock, the server's are counted: only the server's answer can be repeated
        )
    proposed = {choices[place.member] for seat, choices in table.proposals.items() if seat not in table.distrusted}
    if len(proposed) != 1:
        return None
    (text,) = proposed
    return text if text in table.legal else None


def stand_in(table: Table, seat: int) -> int:
    """Which member of the panel replaces a person: one that plays no other seat, if there is one."""
    sitting = {place.member for place in table.places}
    free = [member for member in range(len(table.panel)) if member not in sitting] or list(range(len(table.panel)))
    return free[int(uniform(table.seed, f"stand-in{seat}") * len(free))]
