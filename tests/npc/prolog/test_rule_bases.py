"""Scripts play in the same seats as composed strategies, remember along the book, and cannot break a game."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import npc
from games.jostle import AGAIN, JOSTLE, KEEP, JostlePosition
from games.protocol import CHANCE
from npc import Decision, FaultKind
from npc.composed.jostle.situation import JostleSituation
from npc.player import Seed
from npc.prolog import RuleBase, ScriptError, Session
from npc.prolog import rule_base as read_rule_base
from npc.prolog.history import History
from npc.prolog.host import use_host
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.memory import DEATHS_ALLOWED, SESSIONS
from npc.prolog.session import LONGEST_SCRIPT
from npc.prolog.terms import string
from server.prolog import WasmtimeHost
from tests.npc.prolog.scripts import DICE, HONEST, LAST, OWN_HELPER, REMEMBERS, ROGUES, Rogue
from tests.npc.walks import piece_of, walk

POSITION = JOSTLE.position("4,9,28/1,-1,-1/3,-1,-1 r 4")
SIX = JOSTLE.position("4,9,28/1,-1,-1/3,-1,-1 r 6?")


def rule_base(script: str) -> RuleBase:
    return read_rule_base(script, JOSTLE)


def decided(player: RuleBase, position: JostlePosition, memory: History | None, seed: Seed, ply: int) -> Decision:
    return player.decide(position, position.to_act, memory, seed, ply)


@pytest.mark.parametrize("rogue", ROGUES, ids=lambda rogue: rogue.name)
def test_a_rogue_loses_its_decision_to_a_random_movable_piece(engine: WasmtimeHost, rogue: Rogue) -> None:
    decision = decided(rule_base(rogue.script), POSITION, None, "seed", 7)
    assert decision.fault is not None
    assert decision.fault.kind in rogue.kinds, decision.fault
    assert rogue.complaint in decision.fault.message
    situation = JostleSituation(POSITION, 0, "seed", 7)
    assert decision.move == min(situation.moves, key=situation.lot)
    assert str(decision.fault) in decision.explanation.words


def test_the_random_piece_is_drawn_uniformly(engine: WasmtimeHost) -> None:
    player = rule_base("move(_, _) :- fail.\n")
    chosen = [piece_of(decided(player, POSITION, None, "seed", ply)) for ply in range(400)]
    assert set(chosen) == {0, 1}
    assert abs(chosen.count(0) - 200) < 4 * (400 / 4) ** 0.5


def test_without_an_engine_the_decision_is_lost_and_says_so(engine: WasmtimeHost) -> None:
    use_host(None)
    decision = decided(rule_base(LAST), POSITION, None, 0, 0)
    assert decision.fault is not None
    assert decision.fault.kind is FaultKind.NO_ENGINE


def test_the_facts_are_those_of_the_interface(engine: WasmtimeHost) -> None:
    wanted = (
        "die(4), board(-1, n), board(0, start), board(6, 'switch@1'), board(14, 'switch@1'), board(18, 'switch@2'), "
        "board(22, 'back@3'), board(26, 'goal@1'), board(30, 'goal@5'), \\+ board(31, _), "
        "state(-1, [[1, 4], [1, 5], [2, 7], [2, 8]]), state(4, [[0, 0]]), state(28, [[0, 2]]), \\+ state(5, _)"
    )
    player = rule_base(f"move(Owner, [9, 1, Owner]) :- {wanted}.\n")
    assert decided(player, POSITION, None, 0, 0).fault is None


@pytest.mark.parametrize(
    "goal",
    [
        "allStates([[4, 0, 0], [9, 1, 0], [28, 2, 0]], 0)",
        "movablePieces(0, [[4, 0, 0], [9, 1, 0]])",
        "stateSearch(3, 6, 2)",
        "boardsize(30), goalsize(4)",
        "goalTile(26), \\+ goalTile(25)",
        "backTile(6), \\+ backTile(4), backField(10), \\+ backField(14)",
        "lowerSwitch(6), \\+ lowerSwitch(14), specialTile(22), \\+ specialTile(0), carried(13, 18)",
        "minTile(6, 'switch@'), minTile(13, 'switch@'), \\+ minTile(14, 'switch@')",
        "startsWith('goal@', 'goal@3'), \\+ startsWith('back', n)",
        "opponentOn(3, 0, 2), \\+ opponentOn(4, 0, _), \\+ opponentOnGoal(0), opponentOnGoal(1)",
        "landing([9, 1, 0], 13), \\+ strikes([9, 1, 0], _)",
        "spanAfter([4, 0, 0], 20), outcome([9, 1, 0], Places), member(1-18, Places)",
        "keepBest(far, [[4, 0, 0], [9, 1, 0]], [[9, 1, 0]])",
        "aggregate_all(count, board(_, n), 19), aggregate_all(max(F), board(F, _), 30)",
        "rand_int(6, N), N >= 0, N < 6, random_member(M, [a]), M == a",
        "\\+ lastMoved(0, _), offenders(0, [])",
    ],
)
def test_the_helpers_do_what_they_say(engine: WasmtimeHost, goal: str) -> None:
    script = f"move(Owner, [9, 1, Owner]) :- {goal}.\nfar([F, _, _], R) :- R is -F.\n"
    decision = decided(rule_base(script), POSITION, None, 0, 0)
    assert decision.fault is None, decision.fault


def test_a_script_may_define_what_we_also_have(engine: WasmtimeHost) -> None:
    decision = decided(rule_base(OWN_HELPER), POSITION, None, 0, 0)
    assert (piece_of(decision), decision.fault) == (0, None)


def test_a_script_that_only_has_worth_gets_the_rest_from_us(engine: WasmtimeHost) -> None:
    player = rule_base(LAST)
    assert player.name == "Takes the last"
    assert piece_of(decided(player, POSITION, None, 0, 0)) == 1
    assert decided(player, SIX, None, 0, 0).move is AGAIN
    late = JOSTLE.position("4,19,28/1,-1,-1/3,-1,-1 r 6?")
    assert decided(player, late, None, 1, 0).move is KEEP


def decisions(player: RuleBase, seat: int, seed: int, forget_every: int = 0) -> list[str]:
    """What a player answers in a seat along a random game that others play."""
    memory = player.start_memory()
    found: list[str] = []
    for ply, position, move in walk(seed):
        if position.to_act == seat and JOSTLE_VOCABULARY.asks(position, seat):
            if forget_every and len(found) % forget_every == 0:
                SESSIONS.clear()
            decision = decided(player, position, memory, seed, ply)
            assert decision.move in position.moves()
            found.append(f"{decision.move} {decision.fault}")
        memory = player.remember(memory, position, move)
    return found


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6), seat=st.integers(0, 2))
@pytest.mark.parametrize("script", [REMEMBERS, DICE])
def test_memory_is_restored_by_asking_again(script: str, seed: int, seat: int, running_engine: WasmtimeHost) -> None:
    use_host(running_engine)
    player = rule_base(script)
    SESSIONS.clear()
    whole = decisions(player, seat, seed)
    SESSIONS.clear()
    assert decisions(player, seat, seed, forget_every=4) == whole


def test_asking_twice_changes_nothing(engine: WasmtimeHost) -> None:
    player = rule_base(REMEMBERS)
    memory = player.start_memory()
    for ply, position, move in walk(3):
        if position.to_act != CHANCE:
            first = decided(player, position, memory, 3, ply)
            assert decided(player, position, memory, 3, ply) == first
        memory = player.remember(memory, position, move)


def test_two_seats_and_two_matches_have_their_own_memory(engine: WasmtimeHost) -> None:
    player = rule_base(REMEMBERS)
    alone = decisions(player, 0, 5)
    SESSIONS.clear()
    memory, found = player.start_memory(), []
    for ply, position, move in walk(5):
        if position.to_act != CHANCE:
            decision = decided(player, position, memory, 5, ply)
            decided(player, position, memory, "another match", ply)
            if position.to_act == 0:
                found.append(f"{decision.move} {decision.fault}")
        memory = player.remember(memory, position, move)
    assert found == alone


def test_a_script_that_keeps_breaking_limits_is_not_asked_any_more(engine: WasmtimeHost) -> None:
    player = rule_base("move(_, _) :- again.\nagain :- again.\nrollDieAgain(_) :- fail.\n")
    memory, kinds = player.start_memory(), []
    for ply, position, move in walk(11):
        if position.to_act == 1 and len(position.moves()) > 1:
            fault = decided(player, position, memory, 11, ply).fault
            kinds.append(fault.kind if fault else None)
        memory = player.remember(memory, position, move)
        if len(kinds) > 8:
            break
    asked = [kind for kind in kinds if kind is not None]
    assert asked[:DEATHS_ALLOWED] == [FaultKind.LIMIT] * DEATHS_ALLOWED
    assert set(asked[DEATHS_ALLOWED:]) == {FaultKind.OUT}


def test_a_question_that_kills_the_engine_leaves_no_trace(engine: WasmtimeHost) -> None:
    deadly = REMEMBERS.replace("move(Owner, Choice) :-", "move(_, _) :- turns(2), kill.\nmove(Owner, Choice) :-")
    player = rule_base(deadly + "kill :- retract(turns(_)), assertz(turns(9)), halt.\n")
    answers = decisions(player, 0, 8)
    broken = [number for number, answer in enumerate(answers) if " limit: " in answer]
    assert len(broken) == DEATHS_ALLOWED, "the memory stays at two turns, so the question kills every time"
    assert all(" out: " in answer for answer in answers[broken[-1] + 1 :])


def test_a_script_cannot_be_longer_than_allowed(engine: WasmtimeHost) -> None:
    with pytest.raises(ScriptError, match="at most"):
        Session(engine, "%" * (LONGEST_SCRIPT + 1), JOSTLE, JOSTLE_VOCABULARY)


@given(st.text())
def test_every_text_can_be_written_as_a_prolog_string(text: str) -> None:
    written = string(text)
    assert written.startswith('"')
    assert written.endswith('"')
    assert "\n" not in written


@settings(max_examples=25, deadline=None)
@given(text=st.text(max_size=200))
def test_no_text_at_all_breaks_a_game(text: str, running_engine: WasmtimeHost) -> None:
    use_host(running_engine)
    decision = decided(rule_base(text), POSITION, None, 0, 0)
    assert decision.move in POSITION.moves()


def test_players_are_read_from_their_kind_and_body() -> None:
    assert isinstance(npc.player("composed:observing, pals", "jostle"), npc.Strategy)
    for script in HONEST:
        found = npc.player(f"prolog:{script}", "jostle")
        assert isinstance(found, RuleBase)
        assert (found.script, found.text) == (script, f"prolog:{script}")
        assert found.heavy and not found.repeatable_in_browsers
    for nobody in ("hello world", "observing pals", "chess:e4", LAST):
        with pytest.raises(npc.PlayerError, match="a player is written"):
            npc.player(nobody, "jostle")
