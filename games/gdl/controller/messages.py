"""The messages of game managers as text (KIF), and what players reply.

A manager asks INFO, hands over the rules with START, asks for a move with PLAY and ends with STOP or ABORT. PLAY and
STOP tell what happened in the turn before: in the classical form the moves of all roles, in that of GDL-II (for
descriptions with `sees`) the number of the turn, the own move and what the role perceived. Capital letters and white
space make no difference.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from games.gdl.syntax import Node, parse, term_of
from games.gdl.terms import Term, is_ground, text
from games.protocol import NotationError

NIL: Final = "nil"
"""Nothing: no turn before, no percepts, no move."""
READY: Final = "ready"
BUSY: Final = "busy"
DONE: Final = "done"
ABORTED: Final = "aborted"
AVAILABLE: Final = "available"
LONGEST_CLOCK: Final = 24 * 3600


class Joint(NamedTuple):
    """What all roles did in a turn, in the order of the roles, with what chance drew."""

    moves: tuple[Term, ...]


class Perceived(NamedTuple):
    """What a role did and perceived in a turn of GDL-II."""

    did: Term
    saw: tuple[Term, ...]


Last = Joint | Perceived | None
"""The turn before; None at first."""


class Info(NamedTuple):
    """Who are you, and are you free?"""


class Start(NamedTuple):
    """A match begins."""

    match: str
    role: str
    description: str
    start_clock: int
    """Seconds until `ready` is expected."""
    play_clock: int
    """Seconds for every move."""


class Play(NamedTuple):
    """A move is expected."""

    match: str
    last: Last
    turn: int | None = None
    """Counted from 0, in the form of GDL-II only."""


class Stop(NamedTuple):
    """The match is over, with this last turn."""

    match: str
    last: Last
    turn: int | None = None


class Abort(NamedTuple):
    """The match is given up."""

    match: str


Message = Info | Start | Play | Stop | Abort


def read_message(written: str) -> Message:
    """Raises NotationError with what was expected and what came."""
    nodes = parse(written).nodes
    if len(nodes) == 1 and nodes[0].word == "info":  # some managers leave the parentheses out
        return Info()
    if len(nodes) != 1 or nodes[0].first not in _READERS or not nodes[0].is_list:
        raise NotationError(
            f"one of (info …), (start …), (play …), (stop …), (abort …) is expected, not {_cut(written)}"
        )
    return _READERS[nodes[0].first](nodes[0].parts[1:])


def write_message(message: Message) -> str:
    """The message in one line; `read_message` reads the same again."""
    match message:
        case Info():
            return "( INFO )"
        case Start(match, role, description, start_clock, play_clock):
            return f"( START {match} {role} ( {description} ) {start_clock} {play_clock} )"
        case Abort(match):
            return f"( ABORT {match} )"
        case Play(match, last, turn):
            return f"( PLAY {match} {_written_turn(last, turn)} )"
        case Stop(match, last, turn):
            return f"( STOP {match} {_written_turn(last, turn)} )"


def description_text(source: str) -> str:
    """A description as START carries it: without comments, in small letters, one rule after another."""
    return " ".join(map(_node_text, parse(source).nodes))


def read_move(written: str) -> Term:
    """The move that a player replies; whatever it adds (an explanation, a taunt) is not looked at.

    Raises NotationError.
    """
    nodes = parse(written).nodes
    term = term_of(nodes[0]) if nodes else None
    if term is None or not is_ground(term):
        raise NotationError(f"a move is expected, not {_cut(written)}")
    return term


class Introduction(NamedTuple):
    """What a player says about itself; empty where it says nothing."""

    name: str = ""
    status: str = ""


def read_introduction(written: str) -> Introduction:
    """The reply to INFO: a word such as `available`, or pairs such as `((name X) (status available))`."""
    try:
        nodes = parse(written).nodes
    except NotationError:
        return Introduction()
    if len(nodes) == 1 and nodes[0].word:
        return Introduction(status=nodes[0].word)
    pairs = [pair.parts for node in nodes for pair in (node, *node.parts) if len(pair.parts) > 1]
    told = {pair[0].word: " ".join(part.word for part in pair[1:]).strip() for pair in pairs if pair[0].word}
    return Introduction(told.get("name", "").strip('"|'), told.get("status", ""))


def write_introduction(name: str, status: str) -> str:
    return f"( ( name {name} ) ( status {status} ) )"


# ----------------------------------------------------------------------------------------------------- reading


def _info(_: tuple[Node, ...]) -> Info:
    return Info()


def _start(parts: tuple[Node, ...]) -> Start:
    if len(parts) < 5 or not parts[2].is_list:
        raise NotationError("(start match role (description) start-clock play-clock) is expected")
    rules = " ".join(map(_node_text, parts[2].parts))
    return Start(_word(parts[0]), _word(parts[1]), rules, _seconds(parts[3]), _seconds(parts[4]))


def _play(parts: tuple[Node, ...]) -> Play:
    match, last, turn = _turn(parts)
    return Play(match, last, turn)


def _stop(parts: tuple[Node, ...]) -> Stop:
    match, last, turn = _turn(parts)
    return Stop(match, last, turn)


def _abort(parts: tuple[Node, ...]) -> Abort:
    if not parts:
        raise NotationError("(abort match) is expected")
    return Abort(_word(parts[0]))


_READERS: Final[dict[str, Callable[[tuple[Node, ...]], Message]]] = {
    "info": _info,
    "start": _start,
    "play": _play,
    "stop": _stop,
    "abort": _abort,
}


def _turn(parts: tuple[Node, ...]) -> tuple[str, Last, int | None]:
    """The match, what happened before, and the number of the turn where one is told."""
    if len(parts) == 2:
        return _word(parts[0]), None if _is_nil(parts[1]) else Joint(_terms(parts[1])), None
    if len(parts) != 4:
        raise NotationError("(play match moves) or (play match turn own-move percepts) is expected")
    match, number = _word(parts[0]), _number(parts[1], "the number of a turn", 10**6)
    if _is_nil(parts[2]):
        return match, None, number
    return match, Perceived(_term(parts[2]), () if _is_nil(parts[3]) else _terms(parts[3])), number


def _is_nil(node: Node) -> bool:
    return node.word == NIL


def _terms(node: Node) -> tuple[Term, ...]:
    if not node.is_list:
        raise NotationError(f"a list of terms is expected, not {_cut(node.word)}")
    return tuple(map(_term, node.parts))


def _term(node: Node) -> Term:
    term = term_of(node)
    if term is None or not is_ground(term):
        raise NotationError(f"a term without variables is expected, not {_cut(_node_text(node))}")
    return term


def _word(node: Node) -> str:
    if not node.word:
        raise NotationError(f"a word is expected, not {_cut(_node_text(node))}")
    return node.word


def _seconds(node: Node) -> int:
    return _number(node, "a clock in whole seconds", LONGEST_CLOCK)


def _number(node: Node, what: str, most: int) -> int:
    if not (node.word.isascii() and node.word.isdigit() and len(node.word) < 10 and int(node.word) <= most):
        raise NotationError(f"{what} from 0 to {most} is expected, not {_cut(_node_text(node))}")
    return int(node.word)


# ----------------------------------------------------------------------------------------------------- writing


def _written_turn(last: Last, turn: int | None) -> str:
    match last:
        case None:
            return NIL.upper() if turn is None else f"{turn} NIL NIL"
        case Joint(moves):
            return _list(moves)
        case Perceived(did, saw):
            return f"{turn} {text(did)} {_list(saw)}"


def _list(terms: tuple[Term, ...]) -> str:
    return f"( {' '.join(map(text, terms))} )"


def _node_text(node: Node) -> str:
    return node.word or f"({' '.join(map(_node_text, node.parts))})"


def _cut(written: str) -> str:
    return repr(written[:80])
