"""Thirty genes as numbers, as a text that people can read, and as named parts; and their repair.

size 14                     a side of the field
beat 0                      milliseconds after which a step is taken anyway; 0 step by step
numbers 7 7 8               of red, green and blue
movement 243                of each colour: one of MOVEMENTS
red 2022                    what happens to red when it meets red, green, blue, and you: one of EFFECTS
green 0021
blue 2000
you 202                     what happens to you when you meet red, green and blue
score -000+++++0            points for red and red, green-green, blue-blue; you and red, green, blue; GR, BR, BG
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.protocol import NotationError

COLOURS: Final = ("red", "green", "blue")
AGENT: Final = 3
"""The number of whom the seat leads, after those of the colours."""
STILL, CLOCKWISE, COUNTER_CLOCKWISE, SHORT, LONG = range(5)
NOTHING, DIES, MOVED = range(3)
MOST_OF_A_COLOUR: Final = 20
USUAL_SIZE: Final = 14
LEAST_SIZE, MOST_SIZE = 10, 20
LONGEST_BEAT: Final = 10_000
SCORED: Final = ((0, 0), (1, 1), (2, 2), (3, 0), (3, 1), (3, 2), (1, 0), (2, 0), (2, 1))
"""Which meetings the genes of the score are about."""

RANGES: Final = (*[(0, MOST_OF_A_COLOUR)] * 3, *[(0, 4)] * 3, *[(0, 2)] * 15, *[(-1, 1)] * 9)
"""The least and the largest value of each gene."""
GENES: Final = len(RANGES)
_SIGNS: Final = "-0+"
_NUMBERS: Final = re.compile(rf"\s*(?:[-+]?\d{{1,9}}(?:\s*,\s*|\s+|\s*\Z)){{{GENES}}}", re.ASCII)
_PARTS: Final = re.compile(
    r"size (\d{1,2})\nbeat (\d{1,5})\nnumbers (\d{1,2}) (\d{1,2}) (\d{1,2})\nmovement (\d{3})\n"
    r"red (\d{4})\ngreen (\d{4})\nblue (\d{4})\nyou (\d{3})\nscore ([-0+]{9})\n?",
    re.ASCII,
)

Genes = tuple[int, ...]


class Chromosome(NamedTuple):
    """The genes by what they mean, and what is no gene: the size of the field and the beat."""

    numbers: Genes
    movement: Genes
    effects: tuple[Genes, ...]
    """For red, green, blue and the agent, what meeting each of them does to it; the agent never meets itself."""
    score: Genes
    size: int = USUAL_SIZE
    beat: int = 0

    @property
    def genes(self) -> Genes:
        return (*self.numbers, *self.movement, *[gene for row in self.effects for gene in row], *self.score)

    @property
    def points(self) -> tuple[Genes, ...]:
        """The change of the score when two meet, whoever comes; by the numbers of both."""
        table = [[0] * 4 for _ in range(4)]
        for (one, other), change in zip(SCORED, self.score, strict=True):
            table[one][other] = table[other][one] = change
        return tuple([tuple(row) for row in table])


def repaired(genes: Sequence[int], size: int = USUAL_SIZE, beat: int = 0) -> Chromosome:
    """The nearest chromosome that is a game: whatever lies outside its range gets the nearest value inside.

    Raises NotationError if there are not thirty genes: then nobody knows which ones they are.
    """
    if len(genes) != GENES:
        raise NotationError(f"a chromosome has {GENES} genes, not {len(genes)}")
    inside = tuple([min(max(gene, least), most) for gene, (least, most) in zip(genes, RANGES, strict=True)])
    effects = (inside[6:10], inside[10:14], inside[14:18], inside[18:21])
    size = min(max(size, LEAST_SIZE), MOST_SIZE)
    return Chromosome(inside[:3], inside[3:6], effects, inside[21:], size, min(max(beat, 0), LONGEST_BEAT))


def read_source(text: str) -> Chromosome:
    """Thirty numbers with spaces or commas between, or the text above, repaired. Raises NotationError."""
    if _NUMBERS.fullmatch(text):
        return repaired([int(number) for number in re.split(r"[\s,]+", text.strip(" \t\n\r\f\v,"))])
    found = _PARTS.fullmatch(text)
    if found is None:
        raise NotationError(f"a source is {GENES} numbers, or lines from `size 14` to `score 0…`, not {text[:60]!r}")
    size, beat, red, green, blue, *digits, score = found.groups()
    points = [_SIGNS.index(sign) - 1 for sign in score]
    genes = [int(red), int(green), int(blue), *[int(digit) for digit in "".join(digits)], *points]
    return repaired(genes, int(size), int(beat))


def write_source(chromosome: Chromosome) -> str:
    """The text in parts, which `read_source` reads back."""
    rows = [f"{name} {''.join(map(str, row))}" for name, row in zip((*COLOURS, "you"), chromosome.effects, strict=True)]
    return "\n".join(
        [
            f"size {chromosome.size}",
            f"beat {chromosome.beat}",
            f"numbers {' '.join(map(str, chromosome.numbers))}",
            f"movement {''.join(map(str, chromosome.movement))}",
            *rows,
            f"score {''.join([_SIGNS[change + 1] for change in chromosome.score])}",
            "",
        ]
    )
