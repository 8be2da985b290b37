"""Evolved board games as a kind of games: the source is a chromosome, and every chromosome is a game.

The library holds the four games that the source of the idea prints; it prints their rules and no set-up, so all of them
begin from the same one, which is ours.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from games.evolved.chromosome import Chromosome, read_genes, repaired, write_genes
from games.evolved.position import SEATS, SHIFTS, EvolvedPosition, Shift, read_board
from games.evolved.rules import MOST_MOVES, NORTH, Rules, rules_of
from games.evolved.words import name_of, rules_in_words
from games.protocol import Game, Kind, NotationError, Texts
from games.references import by_content

KEY: Final = "evolved"
_SETUP: Final = "row 3 ........\nrow 2 44444444\nrow 1 12635621\n"
_PUBLISHED: Final = {
    "first": "movement 423663\nstep 101111\ncapture 010011\nhonour 5\nconversion 650123\nmandatory 0\n",
    "second": "movement 411363\nstep 000110\ncapture 101100\nhonour 5\nconversion 130021\nmandatory 1\n",
    "third": "movement 446621\nstep 101001\ncapture 001111\nhonour 0\nconversion 523533\nmandatory 1\n",
    "fourth": "movement 335265\nstep 101110\ncapture 011100\nhonour 5\nconversion 015266\nmandatory 0\n",
}
_POSITION: Final = re.compile(r"([A-Fa-f1-8/]{15,71}) (0|[1-9]\d{0,2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class EvolvedGame(Game):
    """A chromosome, opened."""

    rules: Rules
    known_as: str
    written: str

    kind: ClassVar[str] = KEY
    board: ClassVar[str] = "grid"
    cheap: ClassVar[bool] = True

    @property
    def chromosome(self) -> Chromosome:
        return self.rules.chromosome

    @property
    def reference(self) -> str:
        return self.known_as

    @property
    def source(self) -> str:
        return self.written

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def start(self) -> EvolvedPosition:
        return EvolvedPosition(self.rules, self.rules.setup)

    def move(self, text: str) -> Shift:
        try:
            return SHIFTS[text]
        except KeyError:
            raise NotationError(f"a move goes from a square to another, like a2-a3, not {text[:40]!r}") from None

    def position(self, text: str) -> EvolvedPosition:
        found = _POSITION.fullmatch(text)
        board = read_board(found[1]) if found else None
        if found is None or board is None:
            raise NotationError(f"a position looks like 8/a7/8/8/8/8/A7/8 12, not {text[:80]!r}")
        position = EvolvedPosition(self.rules, board, int(found[2]))
        if not self._makes_sense(position):
            raise NotationError(f"no game leads to {text[:80]!r}")
        return position

    def _makes_sense(self, position: EvolvedPosition) -> bool:
        """Pieces are of types that can be there and never become more. Which moves led there is not asked."""
        start = self.start()
        here, most = position.material(), start.material()
        kinds = {piece % NORTH for piece in position.board} - {0}
        return (
            kinds <= {*self.chromosome.types}
            and all(count <= limit for count, limit in zip(here, most, strict=True))
            and sum(most) - sum(here) <= position.played <= MOST_MOVES
            and sum(here) > 0
            and (position.played > 0 or position == start)
        )

    def texts(self, language: str) -> Texts:
        return rules_in_words(self.chromosome, name_of(self.written), language)


class EvolvedKind(Kind):
    key = KEY
    library: ClassVar[Mapping[str, str]] = {name: _SETUP + rules for name, rules in _PUBLISHED.items()}

    def open(self, source: str) -> EvolvedGame:
        return game_of(read_genes(source))


def game_of(genes: Sequence[int]) -> EvolvedGame:
    """The game of a chromosome, repaired if it has to be: its reference is that of the repaired text."""
    rules = rules_of(repaired(genes).genes)
    written = write_genes(rules.chromosome)
    name = next((name for name, known in EvolvedKind.library.items() if known == written), None)
    return EvolvedGame(rules, by_content(KEY, written) if name is None else f"{KEY}:{name}", written)


KIND: Final = EvolvedKind()
