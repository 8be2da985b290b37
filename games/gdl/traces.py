"""Traces: random games as some reasoner played them, and whether ours says the same.

A trace is a row of JSON objects, one per line: first the roles, then one object per game with its `plies` (each with
the `facts` of the state, the `legal` moves per role and the `joint` move; the last one with facts only), whether it was
`terminal` then, and the `goals` per role as texts, or
null where nobody asked.
"""

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from games.gdl.checks import checked
from games.gdl.findings import DescriptionError
from games.gdl.reader import CAPITAL_LETTERS
from games.gdl.reasoner import Reasoner, State
from games.gdl.syntax import read_term
from games.gdl.terms import Term, text
from games.protocol import GameError, NotationError

UNDEFINED: Final = "undefined"
_GZIP: Final = b"\x1f\x8b"
_SHOWN: Final = 3
_Reading = Callable[[str], Term]


class TraceError(NotationError):
    """A file that is no trace."""


def read_trace(data: bytes) -> list[dict[str, Any]]:
    """The objects of a trace, packed or not. Raises TraceError."""
    try:
        lines = (gzip.decompress(data) if data.startswith(_GZIP) else data).decode().splitlines()
        found = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, OSError, EOFError) as error:
        raise TraceError(f"a trace has a JSON object per line: {error}") from error
    if not found or not all(isinstance(each, dict) for each in found) or "roles" not in found[0]:
        raise TraceError("a trace begins with an object that has roles")
    return found


class Replay(NamedTuple):
    """What came of playing a trace again by a description."""

    difference: str | None
    """The first one, in words; None if everything is the same."""
    spelling: str = ""
    """With which reading against the language everything is the same after all, and where it matters."""

    @property
    def agrees(self) -> bool:
        return self.difference is None or bool(self.spelling)

    def __str__(self) -> str:
        if self.spelling:
            return f"the same in every ply, but only {self.spelling}; by the language, {self.difference}"
        return self.difference or "the same in every ply"


def replayed(source: str, trace: Sequence[dict[str, Any]]) -> Replay:
    """Play a trace again; where it differs, also as reasoners do for which capital letters make a difference.

    Raises GameError if the description, or the trace, cannot be played.
    """
    sheet = checked(source)
    found = difference(Reasoner(sheet.rules), trace)
    spelt = [finding for finding in sheet.findings if finding.rule == CAPITAL_LETTERS]
    if found is None or not spelt:
        return Replay(found)
    try:
        exact = difference(Reasoner(checked(source, exact=True).rules), trace, exact=True)
    except DescriptionError:  # so nobody can have meant it
        return Replay(found)
    where = "; ".join([f"{finding.place}: {finding.message}" for finding in spelt[:_SHOWN]])
    return Replay(found, "" if exact is not None else f"if capital letters tell words apart ({where})")


def difference(reasoner: Reasoner, trace: Sequence[dict[str, Any]], *, exact: bool = False) -> str | None:
    """The first thing that the reasoner sees differently, in words; None if it agrees with everything.

    `exact` tells whether capital letters make a difference.
    """
    try:
        return next(_differences(reasoner, trace, partial(_term, exact=exact)), None)
    except (KeyError, TypeError, IndexError) as error:
        raise TraceError(f"a game of the trace lacks something: {error!r}") from error


def _differences(reasoner: Reasoner, trace: Sequence[dict[str, Any]], term: _Reading) -> Iterator[str]:
    roles = tuple([term(role) for role in trace[0]["roles"]])
    if roles != reasoner.roles:
        yield f"the roles are {' '.join(reasoner.roles)}, not {' '.join(map(text, roles))}"
        return
    for number, game in enumerate(trace[1:], start=1):
        for words in _in_game(reasoner, game, term):
            yield f"game {number}, {words}"


def _in_game(reasoner: Reasoner, game: dict[str, Any], term: _Reading) -> Iterator[str]:
    state = reasoner.initial()
    plies = game["plies"]
    for ply, told in enumerate(plies):
        yield from _unequal(f"ply {ply}: the facts", state, map(term, told["facts"]))
        if "joint" not in told:
            break
        if reasoner.is_terminal(state):
            yield f"ply {ply}: the game is over, but the trace goes on"
        for role, ours, theirs in zip(reasoner.roles, reasoner.legal(state), told["legal"], strict=True):
            yield from _unequal(f"ply {ply}: the legal moves of {role}", ours, map(term, theirs))
        state = reasoner.after(state, [term(move) for move in told["joint"]])
    over = reasoner.is_terminal(state)
    if over != game["terminal"]:
        yield f"ply {len(plies) - 1}: the game is {'over' if over else 'not over'}, but the trace says otherwise"
    goals = _goals(reasoner, state)
    if game["goals"] is not None and goals != [goal.lower() for goal in game["goals"]]:
        yield f"ply {len(plies) - 1}: the goals are {goals}, not {game['goals']}"


def record(reasoner: Reasoner, games: int, seed: str, longest: int = 150) -> Iterator[dict[str, Any]]:
    """The objects of a trace of random games."""
    yield {"roles": list(reasoner.roles)}
    for number in range(games):
        yield _random_game(reasoner, random.Random(f"{seed}:{number}"), longest)


def _random_game(reasoner: Reasoner, rng: random.Random, longest: int) -> dict[str, Any]:
    state = reasoner.initial()
    plies: list[dict[str, Any]] = []
    while len(plies) < longest and not reasoner.is_terminal(state):
        legal = reasoner.legal(state)
        if not all(legal):
            raise GameError(f"a role has no legal move in {' '.join(_texts(state))}")
        joint = [rng.choice(moves) for moves in legal]
        plies.append(
            {"facts": _texts(state), "legal": [_texts(moves) for moves in legal], "joint": _texts_in_order(joint)}
        )
        state = reasoner.after(state, joint)
    plies.append({"facts": _texts(state)})
    return {"plies": plies, "terminal": reasoner.is_terminal(state), "goals": _goals(reasoner, state)}


def _goals(reasoner: Reasoner, state: State) -> list[str]:
    return [UNDEFINED if goal is None else str(goal) for goal in reasoner.goals(state)]


def _unequal(what: str, ours: Iterable[Term], theirs: Iterable[Term]) -> Iterator[str]:
    mine, other = set(ours), set(theirs)
    for words, terms in (("only we have", mine - other), ("only the trace has", other - mine)):
        if terms:
            more = f" and {len(terms) - _SHOWN} more" if len(terms) > _SHOWN else ""
            yield f"{what}: {words} {' '.join(_texts(terms)[:_SHOWN])}{more}"


def _texts(terms: Iterable[Term]) -> list[str]:
    return sorted(map(text, terms))


def _texts_in_order(terms: Iterable[Term]) -> list[str]:
    return list(map(text, terms))


@lru_cache(maxsize=100_000)
def _term(written: str, *, exact: bool) -> Term:
    return read_term(written, exact=exact)
