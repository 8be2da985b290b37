"""The compiled game says what the reasoner says, position by position; and its random games are random."""

import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.gdl import compiled as module
from games.gdl.compiled import Compiled, compiled, parts_of
from games.gdl.grounding import Budget, GroundingError, ground
from games.gdl.reader import read
from games.gdl.reasoner import Reasoner
from games.gdl.terms import Term
from tests.games.gdl.descriptions import AT_ONCE, BLIND_ALLEY, DICE, ENDLESS, EXPONENTIAL, TURNS, WORDS

SHORTER = {"skirmish": (1, 12), "jostle": (1, 60), "checkers": (1, 60)}
"""How many games, and how long ones, where the networks are large."""
LIBRARY = sorted((Path(module.__file__).parent / "library").glob("*.kif"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    module._known.clear()


def made(source: str) -> Compiled:
    return Compiled(parts_of(ground(read(source).rules)))


def deeds(move: Term, chances: Mapping[str, Sequence[tuple[Term, int]]], rng: random.Random) -> Term:
    """A move with an event in the place of each chance variable."""
    if isinstance(move, tuple):
        return tuple([deeds(part, chances, rng) for part in move])
    if move in chances:
        events = [event for event, weight in chances[str(move)] if weight]
        return rng.choice(events)
    return move


def compare(source: str, seed: int, games: int, longest: int = 60) -> int:
    """Random games; every position has to be the same for both. How many there were."""
    reasoner, fast = Reasoner(read(source).rules), made(source)
    assert (fast.roles, fast.initial()) == (reasoner.roles, reasoner.initial())
    rng = random.Random(seed)
    seen = 0
    for _ in range(games):
        state = reasoner.initial()
        for _ in range(longest):
            legal = reasoner.legal(state)
            chances = {
                name: tuple([pair for pair in events if pair[1]]) for name, events in reasoner.chances(state).items()
            }
            assert fast.legal(state) == legal
            assert fast.is_terminal(state) == reasoner.is_terminal(state)
            assert fast.goals(state) == reasoner.goals(state)
            assert fast.chances(state) == {name: events for name, events in chances.items() if events}
            seen += 1
            if reasoner.is_terminal(state) or not all(legal):
                break
            joint = [deeds(rng.choice(moves), chances, rng) for moves in legal]
            assert fast.after(state, joint) == reasoner.after(state, joint)
            state = reasoner.after(state, joint)
    return seen


@pytest.mark.parametrize("name", WORDS)
def test_small_games_are_those_of_the_reasoner(name: str) -> None:
    assert compare(WORDS[name], seed=1, games=20) >= 40


@pytest.mark.long
@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_library_is_that_of_the_reasoner(path: Path) -> None:
    games, longest = SHORTER.get(path.stem, (3, 60))
    assert compare(path.read_text(encoding="utf-8"), seed=2, games=games, longest=longest) > 3


def carriers(pieces: int) -> str:
    """Anybody may go anywhere on a line of ten squares, and becomes another one on the last of them."""
    named = [f"(piece p{number}) (init (at {number} p{number}))" for number in range(1, pieces + 1)]
    squares = [f"(square {number})" for number in range(1, 11)]
    return f"""(role one) (init (steps 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) {" ".join(named + squares)}
        (<= (becomes ?piece ?square ?piece) (piece ?piece) (square ?square) (distinct ?square 10))
        (<= (becomes ?piece 10 p1) (piece ?piece))
        (<= (full ?square) (true (at ?square ?piece)))
        (<= (legal one (go ?from ?to)) (full ?from) (square ?to) (not (full ?to)))
        (<= (next (at ?to ?became)) (does one (go ?from ?to)) (true (at ?from ?piece)) (becomes ?piece ?to ?became))
        (<= (next (at ?square ?piece)) (true (at ?square ?piece)) (not (left ?square)))
        (<= (left ?from) (does one (go ?from ?to)))
        (<= (next (steps ?more)) (true (steps ?number)) (after ?number ?more))
        (<= terminal (true (steps 4))) (goal one 100)"""


def test_a_kind_of_piece_does_not_multiply_the_moves() -> None:
    """What starts somewhere and what becomes of it elsewhere is asked apart: 90 moves, and fewer gates for one more."""
    assert compare(carriers(4), seed=3, games=10) == 50
    few, many = (made(carriers(pieces)).sizes["gates"] for pieces in (3, 5))
    assert (many - few) / 2 < 90


# ------------------------------------------------------------------------------------------ random descriptions

NAMES = st.sampled_from(["?x", "?y", "a", "b", "c"])
CONSTANTS = ("a", "b", "c")


@st.composite
def bodies(draw: st.DrawFn, layer: int, movers: tuple[str, ...] = ()) -> tuple[str, set[str]]:
    """Conditions that are safe: a variable that no positive one binds is bound by the domain. And their variables."""
    kinds = ["true f", "true g", "distinct", "or", *[f"p{number}" for number in range(layer)]]
    kinds += ["does"] * bool(movers)
    literals, bound, used = [], set(), set()
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(kinds))
        one, other = draw(NAMES), draw(NAMES)
        text, names = {
            "true f": (f"(true (f {one}))", {one}),
            "true g": (f"(true (g {one} {other}))", {one, other}),
            "distinct": (f"(distinct {one} {other})", {one, other}),
            "does": (f"(does {draw(st.sampled_from(movers or ('r',)))} (m {one}))", {one}),
            "or": (f"(or (true (f {one})) (and (true (g {one} {other})) (not (true (f {other})))))", {one, other}),
        }.get(kind, (f"({kind} {one})", {one}))
        names = {name for name in names if name.startswith("?")}
        used |= names
        if kind != "distinct" and draw(st.integers(0, 2)) == 0:
            text = f"(not {text})"
        elif kind == "or":
            bound |= names & {one}  # what one of the alternatives leaves out is not bound
        elif kind != "distinct":
            bound |= names
        literals.append(text)
    return " ".join([*[f"(dom {name})" for name in sorted(used - bound)], *literals]), used


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    chance = draw(st.sampled_from(["none", "weights", "role"]))
    roles = ("r", "s", "random") if chance == "role" else ("r", "s")
    lines = [*[f"(role {role})" for role in roles], "(dom a) (dom b) (dom c)"]
    lines += [f"(init (f {one}))" for one in CONSTANTS if draw(st.booleans())]
    lines += [f"(init (g {one} {other}))" for one, other in product(CONSTANTS, CONSTANTS) if draw(st.booleans())]

    def rule(head: str, layer: int, movers: tuple[str, ...] = ()) -> None:
        text, names = draw(bodies(layer, movers))
        head_names = {name for name in ("?x", "?y") if name in head}
        lines.append(f"(<= {head} {' '.join(f'(dom {name})' for name in sorted(head_names - names))} {text})")

    for layer in range(3):
        for _ in range(draw(st.integers(1, 2))):
            rule(f"(p{layer} ?x)", layer)
        if draw(st.booleans()):
            lines.append(f"(<= (p{layer} ?y) (p{layer} ?x) (true (g ?x ?y)))")
    if chance == "weights":
        lines.append("(random lot 1 a)")  # so that something can always be drawn
        for event in "bc":
            rule(f"(random lot {draw(st.integers(0, 3))} {event})", 3)
        rule("(legal r (m lot))", 3)
        lines.append("(legal s (m lot))")
    for role in roles:
        rule(f"(legal {role} (m ?x))", 3)
        lines.append(f"(legal {role} (m a))")
    for head in ("(next (f ?x))", "(next (g ?x ?y))", "(next (f b))"):
        for _ in range(draw(st.integers(1, 2))):
            rule(head, 3, movers=roles)
    rule("terminal", 3)
    rule("(goal r 100)", 3)
    lines.append("(<= (goal r 0) (not (true (f a))))")
    return "\n".join(lines)


@given(descriptions(), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_random_descriptions_are_those_of_the_reasoner(source: str, seed: int) -> None:
    assert compare(source, seed, games=2, longest=5)


# ------------------------------------------------------------------------------------------------ random games


def near(found: int, number: int, chance: float) -> bool:
    """Whether a count is within five standard deviations; seeds are fixed, so this holds or fails for ever."""
    return abs(found - number * chance) < 5 * sqrt(number * chance * (1 - chance)) + 1


def win_of_the_first(pile: int) -> float:
    """The chance that whoever moves takes the last one, if both take one or two at random."""
    if pile == 0:
        return 0.0
    if pile == 1:
        return 1.0
    return 1 - (win_of_the_first(pile - 1) + win_of_the_first(pile - 2)) / 2


def test_moves_are_drawn_with_equal_chances() -> None:
    results = made(TURNS).playouts(100_000, "piles")
    assert (results.games, results.finished) == (100_000, 100_000)
    wins, losses = results.points[0][100], results.points[0][0]
    assert wins + losses == 100_000
    assert results.points[1] == {100: losses, 0: wins}
    assert near(wins, 100_000, win_of_the_first(7))


def test_roles_that_move_at_once_draw_for_themselves() -> None:
    results = made(AT_ONCE).playouts(90_000, 5)
    assert results.plies == 90_000
    for points in results.points:
        assert near(points[100], 90_000, 4 / 9)


def test_chance_is_drawn_by_its_weights() -> None:
    results = made(DICE).playouts(64_000, 1)
    assert near(results.points[0][100], 64_000, 1 - (3 / 4) ** 3)


def test_games_begin_where_one_wishes() -> None:
    game = made(TURNS)
    state = frozenset({("pile", "1"), ("control", "right")})
    results = game.playouts(1000, 1, state)
    assert (results.plies, results.points[1][100]) == (1000, 1000)


@pytest.mark.parametrize("games", [1, 2, 127, 128, 129, 1000])
def test_as_many_games_are_counted_as_were_wanted(games: int) -> None:
    results = made(TURNS).playouts(games, games)
    assert results.games == games == sum(results.points[0].values())


def test_one_lane_plays_one_game_after_another() -> None:
    results = made(TURNS).playouts(20_000, 3, lanes=1)
    assert near(results.points[0][100], 20_000, win_of_the_first(7))


def test_a_game_without_a_move_is_ended_and_not_counted_as_finished() -> None:
    results = made(BLIND_ALLEY).playouts(300, 1)
    assert (results.games, results.finished, results.plies) == (300, 0, 300)
    assert set(results.points[0].values()) == {0}


def test_a_game_without_end_is_ended() -> None:
    results = made(ENDLESS).playouts(130, 1)
    assert (results.games, results.finished, results.plies) == (130, 0, 130 * 4096)


def test_the_same_seed_gives_the_same_games_everywhere() -> None:
    """These figures were written down once; whatever changes them changes what researchers have published."""
    results = made(TURNS).playouts(1000, "seed")
    assert results == made(TURNS).playouts(1000, "seed")
    assert results != made(TURNS).playouts(1000, "other seed")
    assert (results.points[0][100], results.plies) == (541, 4889)


def test_the_same_description_gives_the_same_bytes_in_every_process() -> None:
    """Nothing may depend on the order of a set, which is another one in every process."""
    code = (
        "import hashlib; from tests.games.gdl import descriptions; from tests.games.gdl.test_compiled import made;"
        "parts = [repr(made(source)._parts) for source in descriptions.WORDS.values()];"
        "print([hashlib.sha256(part.encode()).hexdigest() for part in parts])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(outputs) == 1


# ------------------------------------------------------------------------------------------- limits and keeping


def test_a_description_that_explodes_is_refused_within_its_budget() -> None:
    with pytest.raises(GroundingError, match="more than 20000"):
        ground(read(EXPONENTIAL).rules, Budget(facts=20_000, rows=20_000))
    with pytest.raises(GroundingError, match="took longer"):
        ground(read(TURNS).rules, Budget(seconds=-1))


def test_a_game_that_foresees_is_refused() -> None:
    source = TURNS + "(<= (goal left 50) (does left (take 1)))"
    with pytest.raises(GroundingError, match="depends on what is done"):
        ground(read(source).rules)


def test_a_relation_that_denies_itself_is_refused() -> None:
    source = TURNS + "(<= (odd ?r) (role ?r) (true (control ?r)) (not (odd ?r))) (<= (goal ?r 30) (odd ?r))"
    with pytest.raises(GroundingError, match="own opposite"):
        ground(read(source).rules)


def test_facts_that_can_never_be_true_are_named() -> None:
    with pytest.raises(KeyError, match=r"\(pile 99\)"):
        made(TURNS).legal(frozenset({("pile", "99")}))


def test_what_was_compiled_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled(DICE)
    module._known.clear()
    monkeypatch.setattr(module, "ground", None)
    again = compiled(DICE)
    assert again is not first
    assert again.playouts(500, 1) == first.playouts(500, 1)
    assert again.legal(again.initial()) == first.legal(first.initial())
    assert compiled(DICE) is again


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    first = compiled(TURNS)
    (file,) = (tmp_path / "grintu" / "networks").iterdir()
    file.write_bytes(file.read_bytes()[:100])
    module._known.clear()
    assert compiled(TURNS).playouts(100, 1) == first.playouts(100, 1)


def test_a_refusal_is_remembered_and_one_for_a_small_budget_is_not() -> None:
    with pytest.raises(GroundingError, match="more than 5 facts"):
        compiled(TURNS, Budget(facts=5))
    assert compiled(TURNS).legal(compiled(TURNS).initial())
    with pytest.raises(GroundingError) as first:
        compiled(EXPONENTIAL)
    with pytest.raises(GroundingError) as second:
        compiled(EXPONENTIAL)
    assert first.value is second.value
