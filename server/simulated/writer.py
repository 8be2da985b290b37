"""Writes records of simulated studies with COPY, on the connection and in the transaction of the caller."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import Game
from lab.simulation.records import MatchRecord, PersonRecord
from server.dashboards.days import forget
from server.questionnaires import repository as questionnaires
from server.simulated import rows
from server.simulated.fraying import Unjudged, unjudged, waits
from server.simulated.rows import COLUMNS, Row
from server.storage.database import driver_of
from server.study.consent import current_texts

FULL = 20_000
"""Rows that are gathered before they are sent."""


class Writer:
    """Takes records and writes them in batches; call `flush` at the end. Keys are drawn from the tables' sequences.

    Without `sheets` judgements stand alone in the log, without the answers that they come from and all that happens
    beside matches.
    """

    def __init__(self, session: AsyncSession, game: Game, study: str, *, sheets: bool = True) -> None:
        self.session = session
        self.game = game
        self.study = study
        self.sheets = sheets
        self.persons: list[int] = []
        """Keys of the persons, by their number in the study."""
        self.written: dict[str, int] = defaultdict(int)
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._gathered = 0
        self._matches: list[MatchRecord] = []
        self._hasty: set[int] = set()
        self._past = False
        """Whether the overviews know that the past is being written."""

    async def add_persons(self, records: Iterable[PersonRecord], *, accounts: bool = True) -> None:
        """Persons with their profiles; with accounts that nobody can log in to and their consents, or without."""
        people = list(records)
        keys = await self._keys("persons", len(people))
        self.persons += keys
        self._hasty |= {record.number for record in people if record.falsifier}
        for record, key in zip(people, keys, strict=True):
            self._put("persons", rows.person_row(record, key, self.study))
        if accounts:
            await self._accounts(people, keys)
        await self._profiles(people, keys)
        await self.flush()

    async def _accounts(self, people: list[PersonRecord], keys: list[int]) -> None:
        texts = await current_texts(self.session)
        for record, key in zip(people, keys, strict=True):
            self._put("accounts", rows.account_row(record, key, self.study))
            for text in texts.values():
                self._put("consents", (key, text.id, True, rows.moment(record.joined)))

    async def _profiles(self, people: list[PersonRecord], keys: list[int]) -> None:
        told = [(record, key) for record, key in zip(people, keys, strict=True) if record.profile]
        if not told:
            return
        version = await questionnaires.published(self.session, "profile")
        sheets = await self._keys("questionnaire_sheets", len(told))
        for (record, key), sheet in zip(told, sheets, strict=True):
            joined = rows.moment(record.joined)
            self._put("questionnaire_sheets", (sheet, version.id, key, None, "[]", joined, None, None, None, None))
            for item, value in record.profile.items():
                self._put("answers", (sheet, item, None, f'"{value}"', 2500, joined))

    async def add_match(self, record: MatchRecord) -> None:
        self._matches.append(record)
        self._gathered += 12 + (len(record.played.moves) if record.played else 0)
        if self._gathered >= FULL:
            await self.flush()

    async def flush(self) -> None:
        """Write what was gathered."""
        await self._write_matches()
        driver = await driver_of(self.session)
        if not self._past:
            await forget(driver)
            self._past = True
        for table, columns in COLUMNS.items():
            if gathered := self._rows.pop(table, None):
                await driver.copy_records_to_table(table, records=gathered, columns=columns)
                self.written[table] += len(gathered)
        self._gathered = 0

    async def _write_matches(self) -> None:
        if not self._matches:
            return
        matches, self._matches = self._matches, []
        left = [one for record in matches if (one := unjudged(record))] if self.sheets else []
        # Keys in the order of time, as if everything had been written when it happened.
        keys = await self._keys("matches", len(matches) + len(left))
        begins = [*(record.started for record in matches), *(one.record.started for one in left)]
        keys = [keys[rank] for rank in np.argsort(np.argsort(begins, kind="stable"))]
        await self._write_judged(matches, keys[: len(matches)])
        await self._write_unjudged(left, keys[len(matches) :])

    async def _write_judged(self, matches: list[MatchRecord], keys: list[int]) -> None:
        given = [rows.after_match(record) for record in matches]
        version = (await questionnaires.published(self.session, "after_match")).id if self.sheets else 0
        sheet_keys = iter(await self._keys("questionnaire_sheets", sum(map(len, given))) if self.sheets else ())
        for record, key, answers in zip(matches, keys, given, strict=True):
            self._put("matches", rows.match_row(record, key, self.game))
            self._rows["match_seats"] += rows.seat_rows(record.seats, key, self.persons)
            self._rows["match_moves"] += rows.move_rows(record, key, self.game)
            self._rows["judgements"] += [
                rows.judgement_row(one, key, self.game, self.persons[one.person]) for one in record.judgements
            ]
            if not self.sheets:
                continue
            self._rows["match_events"] += waits(record, key, self.study)
            for after in answers:
                sheet = next(sheet_keys)
                person = self.persons[after.person]
                self._put("questionnaire_sheets", after.sheet(record, sheet, version, key, person))
                self._rows["answers"] += after.answers(sheet, after.person in self._hasty)

    async def _write_unjudged(self, matches: list[Unjudged], keys: list[int]) -> None:
        if not matches:
            return
        version = (await questionnaires.published(self.session, "after_match")).id
        sheets: list[Row] = []
        for one, key in zip(matches, keys, strict=True):
            self._put("matches", rows.match_row(one.record, key, self.game))
            self._rows["match_seats"] += one.seats(key, self.persons)
            self._rows["match_events"] += waits(one.record, key, f"{self.study}:unjudged")
            sheets += [(version, person, key, *rest) for person, rest in one.sheets(self.persons)]
        for key, sheet in zip(await self._keys("questionnaire_sheets", len(sheets)), sheets, strict=True):
            self._put("questionnaire_sheets", (key, *sheet))

    def _put(self, table: str, row: Row) -> None:
        self._rows[table].append(row)

    async def _keys(self, table: str, count: int) -> list[int]:
        """As many new keys as asked for, which nobody else gets."""
        driver = await driver_of(self.session)
        query = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)"
        return [row[0] for row in await driver.fetch(query, table, count)]
