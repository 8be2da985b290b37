"""A position as a picture: SVG that needs nothing but itself.

Seats differ in colour and in shape, switch pairs in colour and by the arc that joins them, and MINUS THREE is written
on its fields, so that nobody needs to tell red from green. The colours are those of the board in the browser.
"""

from html import escape
from math import atan2, degrees, hypot
from typing import Final

from games.jostle.geometry import FIELD_RADIUS, TRAY_WIDTH, Geometry, Point, geometry
from games.jostle.layout import PIECES_PER_SEAT, SEATS, START, STEPS_BACK, Layout
from games.jostle.position import JostlePosition
from games.jostle.words import in_words, what_is_awaited

SEAT_COLOURS: Final = ("#cb3d1f", "#0c8465", "#2a55b5")
SWITCH_COLOURS: Final = ("#6a2f86", "#6b5200", "#7a2f5a", "#44423e")
BACK_COLOUR: Final = "#3a3026"
FIELD_COLOUR: Final = "#fdf6e6"
PAPER: Final = "#f3e5c6"
PIXELS: Final = 96
CAPTION: Final = 1.05

_TRIANGLE: Final = (
    "M0-.33C.06-.33.1-.3.13-.25L.335.12C.38.2.33.27.25.27L-.25.27C-.33.27-.38.2-.335.12L-.13-.25C-.1-.3-.06-.33 0-.33Z"
)
# By seat: the outline of its pieces, and where the number sits best in it.
_SHAPES: Final = (
    ('<circle r=".285"', 0.1),
    (f'<path d="{_TRIANGLE}"', 0.16),
    ('<rect x="-.255" y="-.255" width=".51" height=".51" rx=".075"', 0.1),
)

_STYLE: Final = f"""
text {{ font-family: "Inter", "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; text-anchor: middle; }}
.number {{ font-size: .24px; font-weight: 600; fill: #77603b; }}
.small {{ font-size: .15px; font-weight: 600; }}
.word {{ font-size: .19px; font-weight: 700; fill: #77603b; }}
.sign {{ font-size: .36px; font-weight: 700; }}
.points {{ font: 700 .44px Georgia, "DejaVu Serif", serif; fill: #5a3d00; }}
.name {{ font: italic 600 .56px Georgia, "DejaVu Serif", serif; fill: #8a6238; }}
.piece {{ font-size: .28px; font-weight: 700; fill: #fff; }}
.caption {{ font-size: .27px; fill: #4f3d22; text-anchor: start; }}
.round {{ fill: none; stroke-linecap: round; stroke-linejoin: round; }}
.disc {{ fill: {FIELD_COLOUR}; stroke: #b6955f; stroke-width: .03; }}
"""


def draw_svg(position: JostlePosition) -> str:
    """The board, the pieces and, below, the score and what is awaited."""
    layout = position.layout
    board = geometry(layout)
    width, height = board.width, board.height + CAPTION
    size = f'viewBox="0 0 {width:.3f} {height:.3f}" width="{width * PIXELS:.0f}" height="{height * PIXELS:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title description">',
        f'<title id="title">Jostle: {escape(what_is_awaited(position))}</title>',
        f'<desc id="description">{escape(in_words(position))}</desc>',
        f"<style>{_STYLE}</style>",
        _ground(board),
        *(_tray(board.stacks[seat], seat, active=seat == position.seat) for seat in range(len(SEATS))),
        *(f'<path class="round" d="{board.track}" {stroke}/>' for stroke in _TRACK),
        _stair(layout, board),
        _name(board),
        *(_switch_arc(board, pair, number) for number, pair in enumerate(layout.switches)),
        *(_back_arc(board, field) for field in layout.minus_three),
        *(_field(layout, board, field) for field in range(layout.fields)),
        *(_piece(board.rest(piece, field), piece) for piece, field in enumerate(position.pieces)),
        _caption(position, board),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


_TRACK: Final = (
    'stroke="#b08d57" stroke-width=".98"',
    'stroke="#dcbf8d" stroke-width=".92"',
    'stroke="#b08d57" stroke-width=".03" stroke-dasharray=".07 .09" opacity=".7"',
)


def _ground(board: Geometry) -> str:
    def frame(inset: float, radius: float, paint: str) -> str:
        return (
            f'<rect x="{inset}" y="{inset}" width="{board.width - 2 * inset:.3f}" '
            f'height="{board.height - 2 * inset:.3f}" rx="{radius}" {paint}/>'
        )

    return (
        frame(0.06, 0.42, 'fill="#8a6238" stroke="#6d4b29" stroke-width=".05"')
        + frame(0.16, 0.34, f'fill="{PAPER}"')
        + frame(0.25, 0.27, 'fill="none" stroke="#c9aa75" stroke-width=".025"')
    )


