"""The palette: text is readable on every ground, and the seats stay apart for colour-blind people, in both themes."""

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from server.base.settings import ROOT

TOKENS = (ROOT / "client_web" / "styles" / "_tokens.css").read_text()
BOARD, GRID, TRICKS = (
    (ROOT / "client_web" / "src" / "games" / game / "board.css").read_text() for game in ("jostle", "grid", "tricks")
)
TABLE = (ROOT / "client_web" / "styles" / "_table.css").read_text()
PAIR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
THEMES = {"light": 2, "dark": 3}  # groups of the expression
COLOURS = {
    theme: {m[1]: m[place] for m in PAIR.finditer(TRICKS + TOKENS + TABLE + BOARD + GRID)}
    for theme, place in THEMES.items()
}
MIXED = re.compile(r"\.field-(\w+) \.field-disc \{ fill: color-mix\(in oklab, var\(--\w+\) (\d+)%, var\(--field\)\)")
SPECIAL = ("switch-0", "switch-1", "switch-2", "switch-3", "back")
SEATS = ("seat-0", "seat-1", "seat-2")
SQUARES = ("square", "square-dark", "last")
SIGNS = ("sign-0", "sign-1", "sign-2", "sign-3")

Colour = NDArray[np.float64]

# Full dichromacy on linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.
SIGHT = {
    "ordinary": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
CLEARLY_DIFFERENT = 15.0  # in CIELAB; about 2 is just noticeable side by side


def linear(colour: str) -> Colour:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """As the accessibility guidelines define it."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(weights @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Colour) -> Colour:
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    x, y, z = np.cbrt(np.maximum(xyz / np.array([0.9505, 1.0, 1.089]), 1e-4))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["paper", "card", "sunk"])
@pytest.mark.parametrize("ink", ["ink", "ink-soft", "link", "good", "bad", "warn"])
def test_text_is_readable(theme: str, ground: str, ink: str) -> None:
    assert contrast(COLOURS[theme][ink], COLOURS[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("mark", ["red", "green", "blue", "focus", "rule-strong"])
def test_marks_and_edges_of_controls_stand_out(theme: str, mark: str) -> None:
    assert all(contrast(COLOURS[theme][mark], COLOURS[theme][ground]) >= 3 for ground in ("paper", "card", "sunk"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_seats_are_told_apart_by_colour_alone(theme: str, sight: str) -> None:
    seen = [lab(SIGHT[sight] @ linear(COLOURS[theme][seat])) for seat in ("red", "green", "blue")]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > CLEARLY_DIFFERENT


TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def mixed(one: str, share: float, other: str) -> str:
    """`color-mix(in oklab, one share, other)`: straight lines in OKLab are straight in its cube roots."""
    cones = share * np.cbrt(TO_CONES @ linear(one)) + (1 - share) * np.cbrt(TO_CONES @ linear(other))
    rgb = np.clip(np.linalg.inv(TO_CONES) @ cones**3, 0, 1)
    told = np.where(rgb <= 0.0031308, rgb * 12.92, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in told)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("field-ink", "field"),
        ("goal-ink", "goal"),
        ("stair-ink", "stair"),
        ("title", "board-paper"),
        *(("piece-ink", f"seat-{seat}") for seat in range(4)),
        *((sign, "board-paper") for sign in SPECIAL),
        ("ring", "track"),
        *((sign, ground) for sign in (*SIGNS, "ring") for ground in SQUARES),
        ("ring", "felt"),
        ("ink", "felt"),
        ("ink-soft", "felt"),
        *((ink, f"{wash}-wash") for ink in ("ink", "ink-soft") for wash in ("red", "green")),
        ("card-ink", "card-paper"),
    ],
)
def test_what_is_printed_on_the_board_is_readable(theme: str, ink: str, ground: str) -> None:
    assert contrast(COLOURS[theme][ink], COLOURS[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sign", SPECIAL)
def test_signs_are_readable_on_their_tinted_fields(theme: str, sign: str) -> None:
    shares = dict(MIXED.findall(BOARD))
    colours = COLOURS[theme]
    ground = mixed(colours[sign], int(shares[sign.partition("-")[0]]) / 100, colours["field"])
    assert contrast(colours[sign], ground) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("printed", [*SPECIAL, "ring"])
def test_nothing_printed_has_a_players_colour(theme: str, printed: str) -> None:
    colours = COLOURS[theme]
    own = lab(linear(colours[printed]))
    assert min(float(np.linalg.norm(own - lab(linear(colours[seat])))) for seat in SEATS) > CLEARLY_DIFFERENT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_signs_of_seats_are_told_apart_by_colour_alone(theme: str, sight: str) -> None:
    seen = [lab(SIGHT[sight] @ linear(COLOURS[theme][sign])) for sign in SIGNS[:3]]
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > CLEARLY_DIFFERENT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("ground", ["field", *SQUARES])
def test_pieces_stand_out_from_the_fields(theme: str, seat: str, ground: str) -> None:
    assert contrast(COLOURS[theme][seat], COLOURS[theme][ground]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("edge", "ground"),
    [
        *((edge, square) for edge in ("square-edge", "last-edge") for square in SQUARES),
        ("seat-0", "felt"),
        ("seat-1", "felt"),
    ],
)
def test_edges_of_boards_stand_out(theme: str, edge: str, ground: str) -> None:
    assert contrast(COLOURS[theme][edge], COLOURS[theme][ground]) >= 3


def test_what_may_be_moved_has_nobodys_colour() -> None:
    """The focus is blue as everywhere on the site, and one of the players may be, too."""
    for sheet in (BOARD, GRID, TRICKS):
        marked = [line for line in sheet.splitlines() if "var(--focus)" in line]
        assert all(":focus-visible" in line for line in marked), marked
