"""What every game offers: immutable positions, explicit chance, and a text for everything.

Rules never draw random numbers. A position says who acts next: a seat, several seats at once, CHANCE, or nobody because
the game is OVER. A seat chooses among `moves(seat)`; chance takes one of `ways` equally likely numbers, each of which
stands for an outcome. The record of a game is one row of moves, chance included, whatever the game: seats that act at
once choose without knowing of each other, and their moves are played one after another in the order of the seats when
the last one has chosen. What a seat may know is its `view`, and nothing else is shown to it or asked of its programs.

A new game inherits `Position` and `Game` and writes what has no default. Everything with a default is an offer: boards,
programs and clocks use what a game tells and do without where it does not.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self, runtime_checkable

from kernels.turns import Turns

Seat = int
CHANCE: Final[Seat] = -1
OVER: Final[Seat] = -2

GRID: Final = "grid"
FACTS: Final = "facts"
"""The boards of any game, and what they draw: `Position.grid` and `Position.facts`."""

LONGEST_MOVE: Final = 200
"""Characters of a move's text at most. It is printable and has no braces, no space at its ends and no [ at its
beginning, so that a book can write it on a line; spaces, commas and parentheses inside are fine."""


class Remark(NamedTuple):
    """Something that the author of a source should know: where, which rule it is about, and what helps."""

    line: int
    column: int
    is_error: bool
    """Whether nobody can play it like this."""
    rule: str
    message: str
    hint: str = ""


class GameError(ValueError):
    """Something that the rules or the notation do not allow. The message says what was expected and what came."""

    remarks: tuple[Remark, ...] = ()
    """Everything that was found wrong, for errors of sources that have places."""


class NotationError(GameError):
    """A text that is no move, no position, no source or no book of the game."""


class IllegalMoveError(GameError):
    """A well-written move that the rules forbid in this position."""


@runtime_checkable
class Move(Hashable, Protocol):
    """A choice of a seat or an outcome of chance; `str(move)` is its text."""

    def __str__(self) -> str: ...


class Event(NamedTuple):
    """One thing that a move does on the board, for those who draw it: how, with which piece, from where, to where."""

    how: str
    piece: str = ""
    source: str = ""
    target: str = ""


class GridPiece(NamedTuple):
    """A piece on a grid: its cell ("a1" is at the lower left), its sign, and whose it is (-1: nobody's)."""

    cell: str
    sign: str
    seat: Seat


class GridMove(NamedTuple):
    """A move as hands make it on a grid: from a cell to another, or (no source) onto a cell."""

    move: str
    source: str
    target: str


class Grid(NamedTuple):
    """A square board as anybody can draw it."""

    columns: int
    rows: int
    pieces: tuple[GridPiece, ...]
    moves: tuple[GridMove, ...] = ()


class Late(Enum):
    """What happens to a seat whose clock has run out."""

    ASKED = "asked"
    """It is asked, and replaced by a stand-in if it still does not move."""
    DEFAULT = "default"
    """Its default move is made, and the game goes on: games with a beat."""


class Tempo(NamedTuple):
    """How fast a game goes. Without a clock of its own it is played by the study's."""

    clock_ms: int | None = None
    late: Late = Late.ASKED


class Position(ABC):
    """A value: two equal positions have the same past-independent future."""

    __slots__ = ()

    @property
    @abstractmethod
    def to_act(self) -> Seat:
        """Whose move `play` takes: a seat (the first of `acting` whose move is missing), CHANCE or OVER."""

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that choose now, in ascending order, none knowing what the others choose."""
        seat = self.to_act
        return (seat,) if seat >= 0 else ()

    @abstractmethod
    def moves(self, seat: Seat | None = None) -> tuple[Any, ...]:
        """The legal moves of a seat that is acting (of the seat to act, if none is named); empty for all others."""

    def outcomes(self) -> tuple[tuple[Any, int], ...]:
        """What chance may do, with positive weights; empty unless chance acts, or if there is too much to list."""
        return ()

    @property
    def ways(self) -> int:
        """How many equally likely numbers chance has; 0 unless chance acts."""
        return sum([weight for _, weight in self.outcomes()])

    def drawn(self, number: int) -> Any:
        """The outcome that a number from 0 to `ways` - 1 stands for. Raises GameError for any other number."""
        check_number(number, self.ways)
        for move, weight in self.outcomes():
            if number < weight:
                return move
            number -= weight
        raise NotImplementedError("a game whose chance cannot be listed says itself what is drawn")

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The position after `move`. Raises IllegalMoveError."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Points by seat, as they would count if the game ended now."""

    @abstractmethod
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; several share the win; empty while the game goes on or if it is drawn without winners."""

    @abstractmethod
    def text(self) -> str:
        """The exact text; `game.position(p.text()) == p`."""

    # ------------------------------------------------------------------------------------- who may know what

    def view(self, seat: Seat) -> Self:  # noqa: ARG002  # nothing is hidden unless a game says so
        """What `seat` may know: a position of the same game that can be read, shown and asked for the seat's moves."""
        return self

    def seen(self, move: Move, seat: Seat) -> str:  # noqa: ARG002  # as above
        """What `seat` may read in the record about a move that is played here."""
        return str(move)

    def worlds(self, seat: Seat) -> int:  # noqa: ARG002  # as above
        """How many equally likely positions a seat has to reckon with in this view of its own; 0 if nobody can tell.

        As likely as the rules make them: what others give away by how they play is not weighed. A game without secrets
        has one, the position itself.
        """
        return 1

    def world(self, seat: Seat, number: int) -> Self:
        """One of these positions, from 0 to `worlds(seat)` - 1: it can be played on, and looks like this to the seat.

        It is made of what the view shows and of nothing else. Raises GameError for any other number.
        """
        check_world(number, self.worlds(seat))
        return self

    # ------------------------------------------------------------------------------- what players reckon with

    def quickened(self) -> Self:
        """The same position, for somebody who is about to look at thousands that follow.

        A game that can prepare for that does it here, once; nothing but the time changes.
        """
        return self

    def turns(self) -> Turns | None:
        """This position for kernels that play by themselves, after `quickened`; None if they cannot.

        Only games without chance and secrets in which one seat chooses at a time can be played so.
        """
        return None

    def goals(self) -> tuple[float, ...]:
        """What the end of the game is worth to each seat, from 0 to 100.

        Those who won share 100 points; if nobody did, all share them: a draw of two is worth 50 to each. Who plays
        alone gets the points, as far as they lie between 0 and 100. Games whose ends are worth something else say so.
        """
        scores = self.scores()
        if len(scores) == 1:
            return (float(min(max(scores[0], 0), 100)),)
        sharing = self.winners() or range(len(scores))
        share = 100 / len(sharing)
        return tuple([share if seat in sharing else 0.0 for seat in range(len(scores))])

    def evaluation(self) -> tuple[float, ...] | None:
        """How promising the position looks for each seat, from 0 to 100, while it is not over; None if nobody knows."""
        return None

    # ------------------------------------------------------------------------------------- what a table asks

    def question(self, seat: Seat) -> str:
        """What kind of decision an acting seat has, in one word: people take their time by it."""
        return "single" if len(self.moves(seat)) == 1 else "choice"

    def forced(self, seat: Seat) -> Any:
        """The move that the referee makes for an acting seat because there is nothing to choose; else None."""
        moves = self.moves(seat)
        return moves[0] if len(moves) == 1 else None

    def default(self, seat: Seat) -> Any:
        """What an acting seat does that is late in a game with a beat."""
        return self.moves(seat)[0]

    # ------------------------------------------------------------------------------- what a game may tell besides

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # an offer
        """What playing `move` here does, step by step; with a seat, only what that seat may see of it.

        On a grid, pieces are signs and places are cells: whoever takes each piece from its source, if it has one, and
        puts it on its target, if it has one, has the grid afterwards.
        """
        return ()

    def facts(self) -> tuple[str, ...]:
        """The position as terms in the words of the Game Description Language, e.g. `cell(a,1,x)`."""
        return ()

    def grid(self, seat: Seat | None = None) -> Grid | None:  # noqa: ARG002  # an offer
        """The position on a square board, with the moves of a seat; None for games without one."""
        return None

    def picture(self) -> str | None:
        """The position as an SVG document; None for games that draw none."""
        return None

    def sketch(self, *, colour: bool = False) -> str:  # noqa: ARG002  # an offer
        """The position for a terminal, some lines of text."""
        grid = self.grid()
        if grid is None:
            return "\n".join(self.facts() or (self.text(),)) + "\n"
        signs = {piece.cell: piece.sign for piece in grid.pieces}
        columns = [chr(ord("a") + column) for column in range(grid.columns)]
        rows = [
            f"{row:>2} {' '.join(signs.get(f'{column}{row}', '.') for column in columns)}"
            for row in range(grid.rows, 0, -1)
        ]
        return "\n".join([*rows, f"   {' '.join(columns)}", ""])

    def captured(self, move: Move) -> int | None:  # noqa: ARG002  # an offer
        """How many opposing pieces `move` takes or throws back; None if the game has no such thing."""
        return None

    def harmed(self, move: Move) -> tuple[Seat, ...]:
        """The seats of which `move` takes or throws back something, as far as captures and material tell."""
        if not self.captured(move):
            return ()
        before = self.material()
        if before is not None:
            after = self.play(move).material() or before
            return tuple([seat for seat, left in enumerate(after) if left < before[seat]])
        return (1 - self.to_act,) if len(self.scores()) == 2 else ()

    def material(self) -> tuple[int, ...] | None:
        """What each seat still has on the board; None if the game has no such thing."""
        return None


def check_number(number: int, ways: int) -> None:
    """Raises GameError if a number stands for nothing that chance could do."""
    if not 0 <= number < ways:
        raise GameError(f"chance has {ways} numbers here, counted from 0, and {number} is none of them")


def check_world(number: int, worlds: int) -> None:
    """Raises GameError if a number stands for nothing that a seat has to reckon with."""
    if not 0 <= number < worlds:
        raise GameError(f"a seat has {worlds} worlds to reckon with, counted from 0, and {number} is none of them")


class Section(NamedTuple):
    """A piece of the rules: one text is a paragraph, several are a list."""

    heading: str
    texts: tuple[str, ...]


class Lesson(NamedTuple):
    """One thing to learn about a game: told when it first happens in a coached game, and drawn beside the rules."""

    key: str
    when: str
    """`start`, or a word and a pattern: `event` (how, piece, source and target in one line), `offer` (a move that may
    be chosen) or `position` (its text). Empty for what is only drawn."""
    heading: str
    text: str
    position: str
    """A position that shows it."""
    moves: tuple[str, ...] = ()
    """What is played there, to be seen in the picture."""


class Texts(NamedTuple):
    """What people read about a game in one language."""

    title: str
    summary: str
    """A few words: how many play, with what."""
    seats: tuple[str, ...]
    """What the seats are called at the table."""
    goal: str
    """What it is about, in a sentence or two."""
    rules: tuple[Section, ...]
    keys: tuple[tuple[str, str], ...] = ()
    """What keys do on its board: the keys, separated by spaces, and their meaning."""
    lessons: tuple[Lesson, ...] = ()


class Game(ABC):
    """An immutable description of rules: one object per kind and source."""

    __slots__ = ()

    kind: ClassVar[str]
    """The key of the kind that opens its source."""
    notation: ClassVar[Any] = None
    """How its books write moves (a `games.notation.Notation`); None: one line per move, chance included."""
    cheap: ClassVar[bool] = False
    """Whether dozens of its moves can be tried within about a millisecond. Only then does live play find out before a
    decision of a program whether it could be won or lost at once, by which people take their time."""

    @property
    def secrets(self) -> bool:
        """Whether seats know different things: whether `view` or `seen` hides anything."""
        return False

    @property
    def board(self) -> str:
        """The view that browsers show it with: a folder of client_web/src/games, "grid" for whoever tells a grid, or
        "facts", which shows facts and offers moves as buttons."""
        return FACTS

    @property
    def drawn_from(self) -> str:
        """What its board needs besides the text of a view: GRID, FACTS, or nothing (an empty text)."""
        return self.board if self.board in (GRID, FACTS) else ""

    @property
    @abstractmethod
    def reference(self) -> str:
        """Names exactly these rules: the kind and a name of its library, or the kind and the hash of the source."""

    @property
    @abstractmethod
    def seats(self) -> tuple[str, ...]:
        """One short letter or word per seat, in turn order."""

    @property
    def source(self) -> str:
        """The text from which its kind opens the same game again."""
        return ""

    @abstractmethod
    def start(self) -> Any:
        """The first position."""

    @abstractmethod
    def position(self, text: str) -> Any:
        """Reads a position's text. Raises NotationError."""

    @abstractmethod
    def move(self, text: str) -> Any:
        """Reads a move's text. Raises NotationError. The move need not be legal anywhere."""

    @property
    def tempo(self) -> Tempo:
        return Tempo()

    def setup(self) -> Any:
        """What its board has to know once and no position tells, as a JSON value; None if there is no such thing."""
        return None

    def remarks(self, games: int = 0) -> tuple[Remark, ...]:  # noqa: ARG002  # an offer
        """What the author of its source should know; with a number, also what so many random games showed."""
        return ()

    @abstractmethod
    def texts(self, language: str) -> Texts:
        """Name, seats and rules in a language that `games.texts` knows."""


class Kind(ABC):
    """A way of writing games: opens source texts. `library` holds the sources that come along, by name."""

    key: str
    library: ClassVar[Mapping[str, str]]

    @abstractmethod
    def open(self, source: str) -> Game:
        """The game that the source describes. Raises GameError with the reason if it describes none."""

    def joined(self, source: str, look: str) -> str:
        """A source with the JSON that says how people see it. Raises GameError for kinds without such a thing."""
        if look.strip():
            raise GameError(f"sources of {self.key} have nothing beside them, but {look.strip()[:40]!r} came")
        return source

    def parted(self, source: str) -> tuple[str, str]:
        """What `joined` has joined; the second is empty if there is nothing of this sort."""
        return source, ""


class OnlyGame(Kind):
    """A kind with one game, so its source is empty."""

    library: ClassVar[Mapping[str, str]] = {"standard": ""}

    def __init__(self, key: str, only: Game):
        self.key = key
        self.only = only

    def open(self, source: str) -> Game:
        if source:
            raise NotationError(f"{self.key} has an empty source, not {source[:40]!r}")
        return self.only
