"""What a rule base of any game is told and asked: `role`, `me`, `true`, `legal`, `does` are facts, `move` the answer.

Moves and facts are terms where the game writes them as such, e.g. `mark(1, 2)`, `a1` or `7`; any other text is an atom,
which scripts write in quotes.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from games.protocol import CHANCE, Game, Position, Seat
from npc.composed.situation import Situation
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.player import Seed
from npc.prolog.helpers import MEANINGS
from npc.prolog.history import History
from npc.prolog.terms import term
from npc.prolog.vocabulary import LONGEST_COMPLAINT, Lost, Vocabulary, engine_seed

CHANCE_ROLE: Final = "random"
"""What chance is called in the Game Description Language."""

_CHOICE: Final = re.compile(r"choice\((\d{1,6})\)", re.ASCII)

ANSWERING: Final = r"""
ask(game(Roles), ready) :- retractall(user:role(_)), put_roles(Roles), !.
ask(forget, ready) :- retractall(user:does(_, _)), !.
ask(q(Seed, Me, Facts, Moves, History), Answer) :-
    seed_random(Seed),
    retractall(user:me(_)), assertz(user:me(Me)),
    retractall(user:true(_)), put_facts(Facts),
    retractall(user:legal(_)), put_moves(Moves),
    put_history(History), !,
    answer(Moves, Answer).

answer(Moves, Answer) :- ( call(user:move(Move)) -> named(Moves, 0, Move, Answer) ; Answer = failed ).

% The answer as a place among the legal moves.
named([], _, Move, wrong(Move)).
named([Legal|_], Place, Move, choice(Place)) :- Legal == Move, !.
named([_|Moves], Here, Move, Answer) :- Next is Here + 1, named(Moves, Next, Move, Answer).

put_roles([]).
put_roles([Role|Roles]) :- assertz(user:role(Role)), put_roles(Roles).

put_facts([]).
put_facts([Fact|Facts]) :- assertz(user:true(Fact)), put_facts(Facts).

put_moves([]).
put_moves([Move|Moves]) :- assertz(user:legal(Move)), put_moves(Moves).

put_history([]).
put_history([does(Role, Move)|History]) :- asserta(user:does(Role, Move)), put_history(History).
"""


class AnyVocabulary(Vocabulary):
    """`move(Move)`, with a Move that is `legal(Move)`."""

    facts = {  # noqa: RUF012  # a constant
        "role(Role)": "every seat, in the order of the game",
        "me(Role)": "the seat that you play",
        "true(Fact)": "what holds now, as far as your seat may know, such as true(cell(a, 1, x))",
        "legal(Move)": "each of your legal moves",
        "does(Role, Move)": "what was played so far as your seat saw it, latest first; chance is the role random",
    }
    meanings = {  # noqa: RUF012  # a constant
        "legalMoves(Moves)": "your legal moves as a list",
        "opponent(Role)": "every seat but yours",
        "lastMove(Role, Move)": "what a seat played last",
        **MEANINGS,
        "move(Move)": "the answer to a question; yours, or else what your worth(Moves, Move) takes",
    }
    helpers = r"""
legalMoves(Moves) :- findall(Move, user:legal(Move), Moves).
opponent(Role) :- user:role(Role), \+ user:me(Role).
lastMove(Role, Move) :- user:does(Role, Last), !, Move = Last.

% What is asked, unless the script has its own: worth(Moves, Move) is then the only rule that it must bring.
move(Move) :- legalMoves(Moves), user:worth(Moves, Move), !.
"""
    answering = ANSWERING
    asked = "move/1"
    answer = "one of the legal moves"

    def opening(self, game: Game) -> str:
        return f"game({_list(game.seats)})."

    def asks(self, position: Position, seat: Seat) -> bool:
        return position.forced(seat) is None

    def question(
        self, game: Game, position: Position, seat: Seat, news: Sequence[History], seed: Seed, ply: int
    ) -> str:
        played = ",".join(f"does({_role(game, each.mover)},{term(str(each.move))})" for each in news)
        moves = _list(map(str, position.moves(seat)))
        return f"q({engine_seed(seed, ply)},{_role(game, seat)},{_list(position.facts())},{moves},[{played}])."

    def decision(self, position: Position, seat: Seat, answer: str, name: str) -> Decision:
        found = _CHOICE.fullmatch(answer)
        if found is None and answer.startswith("wrong("):
            said = answer.removeprefix("wrong(").removesuffix(")")[:LONGEST_COMPLAINT]
            raise Lost(Fault(FaultKind.WRONG_ANSWER, f"{said} is none of the legal moves"))
        if found is None:
            raise Lost(self.complaint(answer))
        move = position.moves(seat)[int(found[1])]
        words = f"The rule base {name} answers {move}."
        return Decision(move, _explain=lambda: Explanation(name, words))

    def instead(self, position: Position, seat: Seat, fault: Fault, seed: Seed, ply: int) -> Decision:
        """A uniformly random legal move."""
        situation = Situation(position, seat, seed, ply)
        move = min(situation.moves, key=situation.lot)
        words = f"The rule base lost the decision ({fault}); {move} was drawn by lot."
        return Decision(move, fault=fault, _explain=lambda: Explanation("fault", words))

    def unasked(self, position: Position, seat: Seat) -> Decision:
        return Decision(position.forced(seat))


def _role(game: Game, seat: Seat) -> str:
    return CHANCE_ROLE if seat == CHANCE else term(game.seats[seat])


def _list(texts: Iterable[str]) -> str:
    return f"[{','.join(map(term, texts))}]"


ANY_VOCABULARY: Final = AnyVocabulary()
