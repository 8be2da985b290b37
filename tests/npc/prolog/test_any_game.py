"""Rule bases of any game: the facts they are told, the moves they answer, and how they can lose a decision."""

import threading
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import Game
from games.registry import game as find_game
from games.ten.rules import TEN
from games.tic_tac_toe.rules import TIC_TAC_TOE
from games.tricks.rules import TRICKS
from npc import FaultKind, Follower, player
from npc.prolog import rule_base, vocabulary_of
from npc.prolog.any import ANY_VOCABULARY
from npc.prolog.host import Host, use_host
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.memory import SESSIONS
from npc.prolog.terms import term
from npc.simulation import Setup, simulate
from server.prolog import WasmtimeHost
from tests.games.selection import VARIED
from tests.npc.walks import walk

FIRST = "% Takes the first\nworth([Move|_], Move).\n"
DRAWS = "% Draws lots\nmove(Move) :- legalMoves(Moves), random_member(Move, Moves).\n"
COUNTS = """\
% Counts its own turns
:- dynamic(turns/1).
turns(0).
move(Move) :-
    retract(turns(N)), M is N + 1, assertz(turns(M)),
    legalMoves(Moves), length(Moves, Length), Index is N mod Length, pick(Moves, Index, Move).
pick([Move|_], 0, Move) :- !.
pick([_|Rest], N, Move) :- M is N - 1, pick(Rest, M, Move).
"""
OTHERS = [reference for reference in VARIED if find_game(reference).kind != JOSTLE_VOCABULARY.game]


def asked(script: str, game: Game, moves: list[str], seat: int) -> Follower:
    follower = Follower(game, rule_base(script, game), "seed", seat)
    follower.catch_up(moves)
    return follower


@pytest.mark.parametrize(
    "goal",
    [
        "findall(R, role(R), [x, o])",
        "me(o), opponent(x), \\+ opponent(o)",
        "true(cell(a, 1, x)), true(cell(b, 2, o)), true(cell(c, 3, x)), true(cell(b, 1, b)), true(control(o))",
        "findall(M, legal(M), [b1, c1, a2, c2, a3, b3]), legalMoves([b1|_])",
        "findall(R-M, does(R, M), [x-c3, o-b2, x-a1])",
        "lastMove(o, b2), lastMove(x, c3), \\+ lastMove(x, a1)",
        "aggregate_all(count, true(cell(_, _, b)), 6)",
        "keepBest(late, [b1, c1, a2], [a2])",
        "rand_int(6, N), N >= 0, N < 6, random_member(M, [a]), M == a",
    ],
)
def test_the_facts_and_helpers_are_those_of_the_interface(engine: WasmtimeHost, goal: str) -> None:
    script = f"move(c2) :- {goal}.\nlate(a2, 0) :- !.\nlate(_, 1).\n"
    decision = asked(script, TIC_TAC_TOE, ["a1", "b2", "c3"], 1).decide()
    assert (decision.fault, str(decision.move)) == (None, "c2")
    assert decision.explanation.words == "The rule base Prolog rule base answers c2."


def test_in_a_game_with_secrets_a_script_is_told_what_its_seat_saw(engine: WasmtimeHost) -> None:
    goal = (
        "me(right), findall(C, true(holds(_, C)), [2, 4, 6, 8]), true(cards(left, 4)), true(trick(1, 9, 10)), "
        "findall(R-M, does(R, M), [right-10, left-9, random-'deal ?/2,4,6,8,10'])"
    )
    moves = ["deal 1,3,5,7,9/2,4,6,8,10", "9", "10"]
    decision = asked(f"move(8) :- {goal}.\n", TRICKS, moves, 1).decide()
    assert (decision.fault, str(decision.move)) == (None, "8")
    late = asked(f"move(8) :- {goal}.\n", TRICKS, [*moves, "1"], 1).decide()
    assert late.fault is None, "the card that left has laid meanwhile is not told"


def test_chance_is_the_role_random(engine: WasmtimeHost) -> None:
    script = "move(stop) :- findall(R-M, does(R, M), [random-3, a-draw]), me(b), true(sum(a, 3)).\n"
    assert asked(script, TEN, ["draw", "3"], 1).decide().fault is None


@pytest.mark.parametrize(
    ("script", "kind", "complaint"),
    [
        ("move(_) :- fail.\n", FaultKind.FAILED, "move/1 has no solution"),
        ("move(_) :- throw(mine).\n", FaultKind.THREW, "mine"),
        ("move(a1).\n", FaultKind.WRONG_ANSWER, "a1 is none of the legal moves"),
        ("move('b2').\nmove(_).\n", FaultKind.WRONG_ANSWER, "b2 is none of the legal moves"),
        ("move(_).\n", FaultKind.WRONG_ANSWER, "is none of the legal moves"),
        ("other(1).\n", FaultKind.THREW, "existence_error"),
        ("move(X) :-\n", FaultKind.SYNTAX, "incomplete"),
        ("move(_) :- again.\nagain :- again.\n", FaultKind.LIMIT, "steps"),
        ("move(_) :- halt.\n", FaultKind.LIMIT, "halted"),
    ],
)
def test_a_rogue_loses_its_decision_to_a_move_drawn_by_lot(
    engine: WasmtimeHost, script: str, kind: FaultKind, complaint: str
) -> None:
    follower = asked(script, TIC_TAC_TOE, ["a1", "b2", "c3"], 1)
    decision = follower.decide()
    assert decision.fault is not None
    assert decision.fault.kind is kind
    assert complaint in decision.fault.message
    assert decision.move in follower.position.moves(1)
    assert str(decision.fault) in decision.explanation.words


