"""The tables that one process has in memory: loading, committing, broadcasting, and who is connected.

The database is the truth. A table here is a copy at some ply; it advances by its own commits, by the notices of other
processes, or, whenever the two do not fit, by being read again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Final

import structlog

from games import registry
from games.protocol import CHANCE, OVER, Seat
from server.base.clock import now
from server.live.config import LiveConfig
from server.live.models import Due, Source
from server.live.records.decisions import DecisionLog
from server.live.records.scribe import Scribe
from server.live.sockets.connection import Connection
from server.live.tables import referee
from server.live.tables.clockwork import Clockwork
from server.live.tables.commits import COMMITS, Commit
from server.live.tables.loading import table_from
from server.live.tables.notices import moved_line
from server.live.tables.referee import Progress
from server.live.tables.repository import Repository
from server.live.tables.seals import SEALS, Seal
from server.live.tables.table import REFEREE, Deadline, Sealed, Table, deadlines_of, first_of
from server.live.tables.telling import Telling, ended_message
from server.live.tables.writer import Outcome, Writer
from server.live.thinking.situations import Course
from server.live.wire import messages as wire
from server.programs.service import Programs
from server.rules.service import open_game_with
from server.storage.database import Database
from server.storage.outages import is_outage

log = structlog.get_logger(__name__)

PATIENCE_SECONDS: Final = 0.5
LONGEST_MS: Final = 2**31 - 1

Sources = Mapping[Seat, Source]
"""Where the choices of the seats came from."""


class House:
    """Live play in one process."""

    def __init__(self, database: Database, config: LiveConfig, programs: Programs):
        self.process = secrets.token_hex(6)
        self.database = database
        self.config = config
        self.repository = Repository(database.pool, self.process)
        self.committer = Writer(COMMITS, database.pool, self.process, config.writers)
        self.sealer = Writer(SEALS, database.pool, self.process)
        self.scribe = Scribe(database)
        self.decisions = DecisionLog(database.pool)
        self.clockwork = Clockwork(self, programs)
        self.tables: dict[int, Table] = {}
        self.loading: dict[int, asyncio.Task[Table | None]] = {}
        self.noticed: set[int] = set()
        """Matches of which another process told something while they were being loaded."""
        self.tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something beside; a failure is logged, never swallowed."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("live.task_failed", exc_info=error)

    # ---------------------------------------------------------------------------------------------------- loading

    async def table(self, match: int) -> Table | None:
        """The table of a match, read from the database if this process does not have it."""
        if (found := self.tables.get(match)) is not None:
            return found
        if match not in self.loading:
            self.loading[match] = asyncio.create_task(self._load(match))
        return await asyncio.shield(self.loading[match])

    async def _load(self, match: int) -> Table | None:
        try:
            while True:
                self.noticed.discard(match)
                table = await self._read(match)
                if match not in self.noticed:
                    break
            if table is None:
                return None
            self.tables[match] = table
            if not table.ended:
                self._wake_programs(table)
            self.clockwork.arm(table, backup=True)
            return table
        finally:
            del self.loading[match]

    def _wake_programs(self, table: Table) -> None:
        """The first decision shall not wait for a process to start."""
        playing = [member for seat in range(len(table.places)) if (member := table.member_on(seat)) is not None]
        if playing:
            source = "" if table.reference in registry.shelf() else table.game.source
            self.clockwork.thinkers.programs.wake((member.player, table.reference, source) for member in playing)

    async def _read(self, match: int) -> Table | None:
        row = await self.repository.load(match)
        return None if row is None else table_from(match, row, await open_game_with(self.database.pool, row["game"]))

    def reload(self, table: Table) -> None:
        """Read the table again, because something happened elsewhere; tell the sockets what is new."""
        table.busy = True
        self.spawn(self._reload(table))

    async def _reload(self, table: Table) -> None:
        while True:
            try:
                fresh = await self._read(table.match)
                break
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("live.reload_failed", match=table.match, error=str(error))
                await asyncio.sleep(PATIENCE_SECONDS)
        assert fresh is not None, "a match that was played is never deleted while it is served"
        progress = referee.replay(table.game, table.position, fresh.moves[table.ply :])
        news = bool(progress.texts) or (fresh.started and not table.started)
        known_questions = {} if news else asked_in(table)
        newly_sealed = fresh.sealed.keys() if news else fresh.sealed.keys() - table.sealed.keys()
        newly_replaced = [s for s, place in enumerate(fresh.places) if place.replaced and not table.places[s].replaced]
        table.places = fresh.places
        table.distrusted |= fresh.distrusted
        if news:
            table.advance(progress, fresh.course, fresh.turn_at, fresh.deadlines)
            self.publish(table, progress)
        table.sealed = fresh.sealed
        table.deadlines = fresh.deadlines
        for seat in newly_sealed:
            self.tell_sealed(table, seat)
        for seat in newly_replaced:
            self.dismiss(table, seat)
        for seat in asked_in(table).keys() - known_questions.keys():
            self.tell_asked(table, seat)
        self.clockwork.arm(table, backup=True)
        self.free(table)
        for seat in table.choosers():
            self.clockwork.welcome_back(table, seat)

    # ------------------------------------------------------------------------------------------------- committing

    def choose(self, table: Table, seat: Seat, text: str, source: Source) -> None:
        """A seat that acts chooses `text`. Raises GameError; nothing has happened then."""
        together = len(table.choosers()) > 1
        if together or table.game.secrets:  # what the rules say to a wrong move may tell more than the seat may know
            text = referee.legal_text(table.game, table.choices[seat], text)
        if together:
            at = now().timestamp()
            self._seal(table, seat, Sealed(text, source, since_turn(table, at), at))
        else:
            self._play(table, {seat: text}, {seat: source}, {})

    def play_forced(self, table: Table) -> None:
        """Nobody has a choice: the referee moves."""
        self._play(table, {}, {}, {})

    def open_sealed(self, table: Table) -> None:
        """The last seat has chosen: what all have chosen is played."""
        sealed = table.sealed
        self._play(
            table,
            {seat: one.move for seat, one in sealed.items()},
            {seat: one.source for seat, one in sealed.items()},
            {seat: one.ms for seat, one in sealed.items()},
        )

    def _play(self, table: Table, chosen: Mapping[Seat, str], sources: Sources, ms: Mapping[Seat, int]) -> None:
        progress = referee.play(table.game, table.position, table.choices, table.ply, chosen, table.seed)
        self.commit(table, progress, sources, ms)

    def begin(self, table: Table) -> None:
        """The match begins: with what chance does first, or just so."""
        self.commit(table, referee.begin(table.game, table.seed), {}, {})

    def commit(self, table: Table, progress: Progress, sources: Sources, ms: Mapping[Seat, int]) -> None:
        """`ms` is what each seat took, where that is known; the others took what has passed since the last move."""
        at = now().timestamp()
        position = progress.position
        course = table.course.after(progress.played)
        deadlines = deadlines_of(table, progress, course, table.ply + len(progress.texts), at)
        over = position.to_act == OVER
        passed = since_turn(table, at)
        table.busy = True
        self.committer.submit(
            Commit(
                match=table.match,
                ply=table.ply,
                starts=not table.started,
                seats=progress.seats,
                texts=progress.texts,
                sources=tuple(
                    [Source.CHANCE if seat == CHANCE else sources.get(seat, Source.FORCED) for seat in progress.seats]
                ),
                ms=tuple(
                    [
                        0 if index and seat == CHANCE else ms.get(seat, passed)
                        for index, seat in enumerate(progress.seats)
                    ]
                ),
                to_act=position.to_act,
                position=progress.text,
                at=at,
                next=first_of(deadlines),
                scores=",".join(map(str, position.scores())) if over else None,
                winners=",".join(map(str, position.winners())) if over else None,
                notice=moved_line(table.match, table.ply, at, progress.texts),
            ),
            partial(self._committed, table, progress, course, sources, at, deadlines),
        )

    def _committed(
        self,
        table: Table,
        progress: Progress,
        course: Course,
        sources: Sources,
        at: float,
        deadlines: dict[Seat, Deadline],
        outcome: Outcome,
    ) -> None:
        if outcome is Outcome.WRITTEN:
            table.advance(progress, course, at, deadlines)
            self.publish(table, progress)
            if table.ended:
                log.info("live.ended", match=table.match, ply=table.ply)
            # Programs begin to think when people can: when the move is told, not when it was sent to the database.
            self.clockwork.arm(table, late=now().timestamp() - at)
            self.free(table)
        elif outcome is Outcome.REFUSED:
            self._refuse(table, sources)
        elif outcome is Outcome.UNKNOWN and len(sources) == 1:
            ((seat, source),) = sources.items()
            self._retry(table, seat, progress.texts[progress.seats.index(seat)], source)
        else:  # somebody else was first, or what was opened lies in the database
            self.reload(table)

    def _refuse(self, table: Table, seats: Iterable[Seat]) -> None:
        """The database will never take what these seats chose."""
        table.deadlines = {}  # nothing is tried again before somebody reads the table again
        for seat in seats:
            self.tell(table, seat, wire.Problem(code="illegal_move", message="this cannot be written down"))
        self.free(table)

    def _retry(self, table: Table, seat: Seat, text: str, source: Source) -> None:
        """Read the table again. A person sends a move once, so it is tried again then; programs come by themselves."""
        if source == Source.PERSON:
            table.deferred.insert(0, partial(self._again, table, table.ply, seat, text))
        self.reload(table)

    def _again(self, table: Table, ply: int, seat: Seat, text: str) -> None:
        """A person's move was not written as far as we know, and the table has been read again."""
        if table.ply == ply and table.chooses(seat) and not table.places[seat].replaced:
            self.choose(table, seat, text, Source.PERSON)

    # --------------------------------------------------------------------------------------------------- sealing

    def _seal(self, table: Table, seat: Seat, sealed: Sealed) -> None:
        """Keep what a seat has chosen while others choose."""
        known = {**table.sealed, seat: sealed}
        deadlines = waiting_for(table, known)
        table.busy = True
        self.sealer.submit(
            Seal(table.match, table.ply, len(table.sealed), seat, sealed, first_of(deadlines)),
            partial(self._sealed, table, seat, known, deadlines),
        )

    def _sealed(
        self, table: Table, seat: Seat, known: dict[Seat, Sealed], deadlines: dict[Seat, Deadline], outcome: Outcome
    ) -> None:
        """It is kept: open all if it was the last one."""
        if outcome is Outcome.WRITTEN:
            table.sealed = known
            table.deadlines = deadlines
            self.tell_sealed(table, seat)
            if deadlines.keys() == {REFEREE}:
                self.open_sealed(table)
                return
            self.clockwork.arm(table)
            self.free(table)
        elif outcome is Outcome.REFUSED:
            self._refuse(table, [seat])
        else:  # the database went away, or somebody else was quicker, perhaps with another seat
            self._retry(table, seat, known[seat].move, known[seat].source)

    # ------------------------------------------------------------------------------------------- other processes

    def free(self, table: Table) -> None:
        """Nothing is under way any more: do what was deferred, in its order."""
        table.busy = False
        waiting, table.deferred = table.deferred, []
        for index, action in enumerate(waiting):
            if table.busy:
                table.deferred = waiting[index:] + table.deferred
                return
            action()

    def committed_elsewhere(self, match: int, ply: int, at: float, texts: list[str] | None) -> None:
        """Another process has committed these moves."""
        table = self.tables.get(match)
        if table is None:
            self._note_while_loading(match)
        elif table.busy:
            table.deferred.append(partial(self.committed_elsewhere, match, ply, at, texts))
        elif ply == table.ply and texts is not None and (texts or not table.started):
            progress = referee.replay(table.game, table.position, texts)
            course = table.course.after(progress.played)
            table.advance(progress, course, at, deadlines_of(table, progress, course, ply + len(texts), at))
            self.publish(table, progress)
            self.clockwork.arm(table, backup=True)
        elif ply > table.ply or (ply == table.ply and texts is None):
            self.reload(table)

    def changed_elsewhere(self, match: int) -> None:
        """Another process has asked or replaced somebody, or somebody has chosen there."""
        table = self.tables.get(match)
        if table is None:
            self._note_while_loading(match)
        elif table.busy:
            table.deferred.append(partial(self.changed_elsewhere, match))
        else:
            self.reload(table)

    def _note_while_loading(self, match: int) -> None:
        """Of other matches nothing is kept: most of what is told elsewhere never concerns this process."""
        if match in self.loading:
            self.noticed.add(match)

    def doubt_everything(self) -> None:
        """Notices may have been missed: read every table again."""
        for match in list(self.tables):
            self.changed_elsewhere(match)

    # --------------------------------------------------------------------------------------------------- telling

    def publish(self, table: Table, progress: Progress) -> None:
        """Tell everybody at the table what was committed, as the own seat sees it."""
        telling = Telling(table, progress)
        for seat, group in table.connections.items():
            if group:
                message = telling.to(seat)
                for connection in group:
                    connection.send_encoded(message)
        if table.ended:
            ended = ended_message(table)
            for connection in table.everybody():
                connection.send(ended)

    def tell(self, table: Table, seat: Seat, message: wire.Message) -> None:
        """To one seat, and to nobody else."""
        for connection in table.connections.get(seat, ()):
            connection.send(message)

    def tell_sealed(self, table: Table, seat: Seat) -> None:
        self.tell(table, seat, wire.Sealed(ply=table.ply, move=table.sealed[seat].move))

    def tell_asked(self, table: Table, seat: Seat) -> None:
        left = max(0, round((table.deadlines[seat].at - now().timestamp()) * 1000))
        self.tell(table, seat, wire.Asked(ply=table.ply, ms=left))

    def dismiss(self, table: Table, seat: Seat) -> None:
        """A stand-in plays this seat: its sockets are told and closed."""
        for connection in table.connections.get(seat, ()):
            connection.send(wire.Replaced())
            connection.close(1000, "replaced")

    # -------------------------------------------------------------------------------------------------- presence

    async def join(self, table: Table, connection: Connection) -> None:
        group = table.connections.setdefault(connection.seat, [])
        group.append(connection)
        table.idle_since = None
        # Those that were told to go may still be here: a browser that opens many at once gets no more for it.
        for oldest in [one for one in group if not one.closed][: -self.config.sockets_per_seat]:
            oldest.close(1000, "opened elsewhere")
        await self.note_presence(table, connection.seat)
        self.clockwork.welcome_back(table, connection.seat)

    async def leave(self, table: Table, connection: Connection) -> None:
        connection.closed = True
        group = table.connections[connection.seat]
        group.remove(connection)
        if not any(table.connections.values()):
            table.idle_since = now().timestamp()
        await self.note_presence(table, connection.seat)

    async def note_presence(self, table: Table, seat: Seat) -> None:
        """Bring the database to what is the case; one at a time, so that quick changes end right."""
        async with table.presence:
            while not (table.ended and table.connections[seat]):  # whoever leaves afterwards leaves no row behind
                note = self.repository.come if table.connections[seat] else self.repository.go
                try:
                    await note(table.match, seat)
                    return
                except Exception as error:
                    if not is_outage(error):
                        raise
                    log.warning("live.presence_not_noted", match=table.match, error=str(error))
                    await asyncio.sleep(PATIENCE_SECONDS)

    async def announce(self) -> None:
        """Say again who is connected here: another process took this one for dead, and its people for gone."""
        for table in list(self.tables.values()):
            for seat in [seat for seat, group in table.connections.items() if group]:
                await self.note_presence(table, seat)


def since_turn(table: Table, at: float) -> int:
    """Milliseconds that the turn has lasted."""
    return min(max(0, round((at - table.turn_at) * 1000)), LONGEST_MS)


def asked_in(table: Table) -> dict[Seat, Deadline]:
    """The seats that have been asked to move."""
    return {seat: deadline for seat, deadline in table.deadlines.items() if deadline.due == Due.ASKED}


def waiting_for(table: Table, sealed: Mapping[Seat, Sealed]) -> dict[Seat, Deadline]:
    """What is due when these seats have chosen: what is due for the others, or that all is opened."""
    if sealed.keys() >= set(table.choosers()):
        return {REFEREE: Deadline(Due.OPEN, max(one.at for one in sealed.values()))}
    return {seat: deadline for seat, deadline in table.deadlines.items() if seat not in sealed}
