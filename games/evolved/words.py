"""The rules of a chromosome in words, and a name by which people can speak of it. Phrases lie in `texts/`."""

import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any, Final

from games.evolved.chromosome import Chromosome
from games.evolved.position import LETTERS
from games.protocol import Section, Texts
from games.texts import LANGUAGES

LEAP: Final = 4
"""The movement whose steps are leaps."""
_SYLLABLES: Final = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
SYLLABLES: Final = 3


def name_of(source: str) -> str:
    """A word that nobody has heard, the same for the same source, so that a title tells nothing about its origin."""
    digest = hashlib.sha256(source.encode()).digest()
    return "".join([_SYLLABLES[byte % len(_SYLLABLES)] for byte in digest[:SYLLABLES]]).capitalize()


def rules_in_words(chromosome: Chromosome, name: str, language: str) -> Texts:
    """What people read about the game; English for languages that nobody has written phrases for."""
    phrases = _phrases(language if language in LANGUAGES else LANGUAGES[0])
    honour = LETTERS[chromosome.honour] if chromosome.honour else ""
    board, pieces, turn, end = phrases["headings"]
    count = sum([kind > 0 for kind in chromosome.placement])
    ends = [phrases["end_honour"].format(honour=honour)] if honour else []
    return Texts(
        title=phrases["title"].format(name=name),
        summary=phrases["summary"].format(count=count),
        seats=tuple(phrases["seats"]),
        goal=phrases["goal"]["honour" if honour else "plain"].format(honour=honour),
        rules=(
            Section(board, (phrases["board"].format(pieces=_counted(chromosome, phrases)),)),
            Section(pieces, tuple([_piece(chromosome, kind, phrases) for kind in chromosome.types])),
            Section(turn, (phrases["turn"][0], phrases["turn"][1][str(chromosome.mandatory)])),
            Section(end, (*ends, *phrases["end"])),
        ),
    )


def _counted(chromosome: Chromosome, phrases: dict[str, Any]) -> str:
    placed = chromosome.placement
    counts = [f"{placed.count(kind)} {LETTERS[kind]}" for kind in chromosome.types if kind in placed]
    *others, last = counts
    return f"{', '.join(others)}{phrases['and']}{last}" if others else last


def _piece(chromosome: Chromosome, kind: int, phrases: dict[str, Any]) -> str:
    """How a type moves and captures, and what becomes of it."""
    gene = kind - 1
    leaps = chromosome.movement[gene] == LEAP
    step = "many" if chromosome.step[gene] else "one"
    capture = "over" if chromosome.capture[gene] else "into"
    told = [
        phrases["piece"].format(
            letter=LETTERS[kind],
            movement=phrases["movement"][str(chromosome.movement[gene])],
            step=phrases["step"][{"one": "one_leap", "many": "many_leaps"}[step] if leaps else step],
            capture=phrases["capture"]["over_leap" if leaps and capture == "over" else capture],
        )
    ]
    if kind not in chromosome.placement:
        told.append(phrases["only_by_conversion"])
    if kind == chromosome.honour:
        told.append(phrases["is_honour"])
    other = chromosome.conversion[gene]
    if other not in (0, kind):
        told.append(phrases["loses_honour" if kind == chromosome.honour else "converts"].format(other=LETTERS[other]))
    return " ".join(told)


@cache
def _phrases(language: str) -> dict[str, Any]:
    file = resources.files(__package__).joinpath("texts", f"{language}.json")
    phrases: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return phrases
