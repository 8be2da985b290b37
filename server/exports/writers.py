"""Writing rows to files, a batch at a time, so that memory does not grow: CSV, JSON Lines, Parquet and XLSX."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import pyarrow as pa  # type: ignore[import-untyped]  # it comes without type information
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # the same
import xlsxwriter  # type: ignore[import-untyped]  # the same

from server.base.spreadsheets import CsvRows, harmless
from server.exports.tables import Column, ColumnKind, Table

Row = Sequence[Any]

LONGEST_CELL: Final = 32_767
MOST_ROWS: Final = 1_048_576
"""What a sheet of a spreadsheet can hold."""

LINE_ENDS: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""What some readers take for the end of a line, and JSON does not write otherwise by itself."""

ARROW_TYPES: Final = {
    ColumnKind.INTEGER: pa.int64(),
    ColumnKind.NUMBER: pa.float64(),
    ColumnKind.TEXT: pa.string(),
    ColumnKind.BOOLEAN: pa.bool_(),
    ColumnKind.TIME: pa.timestamp("us", tz="UTC"),
    ColumnKind.JSON: pa.string(),
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
        self._rows = CsvRows(self._file)
        self._rows.write([[column.name for column in table.columns]])

    def write(self, rows: Sequence[Row]) -> None:
        self._rows.write(
            [_plain_cell(column, value) for column, value in zip(self._columns, row, strict=True)] for row in rows
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
            pa.array([_json(value) if column.kind is ColumnKind.JSON else value for value in values], field.type)
            for column, field, values in zip(self._columns, self._schema, columns, strict=True)
        ]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))


class XlsxWriter:
    """A workbook. Every cell has its type, so no text becomes a formula, whatever it looks like.

    What is too long for a cell is cut off there and ends with `…`; rows too many for one sheet go on in the next.
    """

    def __init__(self, path: Path, table: Table) -> None:
        self._columns = table.columns
        self._book = xlsxwriter.Workbook(path, {"constant_memory": True})
        self._next_sheet()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._book.close()

    def write(self, rows: Sequence[Row]) -> None:
        for row in rows:
            if self._row == MOST_ROWS:
                self._next_sheet()
            for place, (column, value) in enumerate(zip(self._columns, row, strict=True)):
                if value is not None:
                    self._put(place, column, value)
            self._row += 1

    def _next_sheet(self) -> None:
        self._sheet = self._book.add_worksheet()
        for place, column in enumerate(self._columns):
            self._sheet.write_string(0, place, column.name)
        self._row = 1

    def _put(self, place: int, column: Column, value: Any) -> None:
        if column.kind is ColumnKind.BOOLEAN:
            self._sheet.write_boolean(self._row, place, value)
        elif column.kind in (ColumnKind.INTEGER, ColumnKind.NUMBER) and math.isfinite(value):
            self._sheet.write_number(self._row, place, value)
        else:
            text = _plain_text(column, value)
            self._sheet.write_string(
                self._row, place, text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"
            )


FORMATS: Final[dict[str, Callable[[Path, Table], Writer]]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "parquet": ParquetWriter,
    "xlsx": XlsxWriter,
}


def csv_cell(column: Column, value: Any) -> str | int | float:
    """A cell as CSV has it: a spreadsheet shows it as it is."""
    cell = _plain_cell(column, value)
    return harmless(cell) if isinstance(cell, str) else cell


def _plain_cell(column: Column, value: Any) -> str | int | float:
    if value is None:
        return ""
    if column.kind is ColumnKind.BOOLEAN:
        return "true" if value else "false"
    if column.kind in (ColumnKind.INTEGER, ColumnKind.NUMBER):
        number: int | float = value
        return number
    return _plain_text(column, value)


def _plain_text(column: Column, value: Any) -> str:
    if column.kind is ColumnKind.TIME:
        return _moment(value)
    return _json(value) or "" if column.kind is ColumnKind.JSON else str(value)


def _moment(value: datetime) -> str:
    """Always to the microsecond: readers that learn the form of a column from its first cell fail at another one."""
    return value.isoformat(timespec="microseconds")


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)
