"""Described games as a kind of games: the source is a description, and every description is a game.

What can be asked of a description lies in `turns`; here are its name, its texts and the reading of positions and moves.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any, ClassVar, Final

from games.gdl import look as looks
from games.gdl import notation, words
from games.gdl.cells import Cells, recognised
from games.gdl.checks import BASE, checked
from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.position import GdlMove, GdlPosition
from games.gdl.reader import Rulesheet
from games.gdl.reasoner import INIT, LEGAL, NEXT, RANDOM, State
from games.gdl.relations import ReasoningError
from games.gdl.simultaneity import chooses_at_once, takes_turns
from games.gdl.staging import Staging, staging_of
from games.gdl.syntax import read_term
from games.gdl.terms import Place, Rule, Signature, Term, Variable, arguments, atoms, signature
from games.gdl.turns import NOTHING, Table
from games.protocol import LONGEST_MOVE, Game, IllegalMoveError, Kind, NotationError, Remark, Texts
from games.references import by_content

KEY: Final = "gdl"
GAMES_KEPT: Final = 64
LIBRARY: Final = (
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "breakthrough-small",
    "three-rows",
    "dice-race",
    "ten",
    "bids",
    "one-card",
    "nine-boards",
    "checkers",
    "skirmish",
    "jostle",
)
"""The descriptions that come along, the first one first."""


class GdlGame(Game):
    """One description, opened. Two are equal if their sources are."""

    kind: ClassVar[str] = KEY

    def __init__(self, source: str, sheet: Rulesheet) -> None:
        name = _library_name(source)
        self._reference = by_content(KEY, source) if name is None else f"{KEY}:{name}"
        self._source = source
        self.sheet = sheet
        self.table = Table(sheet.rules)
        self.look = looks.read(looks.parted(source)[1], self.table.seats, looks.first_line(source))
        # Nothing in the language makes new words: whatever is ever true or done is said in those of the description.
        self._words = frozenset([word for rule in sheet.rules for word in _all_words(rule)])
        self._fact_relations = _said_of(sheet, (INIT, 0), (NEXT, 0))
        self._move_relations = _said_of(sheet, (LEGAL, 1), (RANDOM, 2))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GdlGame) and other._source == self._source

    def __hash__(self) -> int:
        return hash(self._source)

    def __reduce__(self) -> tuple[Any, ...]:
        return opened, (self._source,)

    @property
    def reference(self) -> str:
        return self._reference

    @property
    def seats(self) -> tuple[str, ...]:
        return self.table.seats

    @property
    def source(self) -> str:
        return self._source

    @property
    def secrets(self) -> bool:
        """Whether seats know only what they perceive, or can choose at once."""
        return self.table.hides or self._together

    @property
    def board(self) -> str:
        return self.staging.board or ("facts" if self.grid_of_cells is None else "grid")

    @property
    def staging(self) -> Staging:
        return staging_of(_library_name(self._source))

    @cached_property
    def grid_of_cells(self) -> Cells | None:
        """The square board in the description; None if there is none, or not everybody may see it."""
        if self.table.hides or self.look.board.relation == "":
            return None
        possible = [fact for (fact,) in self.table.reasoner.holds(BASE)]
        return recognised(self.start(), possible, self.look)

    def setup(self) -> Any:
        if self.staging.setup is not None:
            return self.staging.setup
        return None if self.grid_of_cells is None else self.grid_of_cells.setup()

    def remarks(self, games: int = 0) -> tuple[Remark, ...]:
        from games.gdl.playouts import played  # which plays games of this class

        found = [*self.sheet.findings, *self._unseen()]
        if games:
            found += played(self, games).findings(self)
        return tuple([finding.remark for finding in found])

    def texts(self, language: str) -> Texts:
        name = _library_name(self._source)
        if name is not None:
            return words.of_library(name, language)
        return words.said(self.sheet.comments, self.seats, language, self.look)

    def start(self) -> GdlPosition:
        return GdlPosition(self, self.table.reasoner.initial(), *self._nothing_yet())

    def position(self, text: str) -> GdlPosition:
        found = notation.read(text, len(self.seats))
        position = GdlPosition(
            self,
            frozenset(found.facts),
            tuple(found.sealed),
            found.drawn,
            tuple(found.memories) if self.table.hides else (),
            found.glimpse,
        )
        if self.written(position) != text or not self._makes_sense(position):
            raise NotationError(f"no game leads to {text[:200]!r}")
        return position

    def written(self, position: GdlPosition) -> str:
        return notation.write(*position[1:])

    def move(self, text: str) -> GdlMove:
        try:
            move = GdlMove(read_term(text)) if len(text) <= LONGEST_MOVE else None
        except NotationError:
            move = None
        if move is None or str(move) != text or not self._can_be_move(move.term):
            raise NotationError(f"a move is a term that the description makes legal, not {text[:60]!r}")
        return move

    def points(self, state: State) -> tuple[int, ...]:
        goals = dict(zip(self.table.reasoner.roles, self.table.answers.goals(state), strict=True))
        return tuple([goals[role] or 0 for role in self.seats])

    # ------------------------------------------------------------------------------------------------- inside

    def _unseen(self) -> Iterator[Finding]:
        """What was said about looks and fits nothing in the description."""
        place = Place(looks.first_line(self._source), 1)
        if self.look.board.relation and self.grid_of_cells is None:
            message = f"board.relation: ({self.look.board.relation} …) is no square board"
            hint = "a relation of three arguments, the first two of them numbers or letters, that all seats may see"
            yield Finding(place, Level.WARNING, "look", message, hint)
        named = {*self.look.pieces, *(sign for said in self.look.words.values() for sign in said.pieces)}
        for sign in sorted(named - self._words):
            message = f"pieces.{sign}: the description has no such word"
            yield Finding(place, Level.WARNING, "look", message, "name a sign that stands in a cell, in small letters")

    def _nothing_yet(self) -> tuple[Any, ...]:
        memories = ((),) * len(self.seats) if self.table.hides else ()
        return (None,) * len(self.seats), (), memories

    def _can_be_move(self, term: Term) -> bool:
        known = self._move_relations
        if self.table.chance_moves and term == NOTHING:
            return True
        return (known is None or signature(term) in known) and self._words.issuperset(atoms(term))

    def _makes_sense(self, position: GdlPosition) -> bool:
        known = self._fact_relations
        for fact in position.state:
            if (known is not None and signature(fact) not in known) or not self._words.issuperset(atoms(fact)):
                return False
        glimpse = position.glimpse
        if glimpse is not None:
            seats = range(len(self.seats))
            return self.table.hides and glimpse.seat in seats and all(seat in seats for seat in glimpse.acting)
        try:
            return self._turn_makes_sense(position)
        except (ReasoningError, IllegalMoveError, IndexError, KeyError):
            return False

    def _turn_makes_sense(self, position: GdlPosition) -> bool:
        """Whether what was chosen and drawn in this turn can have been."""
        turn = self.table.turn(position.state)
        chosen = [(seat, move) for seat, move in enumerate(position.sealed) if move is not None]
        if not all(seat in turn.active and move in turn.legal[seat] for seat, move in chosen):
            return False
        draws = self.table.draws(position.sealed)
        events = [{event for event, _ in turn.weights[draw.name]} for draw in draws]
        if position.dice and (len(chosen) < len(turn.active) or len(position.dice) >= len(draws)):
            return False
        if not all(event in possible for event, possible in zip(position.dice, events, strict=False)):
            return False
        return turn.over or bool(position.acting) or bool(turn.chance) or bool(draws)

    @cached_property
    def _together(self) -> bool:
        return len(self.seats) > 1 and not takes_turns(self.sheet.rules) and chooses_at_once(self.start())


def _all_words(rule: Rule) -> Iterator[str]:
    yield from atoms(rule.head)
    for literal in rule.body:
        yield from atoms(literal.statement)


def _said_of(sheet: Rulesheet, *places: tuple[Signature, int]) -> frozenset[Signature] | None:
    """The relations that stand in certain arguments of certain heads; None if a variable does: it may be anything."""
    terms = [
        arguments(rule.head)[column]
        for rule in sheet.rules
        for relation, column in places
        if rule.signature == relation
    ]
    if any(isinstance(term, Variable) for term in terms):
        return None
    return frozenset([signature(term) for term in terms])


@lru_cache(maxsize=GAMES_KEPT)
def opened(source: str) -> GdlGame:
    """Raises DescriptionError if the source has an error, GameError if it cannot be played."""
    try:
        sheet = checked(source)
    except DescriptionError as error:
        raise DescriptionError((*error.findings, *_looks_amiss(source))) from None
    return GdlGame(source, sheet)


def _looks_amiss(source: str) -> tuple[Finding, ...]:
    """What is wrong with the JSON beside a description that is wrong itself."""
    try:
        looks.read(looks.parted(source)[1], None, looks.first_line(source))
    except DescriptionError as error:
        return error.findings
    return ()


class GdlKind(Kind):
    """Descriptions in prefix notation (KIF)."""

    key = KEY
    library: ClassVar[Mapping[str, str]] = {
        name: resources.files(__package__).joinpath("library", f"{name}.kif").read_text(encoding="utf-8")
        for name in LIBRARY
    }

    def open(self, source: str) -> GdlGame:
        return opened(source)

    def joined(self, source: str, look: str) -> str:
        return looks.joined(source, look)

    def parted(self, source: str) -> tuple[str, str]:
        return looks.parted(source)


def _library_name(source: str) -> str | None:
    return _NAMES.get(source)


KIND: Final = GdlKind()
_NAMES: Final = {source: name for name, source in KIND.library.items()}
