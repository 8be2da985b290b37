"""CSV that spreadsheets show as it is written: whoever opens a table of what strangers typed runs none of it.

All CSV of the server is written by `CsvRows`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Any, Final, TextIO

FORMULA: Final = re.compile(r"[\s\x00\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
"""How a formula begins, for one spreadsheet or another: some skip spaces, some read the wide signs of East Asia."""

SPLIT_FORMULA: Final = re.compile(r"(?<=[;|\t\r\n])(?=[\s\x00\ufeff\"']*[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where one begins within a text for spreadsheets that split there; German ones do at semicolons, even in quotes."""


def harmless(text: str) -> str:
    """Whatever would be read as a formula gets an apostrophe before it, also within a text, behind signs at which some
    spreadsheets split."""
    mark = "'" if FORMULA.match(text) else ""
    return mark + SPLIT_FORMULA.sub("'", text)


class CsvRows:
    """Comma-separated rows of numbers and texts, written to an open file."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file, lineterminator="\n")

    def write(self, rows: Iterable[Iterable[Any]]) -> None:
        self._writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
