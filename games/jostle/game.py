"""Jostle as a kind of game: its source is a board, and each board is a game with its own start and texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from games.jostle.layout import PIECES_PER_SEAT, SEATS, STACK, STANDARD, Layout
from games.jostle.layout_files import LAYOUTS, read_layout, write_layout
from games.jostle.moves import PIPS, JostleMove, read_move
from games.jostle.notation import JostleNotation
from games.jostle.position import JostlePosition, Phase, start
from games.protocol import OVER, Game, Kind, NotationError, Texts
from games.references import by_content
from games.texts import texts_beside

KEY: Final = "jostle"

_NUMBER = r"(?:-1|0|[1-9]\d{0,2})"
_TRIPLE = rf"{_NUMBER}(?:,{_NUMBER}){{{PIECES_PER_SEAT - 1}}}"
_POSITION: Final = re.compile(
    rf"(?P<pieces>{_TRIPLE}(?:/{_TRIPLE}){{{len(SEATS) - 1}}})"
    rf" (?P<seat>[{''.join(SEATS)}-])(?: !(?P<last>[1-{len(SEATS)}]))?(?: (?P<points>6\?|6\+|[1-9]|1[0-2]))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class JostleGame(Game):
    """Jostle 2007 on a board of your choice."""

    layout: Layout = STANDARD

    kind: ClassVar[str] = KEY
    board: ClassVar[str] = "jostle"
    cheap: ClassVar[bool] = True
    notation: ClassVar[JostleNotation] = JostleNotation()

    @property
    def reference(self) -> str:
        name = self.layout.name
        return f"{KEY}:{name}" if LAYOUTS.get(name) == self.layout else by_content(KEY, self.source)

    @property
    def source(self) -> str:
        return write_layout(self.layout)

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def texts(self, language: str) -> Texts:
        told = texts_beside(__package__, language)
        if self.layout == STANDARD:
            return told
        # What the lessons show stands on the fields of the standard board.
        return told._replace(title=f"{told.title} ({self.layout.name})", lessons=())

    def start(self) -> JostlePosition:
        return start(self.layout)

    def position(self, text: str) -> JostlePosition:
        return read_position(text, self.layout)

    def move(self, text: str) -> JostleMove:
        return read_move(text)

    def setup(self) -> dict[str, Any]:
        """The board: its fields, goals with points, switch pairs, and fields that send back with where to."""
        layout = self.layout
        return {
            "fields": layout.fields,
            "goals": [[field, layout.worth[field]] for field in sorted(layout.goal_fields)],
            "switches": [[low, high] for low, high in layout.switches],
            "backs": [[source, layout.carry[source]] for source in layout.minus_three],
        }


def read_position(text: str, layout: Layout = STANDARD) -> JostlePosition:
    """Reads e.g. `4,-1,-1/1,-1,-1/3,-1,-1 r !2 6?`: pieces by seat, seat to act, turns left, points."""
    found = _POSITION.fullmatch(text)
    if found is None:
        raise NotationError(f"a position looks like 4,-1,-1/1,-1,-1/3,-1,-1 r, not {text[:60]!r}")
    pieces = tuple(map(int, re.split("[,/]", found["pieces"])))
    _check_pieces(pieces, layout)
    phase, points = _phase(found["points"])
    last_turns = int(found["last"]) if found["last"] else None
    if found["seat"] == "-":
        if found["last"] or found["points"]:
            raise NotationError(f"a game that is over has no turns left and no points, as {text[:60]!r} says")
        return JostlePosition(layout, pieces, OVER, Phase.OVER, 0, 0)
    if last_turns is None and layout.goal_fields.issubset(pieces):
        raise NotationError("all goals are occupied, so the last round has begun: say !3, !2 or !1 after the seat")
    return JostlePosition(layout, pieces, SEATS.index(found["seat"]), phase, points, last_turns)


def _phase(points: str | None) -> tuple[Phase, int]:
    if points is None:
        return Phase.ROLL, 0
    if points == "6?":
        return Phase.DECIDE, max(PIPS)
    if points == "6+":
        return Phase.SECOND, 0
    return Phase.MOVE, int(points)


def _check_pieces(pieces: tuple[int, ...], layout: Layout) -> None:
    for piece, place in enumerate(pieces):
        if place > layout.last:
            raise NotationError(f"piece {piece} cannot stand on {place}: the last field is {layout.last}")
        if place != STACK and pieces.index(place) != piece:
            raise NotationError(f"pieces {pieces.index(place)} and {piece} cannot both stand on {place}")


class JostleKind(Kind):
    """Boards as JSON, written as in `games.jostle.layout_files`."""

    key = KEY
    library: ClassVar[Mapping[str, str]] = {name: write_layout(layout) for name, layout in LAYOUTS.items()}

    def open(self, source: str) -> JostleGame:
        return JostleGame(read_layout(source))


JOSTLE: Final = JostleGame()
KIND: Final = JostleKind()