def _tray(at: Point, seat: int, active: bool) -> str:
    colour = SEAT_COLOURS[seat]
    edge, weight = (colour, 0.07) if active else (mix(colour, "#c9aa75", 0.55), 0.03)
    return _group(
        at,
        f'<rect x="{-TRAY_WIDTH / 2}" y="-.5" width="{TRAY_WIDTH}" height="1" rx=".22" '
        f'fill="{mix(colour, PAPER, 0.1)}" stroke="{edge}" stroke-width="{weight}"/>',
    )


def _stair(layout: Layout, board: Geometry) -> str:
    steps = [board.fields[field] for field in range(layout.first_goal, layout.fields)]
    foot = board.stair_foot + 0.14
    return "".join(
        f'<rect x="{at.x - 0.5:.3f}" y="{at.y - 0.03:.3f}" width="1" height="{foot - at.y:.3f}" rx=".05" '
        'fill="#d9b25c" stroke="#a67c2c" stroke-width=".03"/>'
        f'<path class="round" d="M{at.x - 0.47:.3f} {at.y:.3f}h.94" stroke="#fff2cc" stroke-width=".05" opacity=".7"/>'
        for at in steps
    )


def _name(board: Geometry) -> str:
    left, right = board.free
    if right - left < 1.6:
        return ""
    return f'<text class="name" x="{(left + right) / 2:.3f}" y="{board.stair_foot - 0.3:.3f}">Jostle</text>'


def _field(layout: Layout, board: Geometry, field: int) -> str:
    small = f'<text class="small" y=".3" fill="{{}}">{field}</text>'
    disc = f'<circle class="disc" r="{FIELD_RADIUS}"/>'
    if field == START:
        sign = '<circle r=".36" fill="none" stroke="#b6955f" stroke-width=".02" stroke-dasharray=".08 .05"/>'
        sign += '<text class="word" y=".07">START</text>'
    elif field in layout.goal_fields:
        disc = f'<circle r="{FIELD_RADIUS}" fill="#f2c94c" stroke="#a67c2c" stroke-width=".04"/>'
        sign = '<circle r=".36" fill="none" stroke="#5a3d00" stroke-width=".02" opacity=".45"/>'
        sign += f'<text class="points" y=".155">{layout.worth[field]}</text>'
    elif field in layout.minus_three:
        disc = _coloured_disc(BACK_COLOUR)
        sign = f'<text class="sign" y=".11" fill="{BACK_COLOUR}">−{STEPS_BACK}</text>{small.format(BACK_COLOUR)}'
    elif field in layout.special:
        colour = _switch_colour(next(n for n, pair in enumerate(layout.switches) if field in pair))
        disc = _coloured_disc(colour)
        sign = (
            f'<path class="round" stroke="{colour}" stroke-width=".065" d="M-.2-.12H.17M.07-.21L.18-.12.07-.03'
            f'M.2 .06H-.17M-.07-.03L-.18 .06-.07 .15"/>{small.format(colour)}'
        )
    else:
        sign = f'<text class="number" y=".075">{field}</text>'
    return _group(board.fields[field], disc + sign)


def _coloured_disc(colour: str) -> str:
    return f'<circle r="{FIELD_RADIUS}" fill="{mix(colour, FIELD_COLOUR, 0.2)}" stroke="{colour}" stroke-width=".07"/>'


def _switch_colour(number: int) -> str:
    return SWITCH_COLOURS[number % len(SWITCH_COLOURS)]


def _switch_arc(board: Geometry, pair: tuple[int, int], number: int) -> str:
    """Through the lane between the rows, so that it crosses as few fields as possible."""
    a, b = (board.fields[end] for end in pair)
    start, middle, end = _through_lane(a, b, board.lane(a, b), FIELD_RADIUS + 0.06)
    curve = _curve(start, *middle, end)
    colour = _switch_colour(number)
    return (
        f'<path class="round" d="{curve}" stroke="{PAPER}" stroke-width=".13" opacity=".85"/>'
        f'<path class="round" d="{curve}" stroke="{colour}" stroke-width=".065"/>'
        f"{_arrowhead(start, middle[0], colour)}{_arrowhead(end, middle[1], colour)}"
    )


