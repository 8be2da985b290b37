"""Prolog that is loaded before every script, whatever the game: chance, counting, and keeping the best of a list.

The helpers live in a module of their own, so that a script may define a predicate of the same name and keeps its own.
"""

from collections.abc import Iterable
from typing import Final

MEANINGS: Final = {
    "keepBest(Order, Choices, Best)": "those choices for which your predicate Order(Choice, Rank) gives the least rank",
    "random_member(X, List)": "one of a list, drawn by the match's seeded chance",
    "rand_int(Limit, N)": "a number from 0 to below Limit, drawn likewise",
    "aggregate_all(What, Goal, Result)": "counting: What is count, sum(X), max(X), min(X) or bag(X)",
}
"""The helpers, each with what it is for."""

HELPERS: Final = r"""
% keepBest(Order, Choices, Best): those Choices for which the script's Order(Choice, Rank) gives the smallest Rank.
keepBest(Order, Choices, Best) :-
    rank_all(Choices, Order, Ranked), least_rank(Ranked, Least), tied(Ranked, Least, Best).

rank_all([], _, []).
rank_all([Choice|Choices], Order, [Rank-Choice|Ranked]) :-
    Goal =.. [Order, Choice, Rank], call(user:Goal), !, rank_all(Choices, Order, Ranked).

least_rank([Rank-_], Rank) :- !.
least_rank([Rank-_|Ranked], Least) :- least_rank(Ranked, Other), Least is min(Rank, Other).

tied([], _, []).
tied([Rank-Choice|Ranked], Least, [Choice|Best]) :- Rank =:= Least, !, tied(Ranked, Least, Best).
tied([_|Ranked], Least, Best) :- tied(Ranked, Least, Best).

% The engine's numbers are seeded before each question.
random_member(X, List) :- length(List, Length), Length > 0, rand_int(Length, N), nth(List, N, X).
nth([X|_], 0, X) :- !.
nth([_|Xs], N, X) :- M is N - 1, nth(Xs, M, X).

aggregate_all(count, Goal, Count) :- !, findall(x, user:Goal, All), length(All, Count).
aggregate_all(sum(X), Goal, Sum) :- !, findall(X, user:Goal, All), total(All, 0, Sum).
aggregate_all(max(X), Goal, Max) :- !, findall(X, user:Goal, All), greatest(All, Max).
aggregate_all(min(X), Goal, Min) :- !, findall(X, user:Goal, All), least(All, Min).
aggregate_all(bag(X), Goal, Bag) :- findall(X, user:Goal, Bag).

total([], Sum, Sum).
total([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, total(Xs, Sum1, Sum).
greatest([First|Rest], Greatest) :- greatest(Rest, First, Greatest).
greatest([], Greatest, Greatest).
greatest([X|Rest], Y, Greatest) :- Z is max(X, Y), greatest(Rest, Z, Greatest).
least([First|Rest], Least) :- least(Rest, First, Least).
least([], Least, Least).
least([X|Rest], Y, Least) :- Z is min(X, Y), least(Rest, Z, Least).
"""

RAND_INT: Final = """
% The engine stumbles over an interval of one number.
rand_int(1, 0) :- !.
rand_int(Limit, N) :- Most is Limit - 1, random_between(0, Most, N).
"""


def indicator(head: str) -> str:
    """`move(Owner, Choice)` is move/2."""
    name, _, arguments = head.partition("(")
    return f"{name}/{arguments.count(',') + 1}"


def module(name: str, exported: Iterable[str], clauses: str) -> str:
    """Prolog text of a module."""
    return f":- module({name}, [{', '.join(exported)}]).\n{clauses}"
