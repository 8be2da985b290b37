"""What programs do: computed by the browsers' panels, which are believed within limits, or by the server."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from games import registry
from games.protocol import Seat
from npc.decision import Decision, Explanation, Fault, FaultKind
from server.live.records.decisions import Made
from server.live.tables.table import Table
from server.live.thinking.times import uniform
from server.programs.asking import LIVE_SECONDS, Ask
from server.programs.service import Programs

if TYPE_CHECKING:
    from server.live.tables.house import House

Computing = asyncio.Future[dict[str, Any]]

FAULT: Final = "rule_base_fault"
"""The match event that a player has lost a decision; `ply` and `fault` say which and how."""
CAUGHT: Final = "wrong_proposal"
LATE: Final = Fault(FaultKind.LIMIT, f"no answer within {LIVE_SECONDS:g} s after its move was to be shown")


class Thinkers:
    """The programs at the tables of one process."""

    def __init__(self, house: House, programs: Programs):
        self.house = house
        self.programs = programs

    def compute(self, table: Table, seat: Seat) -> Computing:
        """The decision of the program in a seat that acts, computed beside the event loop, once per ply."""
        begun = table.decisions.get(seat)
        if begun is not None:
            return begun
        member = table.member_on(seat)
        assert member is not None, "a program sits there"
        game = table.game
        ask = Ask(
            match=table.match,
            game=table.reference,
            source="" if table.reference in registry.shelf() else game.source,
            player=member.player,
            seed=member.seed,
            seat=seat if game.secrets else None,
            asked=seat,
            moves=tuple(table.moves),
        )
        computing = asyncio.ensure_future(self.programs.decide(ask))
        table.decisions[seat] = computing
        computing.add_done_callback(partial(self._computed, table, table.ply, seat, member.name))
        return computing

    def draw_lot(self, table: Table, seat: Seat) -> None:
        """Decide in the place of a program that has not answered in time; nobody waits for its answer any more."""
        member = table.member_on(seat)
        assert member is not None, "a program sits there"
        table.decisions[seat].cancel()
        legal = table.choices[seat].legal
        move = legal[int(uniform(table.secret, f"late{table.ply}:{seat}") * len(legal))]
        words = f"The program was late; {move} was drawn by lot."
        lot = Decision(table.game.move(move), fault=LATE, _explain=lambda: Explanation("fault", words))
        drawn: Computing = asyncio.get_running_loop().create_future()
        drawn.set_result(lot.as_json())
        table.decisions[seat] = drawn
        self._computed(table, table.ply, seat, member.name, drawn)

    def _computed(self, table: Table, ply: int, seat: Seat, name: str, computing: Computing) -> None:
        """Write the decision down; and whatever browsers proposed meanwhile is held against it."""
        if computing.cancelled() or computing.exception() is not None:
            return
        decision = computing.result()
        self.house.decisions.note(Made(table.match, ply, seat, name, decision))
        if decision["fault"] is not None:
            self._note(table, seat, FAULT, {"ply": ply, "fault": decision["fault"]})
        if table.ply == ply:
            member = table.places[seat].member
            for proposer, choices in table.proposals.get(seat, {}).items():
                if member is not None:
                    self._hold_against(table, ply, proposer, choices[member], decision["move"])

    def proposed(self, table: Table, proposer: Seat, seat: Seat, choices: list[str | None]) -> None:
        """A browser tells what each member of the panel would do in a seat; now and then the server checks it."""
        known = table.proposals.setdefault(seat, {})
        if proposer in known:
            return
        known[proposer] = choices
        member = table.places[seat].member
        if member is None or not table.chooses(seat) or not table.panel[member].repeatable_in_browsers:
            return
        computing = table.decisions.get(seat)
        if computing is None and (len(believed(table, seat, member)) > 1 or random.random() < table.check_share):
            self.compute(table, seat)
        elif computing is not None and computing.done() and not computing.cancelled() and not computing.exception():
            self._hold_against(table, table.ply, proposer, choices[member], computing.result()["move"])

    def _hold_against(self, table: Table, ply: int, proposer: Seat, proposed: str | None, computed: str) -> None:
        """Whoever proposed something else is not believed any more in this match. (Nothing is not something else.)"""
        if proposed in (None, computed) or proposer in table.distrusted:
            return
        table.distrusted.add(proposer)
        self._note(table, proposer, CAUGHT, {"ply": ply, "proposed": proposed, "computed": computed})

    def _note(self, table: Table, seat: Seat, kind: str, details: dict[str, object]) -> None:
        self.house.spawn(self.house.repository.note(table.match, seat, kind, details))


def believed(table: Table, seat: Seat, member: int) -> set[str]:
    """What the browsers that are trusted propose for a player in a seat; several things if one of them is wrong."""
    proposals = table.proposals.get(seat, {})
    proposed = {choices[member] for proposer, choices in proposals.items() if proposer not in table.distrusted}
    return {text for text in proposed if text is not None}


def accepted_proposal(table: Table, seat: Seat) -> str | None:
    """What the browsers propose for the program in a seat, if they agree and it is legal."""
    member = table.places[seat].member
    if member is None or not table.panel[member].repeatable_in_browsers:
        return None
    proposed = believed(table, seat, member)
    if len(proposed) != 1:
        return None
    (text,) = proposed
    return text if text in table.choices[seat].legal else None
