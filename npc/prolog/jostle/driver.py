"""The driver's part for Jostle: takes questions apart, puts the facts in place, asks the script."""

from typing import Final

ANSWERING: Final = r"""
ask(board(Names), ready) :- retractall(user:board(_, _)), put_board(Names, -1), grintu:prepareBoard, !.
ask(forget, ready) :- retractall(user:moved(_, _, _, _)), retractall(user:struck(_, _, _)), !.
ask(q(Kind, Seed, Owner, Points, Fields, Lots, History), Answer) :-
    seed_random(Seed),
    retractall(user:die(_)), assertz(user:die(Points)),
    retractall(user:state(_, _)), put_state(Fields),
    retractall(user:lot(_, _)), First is Owner * 3, put_lots(Lots, First),
    put_history(History), !,
    answer(Kind, Owner, Answer).

answer(move, Owner, Answer) :- ( call(user:move(Owner, Choice)) -> Answer = choice(Choice) ; Answer = failed ).
answer(again, Owner, Answer) :- ( call(user:rollDieAgain(Owner)) -> Answer = yes ; Answer = no ).

put_board([], _).
put_board([Name|Names], Field) :- assertz(user:board(Field, Name)), Next is Field + 1, put_board(Names, Next).

put_state(Fields) :-
    on_stack(Fields, 0, Stack), ( Stack == [] -> true ; assertz(user:state(-1, Stack)) ), put_pieces(Fields, 0).

on_stack([], _, []).
on_stack([-1|Fields], Piece, [[Owner, Piece]|Stack]) :-
    !, Owner is Piece // 3, Next is Piece + 1, on_stack(Fields, Next, Stack).
on_stack([_|Fields], Piece, Stack) :- Next is Piece + 1, on_stack(Fields, Next, Stack).

put_pieces([], _).
put_pieces([Field|Fields], Piece) :-
    ( Field >= 0 -> Owner is Piece // 3, assertz(user:state(Field, [[Owner, Piece]])) ; true ),
    Next is Piece + 1, put_pieces(Fields, Next).

put_lots([], _).
put_lots([Lot|Lots], Piece) :- assertz(user:lot(Piece, Lot)), Next is Piece + 1, put_lots(Lots, Next).

put_history([]).
put_history([h(Ply, Owner, Piece, Field, Struck)|History]) :-
    asserta(user:moved(Ply, Owner, Piece, Field)), put_struck(Struck, Ply, Owner), put_history(History).

put_struck([], _, _).
put_struck([Piece|Pieces], Ply, Owner) :- asserta(user:struck(Ply, Owner, Piece)), put_struck(Pieces, Ply, Owner).
"""
