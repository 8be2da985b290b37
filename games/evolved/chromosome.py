"""Fifty genes as numbers, as a text that people can read, and as named parts; and their repair.

row 3 ........        what stands on the three rows nearest to a player, a to h, by type
row 2 44444444
row 1 12635621
movement 423663       of types 1 to 6: one of MOVEMENTS
step 101111           0 one square, 1 any number of them
capture 010011        0 by stepping into, 1 by jumping over
honour 5              the type without which a player has lost; 0 none
conversion 650123     what each type becomes on the last row; 0 nothing else
mandatory 0           1 if whoever can capture has to
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from games.protocol import NotationError

TYPES: Final = 6
SIDE: Final = 8
ROWS: Final = 3
MOST_PIECES: Final = 16
NO_PIECE: Final = "."

RANGES: Final = (
    *[(0, TYPES)] * (ROWS * SIDE),
    *[(1, 6)] * TYPES,
    *[(0, 1)] * TYPES,
    *[(0, 1)] * TYPES,
    (0, TYPES),
    *[(0, TYPES)] * TYPES,
    (0, 1),
)
"""The least and the largest value of each gene."""
GENES: Final = len(RANGES)
LONGEST_NUMBER: Final = 9
_NUMBERS: Final = re.compile(rf"\s*(?:-?\d{{1,{LONGEST_NUMBER}}}(?:\s*,\s*|\s+|\s*\Z)){{{GENES}}}", re.ASCII)
_PARTS: Final = re.compile(
    r"row 3 ([.\d]{8})\nrow 2 ([.\d]{8})\nrow 1 ([.\d]{8})\n"
    r"movement (\d{6})\nstep (\d{6})\ncapture (\d{6})\nhonour (\d)\nconversion (\d{6})\nmandatory (\d)\n?",
    re.ASCII,
)

Genes = tuple[int, ...]


class Chromosome(NamedTuple):
    """The genes by what they mean; lists by type count from 0."""

    placement: Genes
    """24 squares, row by row from the nearest one, each from a to h."""
    movement: Genes
    step: Genes
    capture: Genes
    honour: int
    conversion: Genes
    mandatory: int

    @property
    def genes(self) -> Genes:
        return (
            *self.placement,
            *self.movement,
            *self.step,
            *self.capture,
            self.honour,
            *self.conversion,
            self.mandatory,
        )

    @property
    def types(self) -> tuple[int, ...]:
        """Those that can ever stand on the board: at the beginning, or by conversion of one that can."""
        there = set(self.placement) - {0}
        while more := {self.conversion[kind - 1] for kind in there} - {0} - there:
            there |= more
        return tuple(sorted(there))


def repaired(genes: Sequence[int]) -> Chromosome:
    """The nearest chromosome that is a game. Whatever is repaired once stays as it is.

    1. A gene outside its range gets the nearest value inside.
    2. Of more than 16 pieces the first 16 stay, counted from the player's own corner a1 row by row.
    3. Without any piece, one of type 1 stands on a1.
    4. A type of honour of which no piece stands on the board is none.

    Raises NotationError if there are not fifty genes: then nobody knows which ones they are.
    """
    if len(genes) != GENES:
        raise NotationError(f"a chromosome has {GENES} genes, not {len(genes)}")
    inside = [min(max(gene, least), most) for gene, (least, most) in zip(genes, RANGES, strict=True)]
    found = _in_parts(inside)
    standing = [place for place, kind in enumerate(found.placement) if kind][:MOST_PIECES]
    placement = [kind if place in standing else 0 for place, kind in enumerate(found.placement)]
    if not standing:
        placement[0] = 1
    honour = found.honour if found.honour in placement else 0
    return found._replace(placement=tuple(placement), honour=honour)


def read_genes(text: str) -> Genes:
    """Fifty genes, written as above or as numbers with spaces or commas between. Raises NotationError."""
    if _NUMBERS.fullmatch(text):
        return tuple(int(number) for number in re.split(r"[\s,]+", text.strip(" \t\n\r\f\v,")))
    found = _PARTS.fullmatch(text)
    if found is None:
        raise NotationError(
            f"a source is {GENES} numbers, or lines from `row 3 ........` to `mandatory 0`, not {text[:60]!r}"
        )
    third, second, first, *rest = (part.replace(NO_PIECE, "0") for part in found.groups())
    return tuple(int(digit) for digit in "".join((first, second, third, *rest)))


def write_genes(chromosome: Chromosome) -> str:
    """The text in parts, which `read_genes` reads back."""
    rows = [chromosome.placement[first : first + SIDE] for first in range(0, ROWS * SIDE, SIDE)]
    lines = [f"row {number} {_digits(row).replace('0', NO_PIECE)}" for number, row in enumerate(rows, start=1)]
    parts = [f"{name} {_digits(part)}" for name, part in _named(chromosome)]
    return "\n".join([*reversed(lines), *parts, ""])


def _named(chromosome: Chromosome) -> Iterator[tuple[str, Genes]]:
    for name, part in chromosome._asdict().items():
        if name != "placement":
            yield name, part if isinstance(part, tuple) else (part,)


def _digits(genes: Genes) -> str:
    return "".join(map(str, genes))


def _in_parts(genes: Sequence[int]) -> Chromosome:
    rest = iter(genes)

    def part(length: int) -> Genes:
        return tuple(islice(rest, length))

    return Chromosome(
        placement=part(ROWS * SIDE),
        movement=part(TYPES),
        step=part(TYPES),
        capture=part(TYPES),
        honour=next(rest),
        conversion=part(TYPES),
        mandatory=next(rest),
    )
