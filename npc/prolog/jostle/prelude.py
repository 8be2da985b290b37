"""What is loaded before every script of Jostle: facts it may rely on and helper predicates, in plain ISO Prolog.

The names of the older ones are those of the thesis that describes the interface. `Choice` is always
[Field, Piece, Owner].
"""

from typing import Final

from npc.prolog.helpers import MEANINGS as GENERAL

MEANINGS: Final = {
    "allStates(Choices, Owner)": "the pieces of a player",
    "movablePieces(Owner, Choices)": "those that can move, lowest piece first",
    "movable(Choice)": "whether a piece can move",
    "stateSearch(Field, Piece, Owner)": "where a piece stands",
    "landing(Choice, Field)": "the field that the points lead to",
    "carried(Field, To)": "where a special field carries whoever lands on it",
    "specialTile(Field)": "a field that carries: a switch or MINUS THREE",
    "backField(Field)": "MINUS THREE",
    "backTile(Field)": "a field from which the points lead to MINUS THREE",
    "lowerSwitch(Field)": "the lower end of a switch",
    "minTile(Field, Prefix)": "the lowest field of those with the same name, such as minTile(Field, 'switch@')",
    "goalTile(Field)": "a goal",
    "boardsize(Last)": "the last field",
    "goalsize(Steps)": "how many steps lie between the first goal and the last",
    "startsWith(Prefix, Name)": "how the name of a field begins, such as startsWith('back@', Name)",
    "opponentOn(Field, Owner, Opponent)": "an opponent whose piece stands on a field of the track",
    "opponentOnGoal(Owner)": "whether an opponent stands on a goal",
    "strikes(Choice, Opponent)": "the move's own landing or being carried displaces a piece of this opponent",
    "outcome(Choice, Places)": "all effects of a move: Piece-Field for every piece that is then on the track",
    "spanAfter(Choice, Span)": "the distance between your first and last piece after a move",
    "lastMoved(Owner, Piece)": "the piece that a player moved last",
    "offenders(Owner, Owners)": "who struck a player's pieces, latest first",
    **GENERAL,
    "move(Owner, Choice)": "the answer to a question; yours, or else what your worth(Choices, Choice) takes",
    "rollDieAgain(Owner)": "after a six: succeeds to roll again; yours, or else while the piece is far from the goals",
}
"""The helpers that a script may call, each with what it is for. Nothing is exported that does not stand here."""

