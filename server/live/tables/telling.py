"""What the sockets of a table are told: to everybody the view of the own seat, and nothing else."""

from __future__ import annotations

import json
from json.encoder import encode_basestring_ascii as quoted
from typing import Final

from games.protocol import Event, Seat
from npc.shown import NOTHING, Shown, drawn_from_text, shown
from server.live.models import Due
from server.live.tables.referee import Progress, seen_by
from server.live.tables.table import Member, Table
from server.live.wire import messages as wire
from server.live.wire.frames import Encoded, encoded, listed

BYSTANDER: Final[Seat] = -1
"""Stands for every seat of an open game that does not choose: they are all told the same."""


class Telling:
    """The `wire.Moves` that a commit is told with, encoded once for all who are told the same.

    `table` has advanced already. The text is written by hand because this is the most frequent message; a test holds it
    to the model.
    """

    def __init__(self, table: Table, progress: Progress):
        self.table = table
        self.progress = progress
        self.made: dict[Seat, Encoded] = {}
        self.choosing = [seat for seat in progress.choices if table.chooses(seat)]
        self.open = None if table.game.secrets else self._parts(None)

    def to(self, seat: Seat) -> Encoded:
        key = seat if self.open is None or seat in self.choosing else BYSTANDER
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = encoded(self.text(key))
        return found

    def text(self, seat: Seat) -> str:
        table = self.table
        before, after = self.open or self._parts(seat)
        drawn = NOTHING_DRAWN if drawn_from_text(table.game) else json.dumps(shown_for(table, seat))
        legal = listed(table.choices[seat].legal) if seat in self.choosing else ""
        return f'{before}"legal":[{legal}],"shown":{drawn},{after}'

    def _parts(self, seat: Seat | None) -> tuple[str, str]:
        """What stands before and after the legal moves, as a seat sees it; None: as everybody does."""
        table, progress = self.table, self.progress
        if seat is None:
            texts, position = progress.texts, progress.text
        else:
            texts = tuple([before.seen(move, seat) for before, move in progress.played])
            position = table.position.view(seat).text()
        events = [event for before, move in progress.played for event in before.events(move, seat)]
        over = "true" if table.ended else "false"
        head = (
            f'{{"type":"moves","ply":{table.ply - len(texts)},"moves":[{listed(texts)}],"position":{quoted(position)},'
            f'"acting":[{",".join(map(str, progress.choices))}],"over":{over},'
        )
        return head, (
            f'"clock_ms":{0 if table.ended else table.clock_ms},"events":[{",".join(map(event_text, events))}]}}'
        )


def legal_for(table: Table, seat: Seat) -> tuple[str, ...]:
    """The moves among which a seat may choose now."""
    return table.choices[seat].legal if table.chooses(seat) else ()


def event_text(event: Event) -> str:
    how, piece, source, target = event
    return f"[{quoted(how)},{quoted(piece)},{quoted(source)},{quoted(target)}]"


NOTHING_DRAWN: Final = json.dumps(NOTHING)


def shown_for(table: Table, seat: Seat) -> Shown:
    """What a seat's board draws, with its moves if it chooses now."""
    view = table.position.view(seat) if table.game.secrets else table.position
    return shown(table.game, view, seat if table.chooses(seat) else None)


def state_for(table: Table, seat: Seat, known: int, now: float) -> wire.State:
    """Everything `seat` may know, from the ply it says it knows."""
    since = known if known <= table.ply else 0
    asked = table.deadlines.get(seat)
    sealed = table.sealed.get(seat)
    running = table.started and not table.ended
    return wire.State(
        match=str(table.match),
        game=table.reference,
        setup=table.game.setup(),
        you=seat,
        commitment=table.commitment,
        panel=[wire.PanelMember(player=one.player, seed=one.seed) for one in told_panel(table)],
        since=since,
        moves=seen_by(table.game, table.moves, seat, since),
        ply=table.ply,
        position=table.position.view(seat).text(),
        acting=list(table.choices) if table.started else [],
        over=table.ended,
        sealed=None if sealed is None else sealed.move,
        legal=list(legal_for(table, seat)),
        shown=wire.Shown.model_validate(shown_for(table, seat)),
        starts_ms=0 if table.started else remaining_ms(table.starts_at, now),
        clock_ms=remaining_ms(table.turn_at + table.clock_ms / 1000, now) if running else 0,
        clock_total_ms=table.clock_ms,
        animation_speed=table.animation_speed,
        asked_ms=remaining_ms(asked.at, now) if asked is not None and asked.due == Due.ASKED else None,
    )


def told_panel(table: Table) -> list[Member]:
    """The players that browsers compute; none where the server does, and in games with secrets, where they would have
    to know what others hold."""
    return table.panel if table.browsers_think else []


def remaining_ms(until: float, now: float) -> int:
    return max(0, round((until - now) * 1000))


def ended_message(table: Table) -> wire.Ended:
    return wire.Ended(
        ply=table.ply,
        scores=list(table.position.scores()),
        winners=list(table.position.winners()),
        next=f"/matches/{table.match}/questionnaire",
    )
