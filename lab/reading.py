"""Reading responses and judgements from CSV text: bad rows are named with line and reason, nothing is guessed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import TypeVar

from lab.judgements import ENJOYMENT_STEPS, HUMAN, Challenge, Judgement, Verdict

RESPONSE_COLUMNS = ("person", "item", "response")
JUDGEMENT_COLUMNS = ("time", "match", "person", "seat_truth", "verdict", "sureness", "enjoyment", "challenge")

CHALLENGES: dict[str, Challenge] = {one.value: one for one in Challenge} | {
    "not challenging": Challenge.NOT,
    "somewhat challenging": Challenge.SOMEWHAT,
}
VERDICTS: dict[str, Verdict] = {one.value: one for one in Verdict}

Row = dict[str, str]
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class BadRow:
    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class BadRowsError(ValueError):
    """The text cannot be used as it is; `rows` says where and why."""

    def __init__(self, rows: list[BadRow]) -> None:
        super().__init__("; ".join(map(str, rows)))
        self.rows = rows


def read_responses(text: str) -> list[tuple[str, str, int]]:
    """Rows (person, item, response 0 or 1); a cell may occur several times (repeated trials)."""
    return _read(text, RESPONSE_COLUMNS, _response)


def read_judgements(text: str) -> list[Judgement]:
    """Judgements; `sureness`, `enjoyment` and `challenge` may be empty, meaning not answered.

    A column `judged` may say which person sat on a human seat.
    """
    times = _Times()
    return _read(text, JUDGEMENT_COLUMNS, lambda row: _judgement(row, times))


def _read(text: str, columns: tuple[str, ...], understand: Callable[[Row], Read]) -> list[Read]:
    read: list[Read] = []
    bad: list[BadRow] = []
    for line, row in _rows(text, columns, bad):
        try:
            read.append(understand(row))
        except ValueError as error:
            bad.append(BadRow(line, str(error)))
    if not bad and not read:
        bad.append(BadRow(2, "there is no row below the header"))
    if bad:
        raise BadRowsError(bad)
    return read


def _rows(text: str, columns: tuple[str, ...], bad: list[BadRow]) -> Iterator[tuple[int, Row]]:
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        if problem := _header_problem(header, columns):
            bad.append(BadRow(1, problem))
            return
        line = reader.line_num + 1
        for fields in reader:
            if len(fields) == len(header):
                yield line, {name: value.strip() for name, value in zip(header, fields, strict=True)}
            elif fields:
                bad.append(BadRow(line, f"{len(header)} fields expected as in the header, {len(fields)} found"))
            line = reader.line_num + 1
    except csv.Error as error:
        bad.append(BadRow(line, f"not readable as CSV: {error}"))


def _header_problem(header: list[str], columns: tuple[str, ...]) -> str | None:
    missing = [name for name in columns if name not in header]
    if missing:
        return f"the header lacks {', '.join(missing)}; expected {','.join(columns)}, found {','.join(header)!r}"
    twice = sorted({name for name in header if header.count(name) > 1})
    return f"columns twice in the header: {', '.join(twice)}" if twice else None


def _response(row: Row) -> tuple[str, str, int]:
    if row["response"] not in ("0", "1"):
        raise ValueError(f"response must be 0 or 1, not {row['response']!r}")
    return _filled(row, "person"), _filled(row, "item"), int(row["response"])


def _judgement(row: Row, times: _Times) -> Judgement:
    return Judgement(
        time=times.read(_filled(row, "time")),
        match=_filled(row, "match"),
        person=_filled(row, "person"),
        seat_truth=_truth(_filled(row, "seat_truth")),
        verdict=_one_of(VERDICTS, "verdict", _filled(row, "verdict")),
        sureness=_step(row, "sureness", 0, 100),
        enjoyment=_step(row, "enjoyment", 1, ENJOYMENT_STEPS),
        challenge=_one_of(CHALLENGES, "challenge", row["challenge"]) if row["challenge"] else None,
        judged=row.get("judged") or None,
    )


def _filled(row: Row, column: str) -> str:
    if not row[column]:
        raise ValueError(f"{column} is empty")
    return row[column]


def _truth(text: str) -> str:
    if text != HUMAN and text.lower() == HUMAN:
        raise ValueError(f'seat_truth {text!r}: a human seat is written "{HUMAN}"')
    return text


def _one_of(known: dict[str, Read], column: str, text: str) -> Read:
    plain = text.replace("_", " ")
    if plain not in known:
        raise ValueError(f"{column} must be one of {', '.join(known)}, not {text!r}")
    return known[plain]


def _step(row: Row, column: str, low: int, high: int) -> int | None:
    text = row[column]
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"{column} must be a whole number from {low} to {high} or empty, not {text!r}")
    return int(text)


class _Times:
    """Reads times, all of one kind: mixing kinds would need a guess about how they compare."""

    def __init__(self) -> None:
        self.kind: str | None = None

    def read(self, text: str) -> float:
        kind, value = self._understand(text)
        if self.kind is None:
            self.kind = kind
        if kind != self.kind:
            raise ValueError(f"time {text!r} is {kind}, but the first one was {self.kind}")
        return value

    @staticmethod
    def _understand(text: str) -> tuple[str, float]:
        try:
            number = float(text)
        except ValueError:
            pass
        else:
            if isfinite(number):
                return "a number", number
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(
                f"time must be a number or a date and time like 2026-05-01T12:00:00Z, not {text!r}"
            ) from None
        if moment.tzinfo is None:
            return "a time without zone", moment.replace(tzinfo=UTC).timestamp()
        return "a time with zone", moment.timestamp()
