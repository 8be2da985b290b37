"""Random boards and positions of Jostle for property tests."""

from hypothesis import strategies as st

from games.jostle import LAYOUTS, STANDARD, JostlePosition, Layout, LayoutError, Phase


@st.composite
def layouts(draw_value: st.DrawFn) -> Layout:
    """Boards of all kinds, most of them stranger than any that one would print."""
    fields = draw_value(st.integers(8, 45))
    goals = draw_value(st.lists(st.integers(1, 9), min_size=1, max_size=6))
    inner = draw_value(st.permutations(range(1, fields - len(goals))))
    pairs = draw_value(st.integers(0, min(3, len(inner) // 2)))
    switches = tuple((min(pair), max(pair)) for pair in zip(inner[:pairs], inner[pairs : 2 * pairs], strict=True))
    backs = draw_value(st.integers(0, 5))
    minus_three = tuple(field for field in inner[2 * pairs : 2 * pairs + backs] if field >= 3)
    try:
        return Layout("any", fields, tuple(goals), switches, minus_three)
    except LayoutError:
        return STANDARD


standard_board = st.just(STANDARD)


@st.composite
def to_move(draw_value: st.DrawFn, boards: st.SearchStrategy[Layout]) -> JostlePosition:
    """A seat with points to move by, the pieces anywhere, reachable or not."""
    layout = draw_value(boards)
    fields = draw_value(st.permutations(range(layout.fields)))
    on_stack = draw_value(st.lists(st.booleans(), min_size=9, max_size=9))
    spots = iter(fields)
    pieces = tuple(-1 if rests else next(spots, -1) for rests in on_stack)
    last_turns = 3 if layout.goal_fields.issubset(pieces) else None
    seat, points = draw_value(st.integers(0, 2)), draw_value(st.integers(1, 12))
    return JostlePosition(layout, pieces, seat, Phase.MOVE, points, last_turns)


any_board = st.one_of(st.sampled_from(list(LAYOUTS.values())), layouts())
