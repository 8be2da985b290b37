"""Traces of games: ours replay, and a difference is told in words."""

import gzip
import json
from typing import Any

import pytest

from games.gdl.checks import checked
from games.gdl.reasoner import Reasoner
from games.gdl.traces import TraceError, difference, read_trace, record
from games.registry import KINDS
from tests.games.gdl.sheets import COUNTING

REASONER = Reasoner(checked(COUNTING).rules)


def counting() -> list[dict[str, Any]]:
    return list(record(REASONER, 2, "trace"))


def test_a_trace_is_read_packed_or_not_and_replays() -> None:
    lines = "\n".join(json.dumps(each) for each in counting()).encode()
    assert read_trace(lines) == read_trace(gzip.compress(lines)) == counting()
    assert difference(REASONER, read_trace(lines)) is None


def test_letters_and_spaces_make_no_difference() -> None:
    trace = counting()
    trace[1]["plies"][0]["facts"] = ["( Control WHITE )", "( count 0 )"]
    assert difference(REASONER, trace) is None


@pytest.mark.parametrize("name", ["bids", "connect-four", "three-rows"])
def test_games_of_the_library_replay(name: str) -> None:
    reasoner = Reasoner(checked(KINDS["gdl"].library[name]).rules)
    assert difference(reasoner, list(record(reasoner, 1, name))) is None


def spoil(trace: list[dict[str, Any]], what: str) -> None:
    ply = trace[2]["plies"][1]
    if what == "facts":
        ply["facts"].append("(count 7)")
    elif what == "legal":
        ply["legal"][1] = []
    elif what == "goals":
        trace[2]["goals"] = ["0", "50"]
    elif what == "terminal":
        trace[2]["terminal"] = False
    else:
        trace[0]["roles"].reverse()


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("facts", "game 2, ply 1: the facts: only the trace has (count 7)"),
        ("legal", "game 2, ply 1: the legal moves of black: only we have (say 2)"),
        ("goals", "game 2, ply 3: the goals are ['100', '50'], not ['0', '50']"),
        ("terminal", "game 2, ply 3: the game is over, but the trace says otherwise"),
        ("roles", "the roles are white black, not black white"),
    ],
)
def test_the_first_difference_is_told(what: str, words: str) -> None:
    trace = counting()
    spoil(trace, what)
    assert difference(REASONER, trace) == words


@pytest.mark.parametrize("data", [b"", b"[1]", b"{}", b"{", b"\x1f\x8bno", b"\xff"])
def test_what_is_no_trace_is_refused(data: bytes) -> None:
    with pytest.raises(TraceError):
        read_trace(data)


def test_a_trace_with_holes_is_refused() -> None:
    with pytest.raises(TraceError, match="lacks"):
        difference(REASONER, [*counting()[:1], {"plies": [{}]}])
