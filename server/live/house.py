"""The tables that one process has in memory: loading, committing, broadcasting, and who is connected.

The database is the truth. A table here is a copy at some ply; it advances by its own commits, by the notices of other
processes, or, whenever the two do not fit, by being read again.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from games.protocol import CHANCE, OVER
from games.registry import game as find_game
from server.clock import now
from server.database import Database
from server.live import referee, wire
from server.live.clockwork import Clockwork
from server.live.commits import Commit, Committer
from server.live.config import LiveConfig
from server.live.connection import Connection
from server.live.decisions import PlayerFinder, find_player
from server.live.frames import encoded
from server.live.models import Due, Source
from server.live.referee import Progress
from server.live.repository import Repository
from server.live.scribe import Scribe
from server.live.table import Deadline, Place, Table, ended_message, moves_text, next_deadline
from server.live.thinking import Thinking
from server.outages import DATABASE_AWAY

log = structlog.get_logger(__name__)

PATIENCE_SECONDS: Final = 0.5
LONGEST_MS: Final = 2**31 - 1


class House:
    """Live play in one process."""

    def __init__(self, database: Database, config: LiveConfig, find_player: PlayerFinder = find_player):
        self.process = secrets.token_hex(6)
        self.database = database
        self.config = config
        self.repository = Repository(database.pool, self.process)
        self.committer = Committer(database.pool, self.process, config.writers)
        self.scribe = Scribe(database)
        self.clockwork = Clockwork(self, find_player)
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
                row = await self.repository.load(match)
                if match not in self.noticed:
                    break
            if row is None:
                return None
            table = table_from(match, row)
            self.tables[match] = table
            self.clockwork.arm(table, backup=True)
            return table
        finally:
            del self.loading[match]

    def reload(self, table: Table) -> None:
        """Read the table again, because something happened elsewhere; tell the sockets what is new."""
        table.busy = True
        self.spawn(self._reload(table))

    async def _reload(self, table: Table) -> None:
        while True:
            try:
                row = await self.repository.load(table.match)
                break
            except DATABASE_AWAY as error:
                log.warning("live.reload_failed", match=table.match, error=str(error))
                await asyncio.sleep(PATIENCE_SECONDS)
        assert row is not None, "a match that was played is never deleted while it is served"
        fresh = table_from(table.match, row)
        progress = referee.replay(table.game, table.position, fresh.moves[table.ply :])
        news_of_question = fresh.due == Due.ASKED and (table.due != Due.ASKED or progress.texts)
        newly_replaced = [s for s, place in enumerate(fresh.places) if place.replaced and not table.places[s].replaced]
        table.places = fresh.places
        if progress.texts:
            table.advance(progress, fresh.turn_at, (fresh.due, fresh.due_at))
            self.publish(table, progress)
        table.due, table.due_at = fresh.due, fresh.due_at
        for seat in newly_replaced:
            self.dismiss(table, seat)
        if news_of_question:
            self.tell_asked(table)
        self.clockwork.arm(table, backup=True)
        self.free(table)
        self.clockwork.welcome_back(table, table.position.to_act)

    # ------------------------------------------------------------------------------------------------- committing

    def play(self, table: Table, text: str, source: Source) -> None:
        """The seat to act plays `text`. Raises GameError; nothing has happened then."""
        self.commit(table, referee.play(table.game, table.position, table.ply, text, table.seed), source)

    def commit(self, table: Table, progress: Progress, source: Source) -> None:
        at = now().timestamp()
        position = progress.position
        deadline = next_deadline(table, position.to_act, progress.legal, table.ply + len(progress.texts), at)
        over = position.to_act == OVER
        table.busy = True
        self.committer.submit(
            Commit(
                match=table.match,
                ply=table.ply,
                seats=progress.seats,
                texts=progress.texts,
                sources=tuple([Source.CHANCE if seat == CHANCE else source for seat in progress.seats]),
                ms=min(max(0, round((at - table.turn_at) * 1000)), LONGEST_MS),
                to_act=position.to_act,
                position=progress.text,
                at=at,
                due_at=deadline[1],
                due=deadline[0],
                scores=",".join(map(str, position.scores())) if over else None,
                winners=",".join(map(str, position.winners())) if over else None,
                notice=f"m {table.match} {table.ply} {at:.6f} {','.join(progress.texts)}",
            ),
            partial(self._committed, table, progress, source, at, deadline),
        )

    def _committed(
        self, table: Table, progress: Progress, source: Source, at: float, deadline: Deadline, done: bool | None
    ) -> None:
        if not done:
            if done is None and source == Source.PERSON:  # a person sends a move once; programs come back by themselves
                table.deferred.insert(0, partial(self._commit_again, table, table.ply, progress, source))
            self.reload(table)
            return
        table.advance(progress, at, deadline)
        self.publish(table, progress)
        if table.ended:
            log.info("live.ended", match=table.match, ply=table.ply)
        # Programs begin to think when people can: when the move is told, not when it was sent to the database.
        self.clockwork.arm(table, late=now().timestamp() - at)
        self.free(table)

    def _commit_again(self, table: Table, ply: int, progress: Progress, source: Source) -> None:
        """The database went away over a move; nobody knows of it, unless it was committed after all."""
        place = table.acting()
        if table.ply == ply and place is not None and not place.replaced:
            self.commit(table, progress, source)

    def free(self, table: Table) -> None:
        """Nothing is under way any more: do what was deferred, in its order."""
        table.busy = False
        waiting, table.deferred = table.deferred, []
        for index, action in enumerate(waiting):
            if table.busy:
                table.deferred = waiting[index:] + table.deferred
                return
            action()

    def committed_elsewhere(self, match: int, ply: int, at: float, texts: tuple[str, ...]) -> None:
        """Another process has committed these moves."""
        table = self.tables.get(match)
        if table is None:
            self._note_while_loading(match)
        elif table.busy:
            table.deferred.append(partial(self.committed_elsewhere, match, ply, at, texts))
        elif ply == table.ply:
            progress = referee.replay(table.game, table.position, texts)
            to_act, after = progress.position.to_act, ply + len(texts)
            table.advance(progress, at, next_deadline(table, to_act, progress.legal, after, at))
            self.publish(table, progress)
            self.clockwork.arm(table, backup=True)
        elif ply > table.ply:
            self.reload(table)

    def changed_elsewhere(self, match: int) -> None:
        """Another process has asked or replaced somebody."""
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
        """Tell everybody at the table what was committed."""
        message = encoded(moves_text(table, progress))
        for group in table.connections.values():
            for connection in group:
                connection.send_encoded(message)
        if table.ended:
            ended = ended_message(table)
            for connection in table.everybody():
                connection.send(ended)

    def tell_asked(self, table: Table) -> None:
        seat = table.position.to_act
        left = max(0, round(((table.due_at or 0) - now().timestamp()) * 1000))
        for connection in table.connections.get(seat, ()):
            connection.send(wire.Asked(ply=table.ply, ms=left))

    def dismiss(self, table: Table, seat: int) -> None:
        """A stand-in plays this seat: its sockets are told and closed."""
        for connection in table.connections.get(seat, ()):
            connection.send(wire.Replaced())
            connection.close(1000, "replaced")

    # -------------------------------------------------------------------------------------------------- presence

    async def join(self, table: Table, connection: Connection) -> None:
        group = table.connections.setdefault(connection.seat, [])
        group.append(connection)
        table.idle_since = None
        if len(group) > self.config.sockets_per_seat:
            group[0].close(1000, "opened elsewhere")
        await self.note_presence(table, connection.seat)
        self.clockwork.welcome_back(table, connection.seat)

    async def leave(self, table: Table, connection: Connection) -> None:
        connection.closed = True
        group = table.connections[connection.seat]
        group.remove(connection)
        if not any(table.connections.values()):
            table.idle_since = now().timestamp()
        await self.note_presence(table, connection.seat)

    async def note_presence(self, table: Table, seat: int) -> None:
        """Bring the database to what is the case; one at a time, so that quick changes end right."""
        async with table.presence:
            while not (table.ended and table.connections[seat]):  # whoever leaves afterwards leaves no row behind
                note = self.repository.come if table.connections[seat] else self.repository.go
                try:
                    await note(table.match, seat)
                    return
                except DATABASE_AWAY as error:
                    log.warning("live.presence_not_noted", match=table.match, error=str(error))
                    await asyncio.sleep(PATIENCE_SECONDS)

    async def announce(self) -> None:
        """Say again who is connected here: another process took this one for dead, and its people for gone."""
        for table in list(self.tables.values()):
            for seat in [seat for seat, group in table.connections.items() if group]:
                await self.note_presence(table, seat)


def table_from(match: int, row: asyncpg.Record) -> Table:
    """The table that a row of Repository.load describes."""
    game = find_game(row["game"])
    moves: list[str] = list(row["moves"] or ())
    standing = referee.replay(game, game.start(), moves)
    return Table(
        match=match,
        game=game,
        layout=row["layout"],
        seed=bytes(row["dice_seed"]),
        commitment=row["commitment"],
        panel=[wire.PanelMember(**member) for member in json.loads(row["panel"])],
        thinking=Thinking.model_validate_json(row["thinking"]),
        clock_ms=row["clock_ms"],
        ask_ms=row["ask_ms"],
        grace_ms=row["grace_ms"],
        proposal_ms=row["proposal_ms"],
        check_share=row["check_share"],
        starts_at=row["starts_at"],
        places=[Place(*place) for place in json.loads(row["places"])],
        position=standing.position,
        legal=standing.legal,
        ply=row["ply"],
        moves=moves,
        turn_at=row["turn_at"],
        due=Due(row["due"]) if row["due"] else None,
        due_at=row["due_at"],
        ended=row["ended"],
    )
