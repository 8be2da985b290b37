"""What a table of an export is made of, and the columns that several tables have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
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
    kind: Kind
    meaning: str
    values: str = ""


@dataclass(frozen=True)
class Table:
    """`group` is what is asked for together on the command line; `query` gives exactly the columns, in order."""

    name: str
    group: str
    meaning: str
    columns: tuple[Column, ...]
    query: str


MATCH = Column("match", Kind.INTEGER, "Number of the match.")
PERSON = Column("person", Kind.TEXT, "Pseudonym of the person.")
SEAT = Column("seat", Kind.INTEGER, "Seat at the table, in turn order.", "0 red, 1 green, 2 blue")
VERSION = Column("questionnaire_version", Kind.INTEGER, "Version of the questionnaire that was answered.")
