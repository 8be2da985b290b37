"""Writing rows to files, a batch at a time, so that memory does not grow: CSV, JSON Lines and Parquet."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import pyarrow as pa  # type: ignore[import-untyped]  # it comes without type information
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # the same

from server.exports.tables import Column, Kind, Table

Row = Sequence[Any]

FORMULA: Final = re.compile(r"[\s\x00\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a formula begins, for one spreadsheet or another: some skip spaces, some read the wide signs of East Asia."""

LINE_ENDS: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""What some readers take for the end of a line, and JSON does not write otherwise by itself."""

ARROW_TYPES: Final = {
    Kind.INTEGER: pa.int64(),
    Kind.NUMBER: pa.float64(),
    Kind.TEXT: pa.string(),
    Kind.BOOLEAN: pa.bool_(),
    Kind.TIME: pa.timestamp("us", tz="UTC"),
    Kind.JSON: pa.string(),
}


class Writer(Protocol):
    """Takes rows of one table; used as a context manager, which closes the file."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def write(self, rows: Sequence[Row]) -> None: ...


class _Text:
    """What CSV and JSON Lines have in common: a text file."""

    def __init__(self, path: Path, table: Table) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._columns = table.columns

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class CsvWriter(_Text):
    """Comma-separated, with a header; empty cells are missing values."""

    def __init__(self, path: Path, table: Table) -> None:
        super().__init__(path, table)
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow([column.name for column in table.columns])

    def write(self, rows: Sequence[Row]) -> None:
        self._writer.writerows(
            [csv_cell(column, value) for column, value in zip(self._columns, row, strict=True)] for row in rows
        )


class JsonLinesWriter(_Text):
    """One JSON object per line; JSON columns stay JSON."""

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            cells = {
                column.name: _moment(value) if isinstance(value, datetime) else value
                for column, value in zip(self._columns, row, strict=True)
            }
            self._file.write(json.dumps(cells, ensure_ascii=False).translate(LINE_ENDS) + "\n")


class ParquetWriter:
    """Columns with types; JSON columns are JSON text."""

    def __init__(self, path: Path, table: Table) -> None:
        self._columns = table.columns
        fields = [
            pa.field(column.name, ARROW_TYPES[column.kind], metadata={"meaning": column.meaning})
            for column in table.columns
        ]
        self._schema = pa.schema(fields)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()

    def write(self, rows: Sequence[Row]) -> None:
        columns = zip(*rows, strict=True)
        arrays = [
            pa.array([_json(value) if column.kind is Kind.JSON else value for value in values], field.type)
            for column, field, values in zip(self._columns, self._schema, columns, strict=True)
        ]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))


FORMATS: Final[dict[str, Callable[[Path, Table], Writer]]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "parquet": ParquetWriter,
}


def csv_cell(column: Column, value: Any) -> str | int | float:
    """A cell that a spreadsheet shows as it is: a text that would be read as a formula gets an apostrophe before it."""
    if value is None:
        return ""
    if column.kind is Kind.BOOLEAN:
        return "true" if value else "false"
    if column.kind is Kind.TIME:
        return _moment(value)
    if column.kind in (Kind.INTEGER, Kind.NUMBER):
        number: int | float = value
        return number
    text = _json(value) if column.kind is Kind.JSON else str(value)
    return f"'{text}" if text and FORMULA.match(text) else text or ""


def _moment(value: datetime) -> str:
    """Always to the microsecond: readers that learn the form of a column from its first cell fail at another one."""
    return value.isoformat(timespec="microseconds")


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
