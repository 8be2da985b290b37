"""The texts of positions: the facts of the state, then, after a stroke, whatever else there is to know.

`(cell 1 1 x) (control o) / (sealed 0 (bid 3)) (drawn 4)`. A view that lacks the state begins with the stroke. A state
in which nothing is true is written `()`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.gdl.position import Glimpse, Memory
from games.gdl.syntax import Node, parse, term_of
from games.gdl.terms import Term, is_ground, text
from games.protocol import NotationError

STROKE: Final = "/"
NO_FACTS: Final = "()"
LONGEST_POSITION: Final = 200_000


class Written:
    """What a position's text says, before anybody knows whether it makes sense."""

    def __init__(self, seats: int) -> None:
        self.facts: list[Term] = []
        self.sealed: list[Term | None] = [None] * seats
        self.drawn: tuple[Term, ...] = ()
        self.memories: list[tuple[Memory, ...]] = [()] * seats
        self.glimpse: Glimpse | None = None


def write(
    state: frozenset[Term],
    sealed: Sequence[Term | None],
    drawn: Sequence[Term],
    memories: Sequence[Sequence[Memory]],
    glimpse: Glimpse | None,
) -> str:
    facts = sorted(map(text, state)) if state or glimpse is not None else [NO_FACTS]
    more = [*_sections(sealed, drawn, memories, glimpse)]
    return " ".join([*facts, *([STROKE, *map(text, more)] if more else [])])


def _sections(
    sealed: Sequence[Term | None],
    drawn: Sequence[Term],
    memories: Sequence[Sequence[Memory]],
    glimpse: Glimpse | None,
) -> Iterator[Term]:
    if glimpse is not None:
        yield (
            "view",
            str(glimpse.seat),
            str(glimpse.acts),
            ("acting", *map(str, glimpse.acting)),
            ("may", *glimpse.legal),
            ("points", *map(str, glimpse.points)),
        )
    yield from [("sealed", str(seat), move) for seat, move in enumerate(sealed) if move is not None]
    if drawn:
        yield ("drawn", *drawn)
    for seat, known in enumerate(memories):
        if known:
            yield ("knows", str(seat), *[("turn", memory.did, *memory.saw) for memory in known])


def read(written: str, seats: int) -> Written:
    """Raises NotationError. Whoever asks compares the text of what comes of it with this one."""
    if len(written) > LONGEST_POSITION:
        raise NotationError(f"a position has at most {LONGEST_POSITION} characters, not {len(written)}")
    found = Written(seats)
    nodes = list(parse(written).nodes)
    stroke = next((place for place, node in enumerate(nodes) if node.word == STROKE), len(nodes))
    if not nodes:
        raise NotationError(f"a position is a row of facts like (cell 1 1 x), not {written[:60]!r}")
    try:
        found.facts = [_ground(node) for node in nodes[:stroke] if node.word or node.parts]
        for node in nodes[stroke + 1 :]:
            _READERS[node.first](found, node.parts[1:])
    except (KeyError, ValueError, IndexError):
        raise NotationError(f"a position looks like (cell 1 1 x) (control o), not {written[:60]!r}") from None
    return found


def _ground(node: Node) -> Term:
    term = term_of(node)
    if term is None or not is_ground(term):
        raise ValueError("not a ground term")
    return term


def _read_view(found: Written, parts: tuple[Node, ...]) -> None:
    seat, acts, acting, may, points = parts
    found.glimpse = Glimpse(
        int(seat.word),
        int(acts.word),
        tuple([int(each.word) for each in acting.parts[1:]]),
        tuple([_ground(each) for each in may.parts[1:]]),
        tuple([int(each.word) for each in points.parts[1:]]),
    )


def _read_sealed(found: Written, parts: tuple[Node, ...]) -> None:
    seat, move = parts
    found.sealed[int(seat.word)] = _ground(move)


def _read_drawn(found: Written, parts: tuple[Node, ...]) -> None:
    found.drawn = tuple([_ground(part) for part in parts])


def _read_knows(found: Written, parts: tuple[Node, ...]) -> None:
    memories = []
    for turn in parts[1:]:
        did, *saw = [_ground(part) for part in turn.parts[1:]]
        memories.append(Memory(did, tuple(saw)))
    found.memories[int(parts[0].word)] = tuple(memories)


_READERS: Final = {"view": _read_view, "sealed": _read_sealed, "drawn": _read_drawn, "knows": _read_knows}
