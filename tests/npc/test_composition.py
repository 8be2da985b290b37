"""Any list that the rules allow plays, is named exactly, and explains itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import npc
from games.jostle import AGAIN, JOSTLE, KEEP, PASS
from games.jostle import STANDARD as LAYOUT
from games.protocol import CHANCE, OVER
from npc import Strategy, StrategyError
from npc.composed.jostle import ELEMENTS
from npc.composed.jostle.names import field_name
from tests.npc.walks import composed, piece_of, walk


@settings(max_examples=60, deadline=None)
@given(composed(), st.integers(0, 10**9))
def test_every_list_decides_legally_in_every_reachable_position(player: Strategy, seed: int) -> None:
    memory = player.start_memory()
    for ply, position, move in walk(seed):
        if position.to_act != CHANCE:
            decision = player.decide(position, position.to_act, memory, seed, ply)
            assert decision.move in position.moves()
            assert decision.fault is None
        memory = player.remember(memory, position, move)


@settings(max_examples=30, deadline=None)
@given(composed(), st.integers(0, 10**9))
def test_a_decision_can_be_repeated_from_the_record(player: Strategy, seed: int) -> None:
    """Two who followed the same public history remember the same and decide the same."""
    game = list(walk(seed))
    memory = player.start_memory()
    for ply, position, move in game:
        if position.to_act != CHANCE and ply % 7 == 0:
            again = player.start_memory()
            for _, earlier, played in game[:ply]:
                again = player.remember(again, earlier, played)
            assert again == memory
            assert hash(again) == hash(memory)
            first, second = (player.decide(position, position.to_act, known, seed, ply) for known in (memory, again))
            assert first == second
            assert first.explanation == second.explanation
        memory = player.remember(memory, position, move)


@given(composed())
def test_the_name_is_the_list(player: Strategy) -> None:
    assert npc.strategy(player.name, JOSTLE) == player
    assert npc.strategy(player.name.lower().replace(" ", ","), JOSTLE) == player
    assert npc.strategy(player.name.upper(), JOSTLE).name == player.name


def test_the_order_of_the_list_matters_and_shows_in_the_name() -> None:
    first, second = npc.strategy("Observing PALS", JOSTLE), npc.strategy("PALS Observing", JOSTLE)
    assert (first.name, second.name) == ("Observing PALS", "PALS Observing")
    position = JOSTLE.position("4,7,2/1,-1,-1/3,-1,-1 r 4")
    assert piece_of(first.decide(position, 0, first.start_memory(), 0, 0)) == 0
    assert piece_of(second.decide(position, 0, second.start_memory(), 0, 0)) == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "list of elements"),
        ("  , ", "list of elements"),
        ("Observing", "needs a basic element"),
        ("PALS PALS", "repeats PALS"),
        ("OBSERVER PALS", "'OBSERVER' is no element"),
        (" ".join(ELEMENTS), "leaves out at least one"),
    ],
)
def test_what_is_no_strategy_is_refused_with_the_reason(text: str, complaint: str) -> None:
    with pytest.raises(StrategyError, match=complaint):
        npc.strategy(text, JOSTLE)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("17,28,-1/1,-1,-1/3,-1,-1 r 6?", AGAIN),
        ("18,28,-1/1,-1,-1/3,-1,-1 r 6?", KEEP),
        ("26,27,28/1,-1,-1/3,-1,-1 r 6?", KEEP),
    ],
)
def test_after_a_six_it_rolls_again_below_the_last_field_minus_twelve(position: str, move: object) -> None:
    player = npc.strategy("ADVANCER", JOSTLE)
    decision = player.decide(JOSTLE.position(position), 0, player.start_memory(), 0, 0)
    assert decision.move is move
    assert ("Rolls again" in decision.explanation.words) is (move is AGAIN)


def test_it_passes_when_nothing_can_move() -> None:
    player = npc.strategy("PALS", JOSTLE)
    decision = player.decide(JOSTLE.position("26,27,28/1,-1,-1/3,-1,-1 r 5"), 0, player.start_memory(), 0, 0)
    assert decision.move is PASS
    assert decision.explanation.words == "No piece can move."


def test_nobody_decides_while_chance_acts_or_when_all_is_over() -> None:
    player = npc.strategy("PALS", JOSTLE)
    for text in ("4,9,2/1,-1,-1/3,-1,-1 r", "26,27,28/29,30,-1/3,-1,-1 -"):
        position = JOSTLE.position(text)
        assert position.to_act in (CHANCE, OVER)
        with pytest.raises(ValueError, match="no seat decides"):
            player.decide(position, position.to_act, player.start_memory(), 0, 0)


def test_an_explanation_tells_who_decided_and_why() -> None:
    player = npc.strategy("Aggressive Observing PALS", JOSTLE)
    decision = player.decide(JOSTLE.position("4,9,-1/8,-1,-1/13,-1,-1 r 4"), 0, player.start_memory(), 0, 0)
    explanation = decision.explanation
    assert explanation.decided_by == "Observing"
    assert [each.element for each in explanation.narrowings] == ["Aggressive", "Observing"]
    assert explanation.narrowings[0].kept == ("p0", "p1")
    assert "piece 1: displaces Green 1" in explanation.words, "as the board calls them"
    assert f"So it is piece {(piece_of(decision) or 0) + 1}, decided by Observing." in explanation.words


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (
            "-1,9,0/8,-1,-1/13,-1,-1 r 4",
            ("piece 1: stands on the stack", "piece 2: stands on field 9", "stands on START"),
        ),
        ("6,27,0/8,-1,-1/13,-1,-1 g 4", ("piece 1: stands on field 8", "piece 2 and piece 3: stands on the stack")),
    ],
)
def test_an_explanation_uses_the_names_of_the_board(position: str, words: tuple[str, ...]) -> None:
    at = JOSTLE.position(position)
    player = npc.strategy("PALS", JOSTLE)
    told = player.decide(at, at.to_act, player.start_memory(), 0, 0).explanation.words
    assert all(each in told for each in words), told


def test_every_field_has_the_name_that_the_board_gives_it() -> None:
    names = [field_name(LAYOUT, field) for field in range(-1, LAYOUT.fields)]
    assert names[:2] == ["the stack", "START"]
    assert names[-len(LAYOUT.goals) :] == [f"goal {points}" for points in LAYOUT.goals]
    assert {names[field + 1] for pair in LAYOUT.switches for field in pair} == {
        f"switch {field}" for pair in LAYOUT.switches for field in pair
    }
    assert all(names[field + 1] == f"minus-three field {field}" for field in LAYOUT.minus_three)


@settings(max_examples=30, deadline=None)
@given(composed(), st.integers(0, 10**9))
def test_every_decision_can_be_explained_and_the_explanation_agrees(player: Strategy, seed: int) -> None:
    memory = player.start_memory()
    for ply, position, move in walk(seed):
        if position.to_act != CHANCE and ply % 5 == 0:
            decision = player.decide(position, position.to_act, memory, seed, ply)
            explanation = decision.explanation
            assert explanation.words
            if explanation.narrowings:
                kept = explanation.narrowings[-1].kept
                assert len(kept) == 1
                assert kept == (str(decision.move),) or decision.move in (AGAIN, KEEP)
                assert explanation.decided_by in {each.element for each in explanation.narrowings if each.decided}
        memory = player.remember(memory, position, move)


def test_a_strategy_is_described_in_words() -> None:
    words = npc.explain_in_words(npc.strategy("Lingering Aggressive PALS", JOSTLE))
    assert "1. Lingering plays its host" in words
    assert "3. PALS moves the least advanced" in words
    assert "While an opponent stands on a goal it plays Lingering Aggressive ADVANCER." in words
