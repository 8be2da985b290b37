"""Jostle as a game of the protocol: its name, its start, and the reading of its texts."""

import re
from dataclasses import dataclass
from typing import Final

from games.jostle.layout import PIECES_PER_SEAT, SEATS, STACK, STANDARD, Layout
from games.jostle.moves import PIPS, JostleMove, read_move
from games.jostle.position import JostlePosition, Phase, start
from games.protocol import OVER, NotationError

_NUMBER = r"(?:-1|0|[1-9]\d{0,2})"
_TRIPLE = rf"{_NUMBER}(?:,{_NUMBER}){{{PIECES_PER_SEAT - 1}}}"
_POSITION: Final = re.compile(
    rf"(?P<pieces>{_TRIPLE}(?:/{_TRIPLE}){{{len(SEATS) - 1}}})"
    rf" (?P<seat>[{''.join(SEATS)}-])(?: !(?P<last>[1-{len(SEATS)}]))?(?: (?P<points>6\?|6\+|[1-9]|1[0-2]))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class JostleGame:
    """Jostle 2007 on a board of your choice."""

    layout: Layout = STANDARD

    @property
    def name(self) -> str:
        return "jostle" if self.layout == STANDARD else f"jostle:{self.layout.name}"

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def start(self) -> JostlePosition:
        return start(self.layout)

    def position(self, text: str) -> JostlePosition:
        return read_position(text, self.layout)

    def move(self, text: str) -> JostleMove:
        return read_move(text)


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


JOSTLE: Final = JostleGame()
