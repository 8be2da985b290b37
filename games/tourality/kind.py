"""Sources of Tourality: how large a world is and what is drawn into it, or the world itself, row by row.

    size 20 20            or      world
    obstacles 40                  .a.o
    leaves 40                     .#..
    sweeps 2                      o.b.

`sweeps` may follow either; without it there is one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from games.protocol import CHANCE, LONGEST_MOVE, Game, Kind, NotationError, Texts
from games.references import by_content
from games.texts import texts_beside
from games.tourality.position import DIGITS, NOT_DRAWN, PASS, STEPS, Drawn, Rules, Step, TouralityPosition
from games.tourality.world import Size, World, read_board, signs_of, worlds, write_board

KEY: Final = "tourality"
LONGEST_SIDE: Final = 26
"""Columns have letters."""
LEAST_SIDE: Final = 2
MOST_SWEEPS: Final = 2
_SIZE: Final = re.compile(
    r"size (\d{1,2}) (\d{1,2})\nobstacles (\d{1,3})\nleaves (\d{1,3})\n(?:sweeps ([12])\n)?", re.ASCII
)
_WORLD: Final = re.compile(r"world\n((?:[.#oab]+\n)+)(?:sweeps ([12])\n)?", re.ASCII)
_BY_NAME: Final = {step.name: step for step in (*STEPS, PASS)}
_DRAWN: Final = re.compile(rf"world ([{DIGITS}]+)", re.ASCII)
_POSITION: Final = re.compile(r"(\S+) ([ab-]) (\d{1,4}):(\d{1,4}) (\d{1,4})(?: (\S+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tourality(Game):
    """A size or a world, and how many sweeps."""

    rules: Rules
    known_as: str
    written: str

    kind: ClassVar[str] = KEY
    board: ClassVar[str] = "grid"
    cheap: ClassVar[bool] = True

    @property
    def reference(self) -> str:
        return self.known_as

    @property
    def source(self) -> str:
        return self.written

    @property
    def seats(self) -> tuple[str, ...]:
        return ("a", "b")

    def start(self) -> TouralityPosition:
        if self.rules.world is None:
            return TouralityPosition(self.rules)
        return TouralityPosition.in_world(self.rules, self.rules.world)

    def move(self, text: str) -> Step | Drawn:
        step = _BY_NAME.get(text)
        if step is not None:
            return step
        found = _DRAWN.fullmatch(text[: LONGEST_MOVE + 1])
        drawn = Drawn(int(found[1], len(DIGITS))) if found else None
        if drawn is None or str(drawn) != text:
            raise NotationError(f"a move is {', '.join(_BY_NAME)} or a world by its number, not {text[:40]!r}")
        return drawn

    def position(self, text: str) -> TouralityPosition:
        if text == NOT_DRAWN and self.rules.world is None:
            return self.start()
        found = _POSITION.fullmatch(text)
        if found is None:
            raise NotationError(f"a position looks like 2o1a/3b1 a 0:3 12, not {text[:40]!r}")
        board, acts, first, second, quiet, again = found.groups()
        here = self._board(board)
        position = TouralityPosition(
            self.rules,
            here.obstacles,
            here.leaves,
            here.starts,
            "ab".index(acts) if acts != "-" else -2,
            (int(first), int(second)),
            int(quiet),
            None if again is None else self._board(again),
        )
        self._check(position, text)
        return position

    def _board(self, text: str) -> World:
        size, world = read_board(text)
        if size != self.rules.size:
            raise NotationError(f"this world has {self.rules.size.columns} columns and {self.rules.size.rows} rows")
        return world

    def _check(self, position: TouralityPosition, text: str) -> None:
        """A position that no sweep could come to is none. Which steps led there is not asked."""
        rules, again = self.rules, position.again
        gathered = sum(position.gathered)
        before = 0 if again is not None or rules.sweeps == 1 else None  # the first sweep may have ended early
        missing = rules.leaves - len(position.leaves)
        whole = again or rules.world
        wrong = (
            len(position.obstacles) != rules.obstacles
            or missing < 0
            or (again is not None and rules.sweeps == 1)
            or (again is not None and len(again.leaves) != rules.leaves)
            or (whole is not None and (whole.obstacles != position.obstacles or not position.leaves <= whole.leaves))
            or (rules.world is not None and again is not None and again != rules.world)
            or (gathered != missing if before == 0 else not missing <= gathered <= missing + rules.leaves)
            or position.seat == CHANCE
            or position.text() != text
            or position.quiet > rules.patience
            or (position.seat >= 0) != (position._or_next_sweep() is position)  # of the same room
        )
        if wrong:
            raise NotationError(f"no game leads to {text[:200]!r}")

    def texts(self, language: str) -> Texts:
        return texts_beside(__package__, language)


class TouralityKind(Kind):
    key = KEY
    library: ClassVar[Mapping[str, str]] = {
        "garden": "size 9 9\nobstacles 10\nleaves 11\n",
        "standard": "size 20 20\nobstacles 40\nleaves 40\n",
        "challenge": "size 20 20\nobstacles 40\nleaves 40\nsweeps 2\n",
    }

    def open(self, source: str) -> Tourality:
        rules = read_rules(source)
        written = write_rules(rules)
        if written != source:
            raise NotationError("a source has no more than one space or line end at a time, and no leading zeros")
        name = next((name for name, known in self.library.items() if known == source), None)
        return Tourality(rules, by_content(KEY, source) if name is None else f"{KEY}:{name}", written)


def read_rules(source: str) -> Rules:
    """Raises NotationError."""
    if drawn := _SIZE.fullmatch(source):
        columns, rows, obstacles, leaves, sweeps = (int(number or 1) for number in drawn.groups())
        _check_size(size := Size(columns, rows))
        if obstacles + leaves + 2 > size.cells or leaves < 1:
            raise NotationError(f"{size.cells} cells hold at least one leaf and two players beside the obstacles")
        if len(str(Drawn(worlds(size, obstacles, leaves)))) > LONGEST_MOVE:
            raise NotationError("there are too many such worlds to write their number down: less obstacles or leaves")
        return Rules(size, obstacles, leaves, sweeps, None)
    if given := _WORLD.fullmatch(source):
        lines = given[1].splitlines()
        if len({len(line) for line in lines}) > 1:
            raise NotationError("the rows of a world are equally long")
        _check_size(Size(len(lines[0]), len(lines)))
        board = "/".join(re.sub(r"\.+", lambda free: str(len(free[0])), line) for line in lines)
        size, world = read_board(board)
        if not world.leaves:
            raise NotationError("a world has at least one leaf")
        return Rules(size, len(world.obstacles), len(world.leaves), int(given[2] or 1), world)
    raise NotationError(
        "a source is `size C R`, `obstacles N`, `leaves N` or `world` with its rows, and `sweeps 1` or 2"
    )


def _check_size(size: Size) -> None:
    if not all(LEAST_SIDE <= side <= LONGEST_SIDE for side in size):
        raise NotationError(f"a side has {LEAST_SIDE} to {LONGEST_SIDE} cells, not {size.columns} × {size.rows}")


def write_rules(rules: Rules) -> str:
    """The source that says the same."""
    sweeps = f"sweeps {rules.sweeps}\n" if rules.sweeps > 1 else ""
    if rules.world is None:
        size = rules.size
        return f"size {size.columns} {size.rows}\nobstacles {rules.obstacles}\nleaves {rules.leaves}\n{sweeps}"
    board = write_board(rules.size, signs_of(rules.world))
    rows = re.sub(r"\d+", lambda free: "." * int(free[0]), board).split("/")
    return "world\n" + "".join(f"{row}\n" for row in rows) + sweeps


KIND: Final = TouralityKind()
