"""Where everything lies on a drawn board, the same way as in the browser.

The track is a serpentine of rows joined by half circles; it begins at the bottom and ends in the goals, a stair above
the rows. Distances are in units of one field's spacing: a half circle of radius 2/π is exactly two units long, so that
rows and bends carry fields at the same spacing, with one field at the crest of every bend.
"""

from dataclasses import dataclass
from functools import cache
from math import ceil, pi
from typing import Final, NamedTuple

from games.jostle.layout import PIECES_PER_SEAT, SEATS, STACK, Layout

FIELD_RADIUS: Final = 0.42
BEND_RADIUS: Final = 2 / pi
ROW_GAP: Final = 2 * BEND_RADIUS
STAIR_RISE: Final = 0.14
MARGIN: Final = 0.8
TRAY_WIDTH: Final = 1.5
STACK_SPACING: Final = 0.43
COLUMNS: Final = range(5, 16)
BEST_RATIO: Final = 1.25


class Point(NamedTuple):
    """To the right and down, in fields."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """A layout with a place for everything."""

    width: float
    height: float
    fields: tuple[Point, ...]
    stacks: tuple[Point, ...]
    track: str
    """The middle line of the track from START to the first goal, as SVG path data."""
    stair_foot: float
    """The height at which the goals' stair stands on the ground."""
    free: tuple[float, float]
    """The space beside the stair that nothing fills, from left to right."""
    lanes: tuple[float, ...]
    """The heights of the lanes between the rows, from the lowest: room for arcs."""

    def lane(self, a: Point, b: Point) -> float:
        """The lane that is nearest to both points; above them, if they stand in one row."""
        middle = (a.y + b.y) / 2 - 0.01
        return min(self.lanes, key=lambda y: abs(y - middle))

    def rest(self, piece: int, field: int) -> Point:
        """Where a piece stands or, on the stack, its place beside its siblings: a small pyramid."""
        if field != STACK:
            return self.fields[field]
        seat, number = divmod(piece, PIECES_PER_SEAT)
        stack = self.stacks[seat]
        return Point(stack.x + (number - 1) * STACK_SPACING, stack.y + (-0.16 if number == 1 else 0.1))


@cache
def geometry(layout: Layout) -> Geometry:
    """The board laid out in the number of columns that gives it the most pleasing shape."""
    candidates = [lay(layout, columns) for columns in COLUMNS if columns <= layout.first_goal]
    return min(candidates or [lay(layout, layout.first_goal)], key=_unshapeliness)


def _unshapeliness(board: Geometry) -> float:
    ratio = board.width / board.height
    return max(ratio / BEST_RATIO, BEST_RATIO / ratio)


def lay(layout: Layout, columns: int) -> Geometry:
    """The board in rows of that many columns. Only the first row may be shorter; then the stacks stand beside it."""
    columns = max(columns, len(layout.goals))
    per_row = columns + 1
    rows_above = max(0, ceil((layout.first_goal - columns) / per_row))
    first_row = layout.first_goal - rows_above * per_row
    free = columns - first_row
    beside = free >= len(SEATS)

    left = MARGIN + BEND_RADIUS
    width = columns - 1 + 2 * left
    base = MARGIN + ROW_GAP + len(layout.goals) * STAIR_RISE + 0.1 + rows_above * ROW_GAP
    height = base + MARGIN + (0 if beside else 0.9 * ROW_GAP)

    fields: list[Point] = []
    track: list[str] = []
    for row in range(rows_above + 1):
        y, way = base - row * ROW_GAP, 1 if row % 2 == 0 else -1
        count = columns if row else first_row
        begin = left + (free if row == 0 else 0 if way > 0 else columns - 1)
        if row:
            fields.append(Point(begin - way * BEND_RADIUS, y + BEND_RADIUS))
        track.append(_bend(begin, y, way) if row else f"M{begin:.3f} {y:.3f}")
        track.append(f"H{begin + way * (count - 1):.3f}")
        fields += (Point(begin + way * step, y) for step in range(count))

    goals_way = -1 if rows_above % 2 == 0 else 1
    goals_y, goals_x = base - (rows_above + 1) * ROW_GAP, left + (0 if goals_way > 0 else columns - 1)
    track.append(_bend(goals_x, goals_y, goals_way))
    fields += (
        Point(goals_x + goals_way * step, goals_y - 0.02 - step * STAIR_RISE) for step in range(len(layout.goals))
    )

    room = free - 0.65 + BEND_RADIUS if beside else width - 2 * MARGIN
    stacks = tuple(
        Point(MARGIN + 0.1 + room * (2 * seat + 1) / 6, base if beside else base + 0.95 * ROW_GAP)
        for seat in range(len(SEATS))
    )
    stair_end = goals_x + goals_way * (len(layout.goals) - 0.5)
    return Geometry(
        width=width,
        height=height,
        fields=tuple(fields),
        stacks=stacks,
        track="".join(track),
        stair_foot=goals_y + FIELD_RADIUS,
        free=(stair_end, width - MARGIN) if goals_way > 0 else (MARGIN, stair_end),
        lanes=tuple(base - (row + 0.5) * ROW_GAP for row in range(rows_above + 1)),
    )


def _bend(x: float, y: float, way: int) -> str:
    """Half a circle up to the beginning of the next row."""
    return f"A{BEND_RADIUS:.4f} {BEND_RADIUS:.4f} 0 0 {int(way > 0)} {x:.3f} {y:.3f}"
