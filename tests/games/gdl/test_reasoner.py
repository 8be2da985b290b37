"""The reference reasoner: consequences that are known by hand, and what it refuses to compute."""

import random

import pytest

from games.gdl.checks import checked
from games.gdl.reader import read
from games.gdl.reasoner import Reasoner, State
from games.gdl.relations import OutOfStepsError, ReasoningError
from tests.games.gdl.sheets import COUNTING

STATE: State = frozenset([("edge", "a", "b"), ("edge", "b", "c"), ("edge", "c", "a"), ("edge", "d", "d"), "lit"])


def numbers(most: int) -> str:
    return " ".join(f"(n {number})" for number in range(most))


def holding(source: str, name: str, width: int) -> set[tuple[object, ...]]:
    return set(Reasoner(read(source).rules).holds((name, width), STATE))


def test_a_game_is_played_by_its_rules() -> None:
    reasoner = Reasoner(checked(COUNTING).rules)
    state = reasoner.initial()
    assert reasoner.roles == ("white", "black")
    assert state == {("count", "0"), ("control", "white")}
    assert reasoner.legal(state) == ((("say", "1"),), ("noop",))
    assert reasoner.goals(state) == (0, 50)
    for joint in ((("say", "1"), "noop"), ("noop", ("say", "2")), (("say", "3"), "noop")):
        assert not reasoner.is_terminal(state)
        state = reasoner.after(state, joint)
    assert state == {("count", "3"), ("control", "black")}
    assert reasoner.is_terminal(state)
    assert reasoner.goals(state) == (100, 50)


def test_recursion_through_a_cycle_ends() -> None:
    paths = """(<= (path ?x ?y) (true (edge ?x ?y)))
               (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"""
    assert holding(paths, "path", 2) == {(x, y) for x in "abc" for y in "abc"} | {("d", "d")}


def test_relations_that_need_each_other_are_computed_together() -> None:
    steps = """(<= (even ?x ?x) (true (edge ?x ?y)))
               (<= (odd ?x ?z) (even ?x ?y) (true (edge ?y ?z)))
               (<= (even ?x ?z) (odd ?x ?y) (true (edge ?y ?z)))"""
    assert ("a", "c") in holding(steps, "even", 2)
    assert ("d", "d") in holding(steps, "odd", 2)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("(true (edge ?x ?x))", {("d",)}),
        ("(true (edge ?x ?y)) (distinct ?x ?y)", {("a",), ("b",), ("c",)}),
        ("(true (edge ?x ?y)) (not (true (edge ?y ?x)))", {("a",), ("b",), ("c",)}),
        ("(true ?x) (distinct ?x lit)", {(fact,) for fact in STATE if fact != "lit"}),
        ("(true (edge ?x b)) (true lit)", {("a",)}),
        ("(true (edge ?x b)) (not (true lit))", set()),
        ("(pair (of ?x ?y)) (true (edge ?y ?x))", {("b",)}),
    ],
)
def test_conditions_mean_what_they_say(body: str, found: set[object]) -> None:
    assert holding(f"(pair (of b a)) (pair (of a b)) (pair x) (<= (p ?x) {body})", "p", 1) == found


def test_a_rule_with_more_conditions_than_python_nests_loops() -> None:
    chain = " ".join(f"(true (edge ?v{n} ?v{n + 1}))" for n in range(40))
    assert holding(f"(<= (p ?v0 ?v40) {chain})", "p", 2) == {("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")}
    assert holding(f"(<= p {chain})", "p", 0) == {()}


def test_a_negation_of_itself_is_played_where_no_statement_negates_itself() -> None:
    source = "(<= (win ?x) (step ?x ?y) (not (win ?y))) (step a b) (step b c) (step c d)"
    assert holding(source, "win", 1) == {("a",), ("c",)}
    with pytest.raises(ReasoningError, match=r"\(win a\) holds exactly if it does not hold"):
        holding("(<= (win ?x) (step ?x ?x) (not (win ?x))) (step a a)", "win", 1)


def test_a_relation_that_is_too_large_is_computed_where_it_is_asked() -> None:
    wide = " ".join(f"(n ?x{column})" for column in range(6))
    variables = " ".join(f"?x{column}" for column in range(6))
    source = f"{numbers(30)} (<= (all {variables}) {wide} (distinct ?x0 ?x5)) (<= (p ?y) (n ?y) (all 1 2 3 4 5 ?y))"
    assert len(holding(source, "p", 1)) == 29


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("(init (n z)) (<= (init (n (s ?x))) (init (n ?x)))", "nested more than"),
        (f"{numbers(50)} (<= (init (f ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))", "steps"),
        (
            f"{numbers(400)} (<= (p ?a ?b) (n ?a) (n ?b)) (<= (init ?c) (p ?a ?b) (p ?b ?c) (p ?c ?a) (p ?a ?a))",
            "steps",
        ),
    ],
)
def test_consequences_without_end_are_refused(source: str, error: str) -> None:
    with pytest.raises(ReasoningError, match=error):
        Reasoner(read(source).rules)


def test_terms_that_grow_from_state_to_state_are_refused() -> None:
    reasoner = Reasoner(read("(role a) (init (f z)) (<= (next (f (s ?x))) (true (f ?x))) (legal a go)").rules)
    state = reasoner.initial()
    with pytest.raises(ReasoningError, match="nested"):
        for _ in range(100):
            state = reasoner.after(state, ["go"])


def test_what_one_question_may_cost_is_bounded_in_every_state() -> None:
    numbers = " ".join(f"(n {number})" for number in range(60))
    source = (
        f"(role a) {numbers} (init on) (<= (legal a (do ?v ?w ?x ?y ?z)) (true on) (n ?v) (n ?w) (n ?x) (n ?y) (n ?z))"
    )
    reasoner = Reasoner(read(source).rules)
    with pytest.raises(OutOfStepsError, match="steps"):
        reasoner.legal(reasoner.initial())


def naive(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    found = set(edges)
    while True:
        more = {(x, z) for x, y in found for other, z in edges if y == other} | found
        if more == found:
            return found
        found = more


@pytest.mark.parametrize("seed", range(20))
def test_reachability_in_random_graphs_is_that_of_a_plain_loop(seed: int) -> None:
    rng = random.Random(seed)
    nodes = [f"n{number}" for number in range(8)]
    edges = {(rng.choice(nodes), rng.choice(nodes)) for _ in range(10)}
    source = """(<= (path ?x ?y) (true (edge ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))
                (<= (node ?x) (true (edge ?x ?y))) (<= (node ?y) (true (edge ?x ?y)))
                (<= (apart ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)))"""
    reasoner = Reasoner(read(source).rules)
    state = frozenset(("edge", *edge) for edge in edges)
    there = {node for edge in edges for node in edge}
    assert reasoner.holds(("path", 2), state) == naive(edges)
    assert reasoner.holds(("apart", 2), state) == {(x, y) for x in there for y in there} - naive(edges)
