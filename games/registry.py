"""The kinds of games, and the games that references name. A kind that stands here is played by the conformance suite.

Games of the library are always there. A source that came from elsewhere (a database, a file, a server's answer) is made
known once per process with `learn`, which checks that it is the one its reference names.
"""

from collections import OrderedDict
from threading import Lock
from typing import Final

from games import evolved, gdl, jostle, ten, tic_tac_toe, tourality, tricks
from games.protocol import Game, GameError, Kind
from games.references import LONGEST_SOURCE, MissingSourceError, by_content, is_hash

_ALL: Final[tuple[Kind, ...]] = (
    jostle.KIND,
    tic_tac_toe.KIND,
    ten.KIND,
    tricks.KIND,
    tourality.KIND,
    evolved.KIND,
    gdl.KIND,
)
KINDS: Final[dict[str, Kind]] = {kind.key: kind for kind in _ALL}
MOST_LEARNT: Final = 256
"""Games from outside that a process keeps open; the longest unused one is forgotten and can be learnt again."""

_learnt: Final[OrderedDict[str, Game]] = OrderedDict()
_library: Final[dict[str, Game]] = {}
_lock: Final = Lock()


def shelf() -> tuple[str, ...]:
    """The references of all games that come with the platform."""
    return tuple(f"{kind.key}:{name}" for kind in KINDS.values() for name in kind.library)


def game(reference: str) -> Game:
    """The game that a reference names; a kind alone names the first game of its library.

    Raises MissingSourceError if its source has to be learnt first, and GameError if there is no such game.
    """
    known = _library.get(reference)
    if known is not None:
        return known
    with _lock:
        known = _learnt.get(reference)
        if known is not None:
            _learnt.move_to_end(reference)
            return known
    opened = _open_from_library(reference)
    with _lock:
        return _library.setdefault(reference, opened)


def open_source(kind: str, source: str) -> Game:
    """The game that a source describes, known from now on. Raises GameError."""
    if len(source) > LONGEST_SOURCE:
        raise GameError(f"a source has at most {LONGEST_SOURCE} characters, not {len(source)}")
    opened = _kind(kind).open(source)
    if opened.reference in shelf():
        return game(opened.reference)
    with _lock:
        _learnt[opened.reference] = opened
        _learnt.move_to_end(opened.reference)
        while len(_learnt) > MOST_LEARNT:
            _learnt.popitem(last=False)
    return opened


def learn(reference: str, source: str) -> Game:
    """Make the source of a reference known. Raises GameError if it is the source of something else.

    A source that has come into the library since keeps the reference by its content, too.
    """
    key = reference.partition(":")[0]
    opened = open_source(key, source)
    if reference not in (opened.reference, by_content(key, opened.source)):
        raise GameError(f"the source is that of {opened.reference}, not of {reference[:200]!r}")
    return opened


def is_known(reference: str) -> bool:
    try:
        game(reference)
    except GameError:
        return False
    return True


def _open_from_library(reference: str) -> Game:
    """Raises as `game` does. Other names of the same game give the same object."""
    key, colon, name = reference.partition(":")
    kind = _kind(key)
    if not colon and kind.library:
        return game(f"{key}:{next(iter(kind.library))}")
    if name in kind.library:
        return kind.open(kind.library[name])
    if not is_hash(name):
        known_names = ", ".join([f"{key}:{ours}" for ours in kind.library])
        raise GameError(f"there is no game {reference[:80]!r}; there are {known_names}")
    for ours in kind.library:
        known = game(f"{key}:{ours}")
        if by_content(key, known.source) == reference:
            return known
    raise MissingSourceError(reference)


def _kind(key: str) -> Kind:
    try:
        return KINDS[key]
    except KeyError:
        raise GameError(f"there is no game {key[:40]!r}; there are {', '.join(KINDS)}") from None
