"""Every element does what its definition says, in positions where it matters."""

from dataclasses import dataclass
from itertools import pairwise

import pytest

import npc
from games.jostle import JOSTLE, JostlePosition, Piece, StepKind, effects
from npc import Strategy
from npc.composed.composition import partition
from npc.composed.jostle import ELEMENTS
from npc.composed.jostle.situation import JostleSituation, struck
from npc.player import Memory
from tests.npc.walks import piece_of, walk


def at(text: str) -> JostlePosition:
    return JOSTLE.position(text)


def piece(name: str, text: str, memory: Memory = None, seed: int = 0) -> int | None:
    player = npc.strategy(name, JOSTLE)
    position = at(text)
    return piece_of(player.decide(position, position.to_act, memory or player.start_memory(), seed, 0))


@dataclass(frozen=True)
class Case:
    strategy: str
    position: str
    chosen: int
    why: str


CASES = (
    Case("ADVANCER", "4,9,-1/1,-1,-1/3,-1,-1 r 4", 1, "the most advanced"),
    Case("ADVANCER", "4,28,-1/1,-1,-1/3,-1,-1 r 4", 0, "a piece on a goal cannot move"),
    Case("ADVANCER", "4,25,-1/1,-1,-1/3,-1,-1 r 8", 0, "no piece passes the last field"),
    Case("PALS", "4,9,2/1,-1,-1/3,-1,-1 r 4", 2, "the least advanced"),
    Case("PALS", "4,9,-1/1,-1,-1/3,-1,-1 r 4", 2, "the stack is behind START"),
    Case("EQUALIZER", "4,9,2/1,-1,-1/3,-1,-1 r 4", 0, "the cycle begins with the lowest id"),
    Case("EQUALIZER", "28,9,2/1,-1,-1/3,-1,-1 r 4", 1, "pieces that cannot move are skipped"),
    Case("EQUALIZER", "4,9,2/1,-1,-1/3,-1,-1 g 4", 3, "every seat has its own cycle"),
    Case("Observing ADVANCER", "2,8,-1/1,-1,-1/3,-1,-1 r 4", 0, "2 lands on 6, the lower end of a switch"),
    Case("Observing ADVANCER", "2,6,-1/1,-1,-1/3,-1,-1 r 4", 0, "6 would land on MINUS THREE, 2 takes the switch"),
    Case("Observing ADVANCER", "3,6,-1/1,-1,-1/2,-1,-1 r 4", 0, "MINUS THREE only if nothing else can move"),
    Case("Observing ADVANCER", "28,6,27/1,-1,-1/2,-1,-1 r 4", 1, "nothing else can move"),
    Case("Observing ADVANCER", "3,10,-1/1,-1,-1/2,-1,-1 r 4", 1, "14 is an upper end: neither preferred nor avoided"),
    Case("Observing EQUALIZER", "8,2,-1/1,-1,-1/3,-1,-1 r 4", 1, "2 takes the switch, out of turn"),
    Case("Observing PALS", "4,7,2/1,-1,-1/3,-1,-1 r 4", 0, "2 would land on a switch; 0 leaves 6, 1 leaves 9"),
    Case("Observing PALS", "9,4,3/1,-1,-1/0,-1,-1 r 2", 2, "2 leaves 5 fields, the others 6 and 8"),
    Case("Aggressive ADVANCER", "4,9,-1/8,-1,-1/3,-1,-1 r 4", 0, "4 lands on green's 8"),
    Case("Aggressive ADVANCER", "2,9,-1/14,-1,-1/3,-1,-1 r 4", 0, "2 is carried from 6 to green's 14"),
    Case("Aggressive ADVANCER", "4,9,8/20,-1,-1/3,-1,-1 r 4", 1, "own pieces do not count"),
    Case("Aggressive PALS", "4,9,-1/8,-1,-1/13,-1,-1 r 4", 0, "both 0 and 1 hit; PALS decides between them"),
    Case("Lingering PALS", "4,9,2/25,-1,-1/3,-1,-1 r 4", 2, "nobody on a goal: PALS"),
    Case("Lingering PALS", "4,9,2/26,-1,-1/3,-1,-1 r 4", 1, "green on a goal: ADVANCER"),
    Case("Lingering PALS", "4,26,2/25,-1,-1/3,-1,-1 r 4", 2, "an own piece on a goal is no alarm"),
    Case("Lingering PALS EQUALIZER", "4,9,2/26,-1,-1/3,-1,-1 r 4", 0, "the next basic strategy of the list instead"),
    Case("Lingering Observing PALS", "2,8,7/26,-1,-1/3,-1,-1 r 4", 0, "Observing serves the host of the moment"),
    Case("Lingering Observing PALS", "2,8,7/25,-1,-1/3,-1,-1 r 4", 2, "while calm, PALS avoids the switch"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.strategy}: {case.why}")
def test_an_element_chooses_as_defined(case: Case) -> None:
    assert piece(case.strategy, case.position) == case.chosen


def test_the_pool_begins_with_the_eight_documented_elements_each_under_its_name() -> None:
    assert list(ELEMENTS) == [element.name for element in ELEMENTS.values()]
    documented = "RANDOMIZER ADVANCER PALS EQUALIZER Observing Aggressive Revenging Lingering"
    assert list(ELEMENTS)[:8] == documented.split()
    assert {name for name in ELEMENTS if ELEMENTS[name].is_basic} == {name for name in ELEMENTS if name.isupper()}


def test_randomizer_draws_every_movable_piece_equally_often() -> None:
    counts = dict.fromkeys(range(3), 0)
    for seed in range(3000):
        drawn = piece("RANDOMIZER", "4,9,2/1,-1,-1/3,-1,-1 r 4", seed=seed)
        assert drawn is not None
        counts[drawn] += 1
    assert all(abs(count - 1000) < 4 * (3000 * 1 / 3 * 2 / 3) ** 0.5 for count in counts.values()), counts


def test_randomizer_is_uniform_among_what_is_left_tied() -> None:
    chosen = [piece("Aggressive RANDOMIZER", "4,9,-1/8,-1,-1/13,-1,-1 r 4", seed=seed) for seed in range(2000)]
    assert set(chosen) == {0, 1}
    assert abs(chosen.count(0) - 1000) < 4 * (2000 / 4) ** 0.5


def test_equalizer_goes_round_whatever_the_dice_say() -> None:
    player = npc.strategy("EQUALIZER", JOSTLE)
    memory = player.start_memory()
    moved: list[int] = []
    for ply, position, move in walk("cycle"):
        if position.to_act == 1 and isinstance(move, Piece):
            decision = player.decide(position, position.to_act, memory, 0, ply)
            if moved and len(position.moves()) == 3:
                assert piece_of(decision) == 3 + (moved[-1] - 3 + 1) % 3
            moved.append(move.id)
        memory = player.remember(memory, position, move)
    assert len(moved) > 5


def after(moves: str, player: Strategy) -> tuple[JostlePosition, Memory]:
    position, memory = JOSTLE.start(), player.start_memory()
    for text in moves.split():
        move = JOSTLE.move(text)
        memory = player.remember(memory, position, move)
        position = position.play(move)
    return position, memory


def test_revenging_leaves_the_innocent_alone_and_hits_the_latest_offender_first() -> None:
    player = npc.strategy("Revenging PALS", JOSTLE)
    # Red enters on 4; green lands there and displaces it.
    peace, nothing = after("5 p0 2 p3 4 p6", player)
    war, grudge = after("5 p0 5 p3 3 p6", player)
    board = "4,3,9/8,7,-1/13,-1,-1 r 4"
    assert piece_of(player.decide(at(board), 0, nothing, 0, 0)) == 1, "no grudge: the last piece, as PALS"
    assert piece_of(player.decide(at(board), 0, grudge, 0, 0)) == 1, "3 lands on green's 7, and so does PALS's choice"
    board = "4,3,9/8,6,-1/13,-1,-1 r 4"
    assert piece_of(player.decide(at(board), 0, grudge, 0, 0)) == 0, "4 lands on green's 8"
    assert piece_of(player.decide(at(board), 0, nothing, 0, 0)) == 1
    board = "4,3,9/2,-1,-1/8,13,-1 r 4"
    assert piece_of(player.decide(at(board), 0, grudge, 0, 0)) == 1, "blue has done nothing"
    assert peace.pieces != war.pieces


def test_revenging_forgets_nobody_but_prefers_the_latest() -> None:
    player = npc.strategy("Revenging PALS", JOSTLE)
    _, memory = after("5 p0 5 p3 4 p6 2 p1 4 p4 3 p7", player)
    offenders = memory[0][0]
    assert set(offenders) <= {1, 2}
    both = (((2, 1), (), ()), None)
    board = "4,3,9/8,-1,-1/13,-1,-1 r 4"
    assert piece_of(player.decide(at(board), 0, both, 0, 0)) == 2, "blue, the latest, stands on 13"
    assert piece_of(player.decide(at(board), 0, (((1, 2), (), ()), None), 0, 0)) == 0


def test_only_what_the_mover_itself_displaces_counts_as_struck() -> None:
    seen = 0
    for seed in range(60):
        for _, position, move in walk(seed):
            if not isinstance(move, Piece):
                continue
            steps = effects(position, move.id)
            own = [steps[0], *(s for s in steps[1:2] if s.kind is not StepKind.JOSTLE and s.piece == move.id)]
            expected = {step.displaced for step in own if step.displaced is not None}
            assert set(struck(position.layout, position.pieces, move.id, position.points)) == expected
            seen += bool(expected)
    assert seen > 200


def test_partitions_are_ordered_and_complete() -> None:
    player = npc.strategy("ADVANCER", JOSTLE)
    for ply, position, move in walk("partition"):
        if not isinstance(move, Piece):
            continue
        situation = JostleSituation(position, position.to_act, 0, ply)
        for element in ELEMENTS.values():
            memory = element.start_memory()
            classes = partition(element, situation, memory, player.host)
            assert sorted((m for c in classes for m in c), key=str) == list(situation.moves)
            ranks = [element.rank(situation, c[0], memory, player.host) for c in classes]
            assert all(a < b for a, b in pairwise(ranks))
