"""Rule bases that behave in every way we know, and how each is to end: on the server and in the browser alike."""

from dataclasses import dataclass
from typing import Final

from npc import FaultKind


@dataclass(frozen=True)
class Rogue:
    """A script that must lose its decision."""

    name: str
    script: str
    kinds: tuple[FaultKind, ...]
    complaint: str = ""
    hangs: bool = False
    """Whether it neither ends nor fills the memory: steps are counted on the server; a browser's watchdog ends it."""


LIMIT, THREW, WRONG = FaultKind.LIMIT, FaultKind.THREW, FaultKind.WRONG_ANSWER

ROGUES: Final = (
    Rogue("endless loop", "move(_, _) :- again.\nagain :- again.\n", (LIMIT,), hangs=True),
    Rogue("endless counting", "move(_, _) :- up(0).\nup(N) :- M is N + 1, up(M).\n", (LIMIT,), hangs=True),
    Rogue(
        "endless printing",
        "move(_, _) :- say.\nsay :- write('a text that nobody reads'), nl, say.\n",
        (LIMIT,),
        hangs=True,
    ),
    Rogue(
        "endless loading", ":- initialization(again).\nagain :- again.\nmove(_, _).\n", (LIMIT,), "loaded", hangs=True
    ),
    Rogue(
        "endless atoms",
        "move(_, _) :- grow(a).\ngrow(A) :- atom_concat(A, A, B), grow(B).\n",
        (LIMIT, THREW),
        hangs=True,
    ),
    Rogue("endless list", "move(_, _) :- grow([]).\ngrow(List) :- grow([a|List]).\n", (LIMIT, THREW)),
    Rogue("endless facts", "move(_, _) :- grow(0).\ngrow(N) :- assertz(f(N)), M is N + 1, grow(M).\n", (LIMIT, THREW)),
    Rogue("endless depth", "move(_, _) :- deep(0).\ndeep(N) :- M is N + 1, deep(M), true.\n", (LIMIT, THREW)),
    Rogue("endless solutions", "move(_, _) :- findall(x, repeat, _).\n", (LIMIT, THREW)),
    Rogue("a term too deep", "move(_, X) :- wrap(a, X).\nwrap(X, Y) :- wrap(f(X), Y).\n", (LIMIT, THREW)),
    Rogue("a list too long", "move(_, _) :- length(List, 1000000000), List = [_|_].\n", (LIMIT, THREW)),
    Rogue("an answer too long", "move(_, Answer) :- length(Answer, 100000).\n", (LIMIT, THREW, WRONG)),
    Rogue("a number too large", "move(_, _) :- X is 7 ** (7 ** (7 ** 7)), X > 0.\n", (LIMIT, THREW)),
    Rogue("syntax error", "% fine\nfine(1).\nmove(Owner, Choice) :-\n    foo(.\n", (FaultKind.SYNTAX,), "lines 3 to 4"),
    Rogue("no full stop", "move(Owner, Choice) :- true", (FaultKind.SYNTAX,), "incomplete"),
    Rogue("half a character", "move(_, '\ud800').\n", (FaultKind.SYNTAX,), "UTF-8"),
    Rogue("unknown predicate", "move(_, _) :- nobody_wrote_this.\n", (THREW,), "existence_error"),
    Rogue("exception", "move(_, _) :- throw(my_own(complaint)).\n", (THREW,), "my_own(complaint)"),
    Rogue("no solution", "move(_, _) :- fail.\n", (FaultKind.FAILED,)),
    Rogue("not a choice", "move(_, hello).\n", (WRONG,), "hello"),
    Rogue("unbound answer", "move(_, _).\n", (WRONG,)),
    Rogue("another's piece", "move(_, [3, 6, 2]).\n", (WRONG,), "none of its pieces"),
    Rogue("piece on a goal", "move(Owner, [28, 2, Owner]).\n", (WRONG,), "cannot move"),
    Rogue("reads a file", "move(_, _) :- open('/etc/passwd', read, S), read(S, _).\n", (THREW,), "existence_error"),
    Rogue("consults a file", "move(_, _) :- consult('/etc/passwd').\n", (THREW,), "existence_error"),
    Rogue("writes a file", "move(_, _) :- open('x.txt', write, S), put_char(S, a).\n", (THREW,), "error"),
    Rogue("deletes a file", "move(_, _) :- delete_file('/etc/passwd').\n", (THREW,), "existence_error"),
    Rogue("lists a folder", "move(_, _) :- directory_files('/', _).\n", (THREW,), "existence_error"),
    Rogue("calls out", "move(_, _) :- client('127.0.0.1:80', _, _, _, []).\n", (THREW,), "could_not_connect"),
    Rogue("listens", "move(_, _) :- server('127.0.0.1:0', _, []).\n", (THREW,), "error"),
    Rogue("runs JavaScript", 'move(_, _) :- js_eval("1", _).\n', (THREW,), "existence_error"),
    Rogue("runs a program", "move(_, _) :- shell('true').\n", (THREW,), "existence_error"),
    Rogue("halts", "move(_, _) :- halt.\n", (LIMIT,), "halted"),
)

REMEMBERS: Final = """\
% Counts its own turns
:- dynamic(turns/1).
turns(0).
move(Owner, Choice) :-
    retract(turns(N)), M is N + 1, assertz(turns(M)),
    movablePieces(Owner, Movable), length(Movable, Length), Index is N mod Length, pick(Movable, Index, Choice).
pick([Choice|_], 0, Choice) :- !.
pick([_|Rest], N, Choice) :- M is N - 1, pick(Rest, M, Choice).
rollDieAgain(_) :- turns(N), 0 is N mod 2.
"""

DICE: Final = "% Rolls dice\nmove(Owner, Choice) :- movablePieces(Owner, Movable), random_member(Choice, Movable).\n"
LAST: Final = "% Takes the last\nworth(Movable, Choice) :- last(Movable, Choice).\n"
OWN_HELPER: Final = """\
% Has a helper of its own that is named like one of ours
goalTile(_) :- fail.
move(Owner, Choice) :- movablePieces(Owner, [Choice|_]), \\+ goalTile(28).
"""
HONEST: Final = (REMEMBERS, DICE, LAST, OWN_HELPER)
