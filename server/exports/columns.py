"""What a table of an export is made of, and the columns that several tables have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ColumnKind(StrEnum):
    """What a column holds; JSON columns are written as JSON text."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    TIME = "time"
    JSON = "json"


@dataclass(frozen=True)
class Column:
    name: str
    kind: ColumnKind
    meaning: str
    values: str = ""


@dataclass(frozen=True)
class Table:
    """`group` is what is asked for together on the command line; `query` gives exactly the columns, in order, or what
    `unpack` makes rows of."""

    name: str
    group: str
    meaning: str
    columns: tuple[Column, ...]
    query: str
    unpack: Callable[[Sequence[Any]], Iterable[Sequence[Any]]] | None = None
    """Rows out of one row of the query, where the database holds many in one."""


MATCH = Column("match", ColumnKind.INTEGER, "Number of the match.")
PERSON = Column("person", ColumnKind.TEXT, "Pseudonym of the person.")
GAME = Column("game", ColumnKind.TEXT, "The rules, by reference: kind and name, or kind and the hash of their source.")
SEAT = Column("seat", ColumnKind.INTEGER, "Seat at the table, in turn order, from 0 on.")
VERSION = Column("questionnaire_version", ColumnKind.INTEGER, "Version of the questionnaire that was answered.")