def _back_arc(board: Geometry, field: int) -> str:
    """A bow above the row within a row, through the lane otherwise."""
    a, b = board.fields[field], board.fields[field - STEPS_BACK]
    if abs(a.y - b.y) < 0.01:
        pull = Point((a.x + b.x) / 2, a.y - 0.82)
        start, middle, end = _towards(a, pull, FIELD_RADIUS), (pull, pull), _towards(b, pull, FIELD_RADIUS + 0.07)
    else:
        start, middle, end = _through_lane(a, b, board.lane(a, b), FIELD_RADIUS + 0.05)
    line = (
        f'<path class="round" d="{_curve(start, *middle, end)}" stroke="{BACK_COLOUR}" stroke-width=".05" '
        'stroke-dasharray=".09 .08"/>'
    )
    return line + _arrowhead(end, middle[1], BACK_COLOUR)


def _piece(at: Point, piece: int) -> str:
    seat, number = divmod(piece, PIECES_PER_SEAT)
    colour = SEAT_COLOURS[seat]
    shape, _ = _SHAPES[seat]
    body = f'fill="{mix(colour, "#000000", 0.62)}" stroke="{mix(colour, "#000000", 0.45)}" stroke-width=".02"'
    return _group(
        at,
        f'{shape} transform="translate(.03 .135)" opacity=".3"/>'
        f'{shape} transform="translate(0 .085)" {body}/>'
        f"{_token(seat, str(number + 1))}"
        f'{shape} transform="scale(.84)" fill="none" stroke="#fff" stroke-width=".03" opacity=".45"/>',
    )


def _token(seat: int, label: str) -> str:
    """The face of a piece."""
    colour = SEAT_COLOURS[seat]
    shape, label_y = _SHAPES[seat]
    return (
        f'{shape} fill="{colour}" stroke="{mix(colour, "#000000", 0.55)}" stroke-width=".025"/>'
        f'<text class="piece" y="{label_y}">{label}</text>'
    )


def _caption(position: JostlePosition, board: Geometry) -> str:
    """One line below the board: each seat's points, and what is awaited."""
    y = board.height + CAPTION / 2
    parts = []
    for seat, score in enumerate(position.scores()):
        x = 0.5 + 1.35 * seat
        parts.append(_group(Point(x, y - 0.03), _token(seat, "")))
        parts.append(f'<text class="caption" x="{x + 0.42:.3f}" y="{y + 0.07:.3f}" font-weight="700">{score}</text>')
    words = escape(what_is_awaited(position))
    colour = "#4f3d22" if position.is_over else SEAT_COLOURS[position.seat]
    parts.append(
        f'<text class="caption" style="text-anchor:end;fill:{colour}" x="{board.width - 0.3:.3f}" y="{y + 0.07:.3f}" '
        f'font-weight="700">{words}</text>'
    )
    return "".join(parts)


def _group(at: Point, content: str) -> str:
    return f'<g transform="translate({at.x:.3f} {at.y:.3f})">{content}</g>'


def _through_lane(a: Point, b: Point, lane: float, gap: float) -> tuple[Point, tuple[Point, Point], Point]:
    """A curve from `a` into the lane, along it, and out of it to `b`: its ends and the points that pull it."""
    way = (b.x > a.x) - (b.x < a.x)
    pulls = tuple(
        Point(at.x + side * way * (0.7 if abs(at.y - lane) < 0.01 else 0.1), at.y + (lane - at.y) * 1.15)
        for at, side in ((a, 1), (b, -1))
    )
    return _towards(a, pulls[0], gap), (pulls[0], pulls[1]), _towards(b, pulls[1], gap)


def _towards(a: Point, b: Point, distance: float) -> Point:
    length = hypot(b.x - a.x, b.y - a.y) or 1
    return Point(a.x + (b.x - a.x) / length * distance, a.y + (b.y - a.y) / length * distance)


def _curve(*points: Point) -> str:
    start, *rest = (f"{point.x:.3f} {point.y:.3f}" for point in points)
    return f"M{start}C{' '.join(rest)}"


def _arrowhead(tip: Point, origin: Point, colour: str) -> str:
    angle = degrees(atan2(tip.y - origin.y, tip.x - origin.x))
    return (
        f'<path d="M.05 0L-.13-.085-.09 0-.13 .085Z" fill="{colour}" stroke="{PAPER}" stroke-width=".025" '
        f'transform="translate({tip.x:.3f} {tip.y:.3f}) rotate({angle:.1f})"/>'
    )


def mix(colour: str, other: str, share: float) -> str:
    """`share` of one colour and the rest of the other, both written #rrggbb."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)