HELPERS: Final = r"""
% Where the pieces stand.
stateSearch(Field, Piece, Owner) :- user:state(Field, Here), member([Owner, Piece], Here).

allStates(Choices, Owner) :-
    findall(Piece-Field, stateSearch(Field, Piece, Owner), Found), sort(Found, Sorted),
    as_choices(Sorted, Owner, Choices).

as_choices([], _, []).
as_choices([Piece-Field|Rest], Owner, [[Field, Piece, Owner]|Choices]) :- as_choices(Rest, Owner, Choices).

% The board. prepareBoard is called once, when the board facts are known.
:- dynamic(last_field/1).
:- dynamic(first_goal/1).
:- dynamic(carry/2).

prepareBoard :-
    retractall(last_field(_)), retractall(first_goal(_)), retractall(carry(_, _)),
    findall(Field, user:board(Field, _), Fields), greatest(Fields, Last), assertz(last_field(Last)),
    findall(Field, (user:board(Field, Name), startsWith('goal@', Name)), Goals), sort(Goals, [First|_]),
    assertz(first_goal(First)),
    findall(carry(From, To), leads(From, To), Carries), assert_all(Carries).

leads(From, To) :- user:board(From, Name), startsWith('switch@', Name), user:board(To, Name), From =\= To.
leads(From, To) :-
    user:board(From, Name), startsWith('back@', Name), sub_atom(Name, 5, _, 0, Digits),
    atom_codes(Digits, Codes), number_codes(Steps, Codes), To is From - Steps.

assert_all([]).
assert_all([Fact|Facts]) :- assertz(Fact), assert_all(Facts).

boardsize(Last) :- last_field(Last).
goalsize(Size) :- last_field(Last), first_goal(First), Size is Last - First.
goalTile(Field) :- first_goal(First), ( var(Field) -> user:board(Field, _) ; true ), Field >= First.
specialTile(Field) :- carry(Field, _), !.
carried(Field, To) :- carry(Field, To), !.
backField(Field) :- carry(Field, To), To < Field, user:board(Field, Name), startsWith('back@', Name), !.
lowerSwitch(Field) :- carry(Field, To), To > Field, !.
minTile(Field, Prefix) :-
    user:board(Field, Name), startsWith(Prefix, Name), \+ ( user:board(Lower, Name), Lower < Field ), !.
startsWith(Prefix, Name) :- sub_atom(Name, 0, _, _, Prefix), !.

% What the points of the turn lead to.
landing([Field, _, _], Target) :- user:die(Points), Target is Field + Points.
backTile(Field) :- user:die(Points), Target is Field + Points, backField(Target).
movable([Field, _, _]) :- \+ goalTile(Field), user:die(Points), last_field(Last), Field + Points =< Last.
movablePieces(Owner, Movable) :- allStates(Choices, Owner), movable_only(Choices, Movable).

movable_only([], []).
movable_only([Choice|Choices], [Choice|Movable]) :- movable(Choice), !, movable_only(Choices, Movable).
movable_only([_|Choices], Movable) :- movable_only(Choices, Movable).

opponentOn(Field, Owner, Opponent) :-
    user:state(Field, Here), Field >= 0, member([Opponent, _], Here), Opponent =\= Owner.
opponentOnGoal(Owner) :- first_goal(First), user:state(Field, [[Opponent, _]]), Field >= First, Opponent =\= Owner, !.

% strikes(Choice, Opponent): its own landing, or its being carried, displaces a piece of Opponent.
strikes(Choice, Opponent) :-
    Choice = [_, _, Owner], landing(Choice, Target),
    ( opponentOn(Target, Owner, Opponent) ; carry(Target, There), opponentOn(There, Owner, Opponent) ).

% outcome(Choice, Places): Piece-Field for every piece that is on the track after the move and all its effects.
outcome([Field, Piece, Owner], Places) :-
    findall(P-F, (user:state(F, [[_, P]]), F >= 0, P =\= Piece), Others),
    landing([Field, Piece, Owner], Target),
    enter(Piece, Target, Others, unused, [], Here, Special, Homeless),
    jostle(Homeless, Special, Here, Places).

% enter(Who, Field, Places0, Special0, Homeless0, Places, Special, Homeless): displaces who is there; a special field
% acts once.
enter(Who, Field, Places0, Special0, Homeless0, Places, Special, Homeless) :-
    displace(Field, Places0, Homeless0, Places1, Homeless1),
    ( Special0 == unused, carry(Field, There) ->
        enter(Who, There, Places1, used, Homeless1, Places, Special, Homeless)
    ; Places = [Who-Field|Places1], Special = Special0, Homeless = Homeless1 ).

displace(Field, Places0, Homeless0, Places, Homeless) :-
    take(Places0, Field, Other, Places1), !, Places = Places1, append(Homeless0, [Other-Field], Homeless).
displace(_, Places, Homeless, Places, Homeless).

take([Other-Field|Places], Field, Other, Places) :- !.
take([Place|Places0], Field, Other, [Place|Places]) :- take(Places0, Field, Other, Places).

jostle([], _, Places, Places).
jostle([Who-From|Homeless0], Special0, Places0, Places) :-
    Below is From - 1, free_from(Below, Special0, Places0, Field),
    ( Field < 0 -> Places1 = Places0, Special = Special0, Homeless = Homeless0
    ; enter(Who, Field, Places0, Special0, Homeless0, Places1, Special, Homeless) ),
    jostle(Homeless, Special, Places1, Places).

free_from(Field, Special, Places, Found) :-
    Field >= 0, ( occupied(Places, Field) ; Special == used, carry(Field, _) ), !,
    Below is Field - 1, free_from(Below, Special, Places, Found).
free_from(Field, _, _, Field).

occupied([_-Field|_], Field) :- !.
occupied([_|Places], Field) :- occupied(Places, Field).

spanAfter(Choice, Span) :-
    Choice = [_, _, Owner], outcome(Choice, Places),
    A is Owner * 3, B is A + 1, C is A + 2,
    place(Places, A, FieldA), place(Places, B, FieldB), place(Places, C, FieldC),
    Span is max(FieldA, max(FieldB, FieldC)) - min(FieldA, min(FieldB, FieldC)).

place([], _, -1).
place([Piece-Field|_], Piece, Field) :- !.
place([_|Places], Piece, Field) :- place(Places, Piece, Field).

% The public history: moved(Ply, Owner, Piece, Field) and struck(Ply, Owner, Piece) are facts, latest first.
lastMoved(Owner, Piece) :- user:moved(_, Owner, Piece, _), !.
offenders(Owner, Offenders) :-
    findall(By, (user:struck(_, By, Piece), Owner =:= Piece // 3, By =\= Owner), All),
    once_each(All, Offenders).

once_each([], []).
once_each([X|Xs], [X|Ys]) :- without(Xs, X, Rest), once_each(Rest, Ys).
without([], _, []).
without([X|Xs], Y, Zs) :- X == Y, !, without(Xs, Y, Zs).
without([X|Xs], Y, [X|Zs]) :- without(Xs, Y, Zs).

% What is asked, unless the script has its own: worth(Movable, Choice) is then the only rule that it must bring.
move(Owner, Choice) :- movablePieces(Owner, Movable), user:worth(Movable, Choice), !.
rollDieAgain(Owner) :- user:move(Owner, [Field, _, _]), !, last_field(Last), Field < Last - 12.
"""

FACTS: Final = {
    "board(Field, Name)": "every field from -1 to the last: n, start, 'switch@1', 'back@3', 'goal@5' …",
    "state(Field, Pieces)": "every occupied field with its pieces [[Owner, Piece], …]; the stacks together under -1",
    "die(Points)": "the points of the turn",
    "lot(Piece, Lot)": "a fair random order of your own pieces: 0, 1, 2",
    "moved(Ply, Owner, Piece, Field)": "what was played so far, latest first; Field is where the points led to",
    "struck(Ply, Owner, Piece)": "which pieces a player's own landing or being carried displaced, latest first",
}
"""What is known to a script before each question."""