def test_where_there_is_nothing_to_choose_the_script_is_not_asked(engine: WasmtimeHost) -> None:
    full = ["a1", "b1", "c1", "a2", "c2", "b2", "a3", "c3"]
    decision = asked("move(_) :- throw(asked).\n", TIC_TAC_TOE, full, 0).decide()
    assert (decision.fault, str(decision.move)) == (None, "b3")


@pytest.mark.parametrize("reference", OTHERS)
@pytest.mark.parametrize("script", [FIRST, DRAWS, COUNTS])
def test_rule_bases_play_whole_games_without_a_fault(engine: WasmtimeHost, script: str, reference: str) -> None:
    others = ["composed:RANDOMIZER"] * (len(find_game(reference).seats) - 1)
    setup = Setup(reference, (f"prolog:{script}", *others), 2, "whole")
    for game in simulate(setup, workers=1):
        assert game.seats[0].turns > 0
        assert game.seats[0].faults == 0


DECISIONS = 30
"""Who has forgotten asks again from the beginning of the match, so that long games would take for ever."""


def answers(script: str, game: Game, seat: int, forget: bool) -> Iterator[str]:
    follower = Follower(game, rule_base(script, game), "memory", seat)
    for _, position, move in walk("memory", game):
        if seat in position.acting:
            if forget:
                SESSIONS.clear()
            yield f"{follower.decide().move} {follower.decide().fault}"
        follower.follow([move])


@pytest.mark.parametrize("reference", OTHERS)
@pytest.mark.parametrize("seat", [0, 1])
def test_memory_is_restored_by_asking_again(engine: WasmtimeHost, reference: str, seat: int) -> None:
    """Also where seats choose at once: each is asked once a turn, whether before or after the others have moved."""
    game = find_game(reference)
    whole = list(islice(answers(COUNTS, game, seat, forget=False), DECISIONS))
    SESSIONS.clear()
    assert list(islice(answers(COUNTS, game, seat, forget=True), DECISIONS)) == whole


class Gate:
    """The engine, of which one question can be held up at a gate."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.reached, self.opened = threading.Event(), threading.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self._host, name)

    def ask(self, instance: int, key: str, question: str) -> str:
        answer = self._host.ask(instance, key, question)
        if "choice(0)" in answer and not self.reached.is_set():
            self.reached.set()
            assert self.opened.wait(60), "nobody opened the gate"
        return answer


def test_a_script_that_thinks_long_delays_no_other(engine: WasmtimeHost) -> None:
    gate = Gate(engine)
    use_host(gate)  # type: ignore[arg-type]  # what is not said here is the engine's own
    slow, found = asked(FIRST, TIC_TAC_TOE, [], 0), []
    thread = threading.Thread(target=lambda: found.append(slow.decide()))
    thread.start()
    try:
        assert gate.reached.wait(60)
        decision = asked(DRAWS, TIC_TAC_TOE, ["a1"], 1).decide()
        assert decision.fault is None, "answered while the other one is still waiting"
        SESSIONS.clear()
        assert asked(FIRST, TIC_TAC_TOE, ["a1"], 1).decide().fault is None
        assert not found
    finally:
        gate.opened.set()
        thread.join()
    assert [str(decision.move) for decision in found] == ["a1"]


def test_a_game_has_the_vocabulary_of_its_kind_or_that_of_any_game() -> None:
    assert vocabulary_of(find_game("jostle")) is JOSTLE_VOCABULARY
    assert vocabulary_of(TRICKS) is ANY_VOCABULARY
    assert player(f"prolog:{FIRST}", "tricks").name == "Takes the first"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a1", "a1"),
        ("7", "7"),
        ("-3", "-3"),
        ("mark(1, b)", "mark(1,b)"),
        ("move(f(a,1),g)", "move(f(a,1),g)"),
        ("07", "'07'"),
        ("A1", "'A1'"),
        ("a b", "'a b'"),
        ("f (a)", "'f (a)'"),
        ("f(a", "'f(a'"),
        ("f()", "'f()'"),
        ("it's \\ it", "'it\\'s \\\\ it'"),
        ("deal 1,2/3,4", "'deal 1,2/3,4'"),
    ],
)
def test_texts_become_terms_or_quoted_atoms(text: str, written: str) -> None:
    assert term(text) == written


@given(st.text(alphabet="abAZ019 (),'\\.-_~[]{}|\"%/*\t é🙂", max_size=20))
def test_every_text_stays_one_term_of_the_question(running_engine: WasmtimeHost, text: str) -> None:
    """Nothing that a game calls its moves can break out of its place."""
    printable = "".join(filter(str.isprintable, text))
    instance = running_engine.open()
    said = running_engine.run(instance, f"X = [{term(printable)},end], length(X, 2), X = [First, end], ground(First).")
    running_engine.close(instance)
    assert said.startswith("+1"), (printable, term(printable), said)
