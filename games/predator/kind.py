"""Predator and prey as a kind of games: the source is a chromosome, and every chromosome is a game.

The library holds games that the source of the idea prints, as far as it prints them whole: the one that was evolved for
challenge and the combined one, both with its network as the player, and its random one; and the combined one with a
beat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.predator.chromosome import COLOURS, Chromosome, read_source, repaired, write_source
from games.predator.position import SIGNS, WALL, Dice, PredatorPosition, Step, chosen_from, read_text
from games.predator.words import name_of, piece_names, rules_in_words
from games.protocol import Game, Kind, Late, NotationError, Tempo, Texts
from games.references import by_content

KEY: Final = "predator"
_COMBINED: Final = "numbers 11 20 3\nmovement 242\nred 2202\ngreen 2201\nblue 1112\nyou 002\nscore 0++--+0-0\n"


@dataclass(frozen=True, slots=True)
class PredatorGame(Game):
    """A chromosome, opened."""

    chromosome: Chromosome
    known_as: str
    written: str

    kind: ClassVar[str] = KEY
    board: ClassVar[str] = "grid"

    @property
    def reference(self) -> str:
        return self.known_as

    @property
    def source(self) -> str:
        return self.written

    @property
    def seats(self) -> tuple[str, ...]:
        return ("you",)

    @property
    def tempo(self) -> Tempo:
        return Tempo(self.chromosome.beat, Late.DEFAULT) if self.chromosome.beat else Tempo()

    def setup(self) -> Any:
        pieces = [{"sign": sign, "seat": -1, "names": piece_names(sign)} for sign in (*COLOURS, WALL)]
        runner = {"sign": SIGNS[-1], "seat": 0, "names": piece_names(SIGNS[-1])}
        return {"chequered": False, "beat": self.chromosome.beat, "pieces": [*pieces, runner]}

    def start(self) -> PredatorPosition:
        return PredatorPosition(self.chromosome)

    def move(self, text: str) -> Step | Dice:
        move: Step | Dice | None = chosen_from(text)
        if move is None:
            raise NotationError(f"a move is up, right, down, left or dice with 16 digits, not {text[:40]!r}")
        return move

    def position(self, text: str) -> PredatorPosition:
        position = read_text(self.chromosome, text)
        if position is None:
            raise NotationError(f"no game leads to {text[:80]!r}; a position ends like +2 17 ?")
        return position

    def texts(self, language: str) -> Texts:
        return rules_in_words(self.chromosome, name_of(self.written), language)


class PredatorKind(Kind):
    key = KEY
    library: ClassVar[Mapping[str, str]] = {
        "challenge": "size 14\nbeat 0\nnumbers 7 7 8\nmovement 243\n"
        "red 2022\ngreen 0021\nblue 2000\nyou 202\nscore -000++++0\n",
        "combined": f"size 14\nbeat 0\n{_COMBINED}",
        "random": "size 14\nbeat 0\nnumbers 0 12 0\nmovement 302\n"
        "red 2100\ngreen 0112\nblue 2111\nyou 101\nscore 0+++0+00-\n",
        "beat": f"size 14\nbeat 400\n{_COMBINED}",
    }

    def open(self, source: str) -> PredatorGame:
        return _game(read_source(source))


def game_of(genes: Sequence[int]) -> PredatorGame:
    """The game of thirty genes on the usual field, step by step."""
    return _game(repaired(genes))


def _game(chromosome: Chromosome) -> PredatorGame:
    written = write_source(chromosome)
    name = next((name for name, known in PredatorKind.library.items() if known == written), None)
    return PredatorGame(chromosome, by_content(KEY, written) if name is None else f"{KEY}:{name}", written)


KIND: Final = PredatorKind()
