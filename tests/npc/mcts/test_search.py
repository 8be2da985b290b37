"""What the search finds, where it is known what there is to find."""

from collections import Counter

import pytest

from games.protocol import Game, Position, Seat
from games.registry import game as find_game
from games.ten.rules import TEN
from games.tic_tac_toe.rules import TIC_TAC_TOE
from games.tricks.rules import TRICKS
from kernels.chance import draw_below, draw_fraction, seeded
from npc import Follower, read_player
from npc.mcts import Generator, Tried, search
from npc.mcts.parameters import read_parameters
from npc.mcts.search import biased
from tests.games.diggers import DIGGERS
from tests.games.selection import VARIED
from tests.npc.made_up import AtOnce, InTurn
from tests.npc.perfect import never_loses
from tests.npc.walks import walk


def decided(text: str, position: Position, seed: object = 0, game: Game = TIC_TAC_TOE) -> str:
    seat = position.to_act
    return str(read_player(f"mcts:{text}", game).decide(position.view(seat), seat, None, str(seed), 0).move)


def searched(text: str, position: Position, seat: Seat = 0, seed: str = "") -> dict[str, Tried]:
    found = search(position, seat, read_parameters(text), Generator(seeded(seed)))
    return {str(each.move): each for each in found}


# ------------------------------------------------------------------------------------------------------ what is known


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost_against_any_play(seat: Seat) -> None:
    never_loses(read_player("mcts:", TIC_TAC_TOE), seat)


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("xx./oo./...", "c1", "wins at once"),
        ("xx./o../..o", "c1", "wins at once"),
        ("x../.o./..x", "b1 a2 c2 b3", "a corner would lose to a fork"),
        ("x.o/.../..x", "a3 b2", "forks, or all but"),
    ],
)
def test_wins_and_defences_are_found(text: str, move: str, why: str) -> None:
    position = TIC_TAC_TOE.position(text)
    assert {decided("simulations=600", position, seed) for seed in range(8)} <= set(move.split()), why


@pytest.mark.parametrize("text", ["", "rave=50 grave=20", "epsilon=0.7", "rave=20 epsilon=0.5 horizon=3"])
def test_a_win_at_once_is_found_with_every_way_of_learning(text: str) -> None:
    position = TIC_TAC_TOE.position("xx./oo./...")
    assert {decided(f"simulations=300 {text}", position, seed) for seed in range(10)} == {"c1"}


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("1,2,3,4 0/0 a", "draw", "nothing is lost by a first card"),
        ("0,2,0,3 4/10! a", "draw", "stopping loses for sure"),
        ("0,0,1,3 9/6! a", "stop", "it is ahead, and a card would be too much"),
    ],
)
def test_chance_is_weighed(text: str, move: str, why: str) -> None:
    position = TEN.position(text)
    assert {decided("simulations=300", position, seed, TEN) for seed in range(8)} == {move}, why


def test_a_move_is_worth_the_mean_of_what_chance_makes_of_it() -> None:
    """One of the four cards that are left makes it a draw, the others are too much; stopping loses."""
    found = searched("simulations=2000 tree_discount=1 charge_discount=1", TEN.position("1,0,0,3 8/9! a"))
    assert found["draw"].value == pytest.approx(50 / 4, abs=2)
    assert found["stop"].value == 0


PAPER_SCISSORS = AtOnce(
    (("rock", "paper", "scissors"),) * 2,
    tuple((50.0 + 50 * won, 50.0 - 50 * won) for won in (0, -1, 1, 1, 0, -1, -1, 1, 0)),
)
"""Rock, paper, scissors: nothing is better than a mixture."""

DILEMMA = AtOnce((("deny", "confess"),) * 2, ((70.0, 70.0), (0.0, 100.0), (100.0, 0.0), (30.0, 30.0)))
"""The prisoners' dilemma: confessing is better whatever the other does."""


def test_where_nothing_is_best_by_itself_moves_are_mixed() -> None:
    moves = Counter(decided("simulations=300", PAPER_SCISSORS, seed) for seed in range(150))
    assert set(moves) == {"rock", "paper", "scissors"}
    assert max(moves.values()) < 90


def test_what_is_better_whatever_the_others_do_is_chosen() -> None:
    assert {decided("simulations=300", DILEMMA, seed) for seed in range(20)} == {"confess"}


def test_a_seat_that_moves_second_at_the_same_time_does_not_know_the_first_move() -> None:
    """Matching pennies: who knew the other's choice would always win."""
    pennies = AtOnce((("heads", "tails"),) * 2, ((100.0, 0.0), (0.0, 100.0), (0.0, 100.0), (100.0, 0.0)))
    found = searched("simulations=1000 tree_discount=1 charge_discount=1", pennies, seat=1)
    assert all(35 < each.value < 65 for each in found.values())


def test_one_seat_alone_finds_the_best_end() -> None:
    puzzle = InTurn(1, {"a": {"a": (10.0,), "b": (20.0,)}, "b": {"a": (0.0,), "b": {"a": (90.0,), "b": (0.0,)}}})
    assert {decided("simulations=200", puzzle, seed) for seed in range(10)} == {"b"}


def test_each_of_four_seats_looks_after_itself() -> None:
    """The last seat decides between ends that are the same to it only if seat 0 takes the right way."""
    ends = {"mine": (100.0, 0.0, 0.0, 40.0), "yours": (0.0, 0.0, 0.0, 60.0)}
    gift = {"mine": (80.0, 0.0, 0.0, 60.0), "yours": (0.0, 0.0, 0.0, 40.0)}
    table = InTurn(4, {"trap": {"on": {"on": ends}}, "gift": {"on": {"on": gift}}})
    assert {decided("simulations=300", table, seed) for seed in range(10)} == {"gift"}


# ----------------------------------------------------------------------------------------------- nothing is peeked at


@pytest.mark.parametrize("seat", [0, 1])
def test_histories_that_look_alike_give_the_same_decision(seat: Seat) -> None:
    """The other's hand differs in every deal, and nothing that is told to the seat does."""
    deals = (
        [f"deal 1,4,6,9,12/{other}" for other in ("2,3,5,7,8", "5,7,8,10,11", "2,3,7,10,11")],
        [f"deal {other}/1,4,6,9,12" for other in ("2,3,5,7,8", "5,7,8,10,11", "2,3,7,10,11")],
    )[seat]
    decisions = []
    for deal in deals:
        follower = Follower(TRICKS, read_player("mcts:simulations=150", TRICKS), "seed", seat)
        follower.catch_up([deal])
        first = follower.decide(seat)
        follower.catch_up([deal, *(("12", "7") if seat == 0 else ("7", "12"))])
        decisions.append((first, follower.decide(seat)))
    assert decisions[0] == decisions[1] == decisions[2]


def test_hidden_cards_are_reckoned_with() -> None:
    """Whatever the other holds of 2, 3, 4 and 5, 12 takes a trick and 1 none: only the last trick is enough to win."""
    view = TRICKS.position("1,12/?,? 11-10,9-8,6-7").view(0)
    assert view.worlds(0) == 6
    assert {decided("simulations=200", view, seed, TRICKS) for seed in range(10)} == {"1"}


# --------------------------------------------------------------------------------------------------- what parameters do


def test_always_mistaken_means_any_move() -> None:
    position = TIC_TAC_TOE.position("xx./oo./...")
    moves = Counter(decided("simulations=50 random_error=1", position, seed) for seed in range(300))
    assert len(moves) == 5
    assert max(moves.values()) < 100


def test_who_is_nice_takes_the_second_best() -> None:
    choice = InTurn(2, {"best": (80.0, 20.0), "good": (60.0, 40.0), "bad": (10.0, 90.0)})
    assert decided("simulations=60", choice) == "best"
    assert decided("simulations=60 nice_threshold=15", choice) == "best", "too much to give away"
    assert decided("simulations=60 nice_threshold=30", choice) == "good"


def test_discounts_prefer_the_quick_way() -> None:
    slow = {"on": {"on": {"on": (100.0, 0.0)}}}
    ways = InTurn(2, {"slow": slow, "quick": (100.0, 0.0)})
    found = searched("simulations=100 tree_discount=0.9", ways)
    assert found["quick"].value == 100
    assert found["slow"].value < 95
    found = searched("simulations=100 horizon=1 charge_discount=0.9", ways)
    assert found["slow"].value == pytest.approx(100 * 0.9**3)
    found = searched("simulations=100 tree_discount=1 charge_discount=1", ways)
    assert found["slow"].value == found["quick"].value == 100


def test_a_play_out_that_is_cut_off_counts_what_the_personality_thinks() -> None:
    long = InTurn(2, {"a": {"a": {"a": {"a": (100.0, 0.0)}}}, "b": {"a": {"a": {"a": (0.0, 100.0)}}}})
    found = searched("simulations=30 horizon=1 charge_depth=2 charge_defaults=44/36", long)
    assert [each.value for each in found.values()] == [44.0, 44.0]
    found = searched("simulations=30 horizon=1 charge_depth=3 charge_discount=1", long)
    assert [each.value for each in found.values()] == [100.0, 0.0]


def test_a_tree_of_one_move_averages_what_others_may_do() -> None:
    """Behind `risky` the other seat has three good answers and a bad one, and a deeper tree knows which it takes."""
    ways = InTurn(2, {"sure": (45.0, 55.0), "risky": {"a": (0.0, 100.0), "b": (70.0, 30.0), "c": (70.0, 30.0)}})
    assert decided("simulations=500 horizon=1", ways) == "risky"
    assert decided("simulations=500 horizon=5", ways) == "sure"


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (100.0, {100.0}),
        (85.5, {85.5}),
        (85.0, {100.0}),
        (60.5, {100.0}),
        (60.0, {100.0, 30.0}),
        (35.0, {70.0, 17.5}),
        (34.0, {17.0}),
        (0.0, {0.0}),
    ],
)
def test_results_are_biased_by_how_good_they_are(goal: float, expected: set[float]) -> None:
    """Aggressiveness doubles what is good, defensiveness halves what is bad, and between 35 and 60 a lot decides."""
    chance = Generator(seeded("bias"))
    assert {biased(goal, 2.0, 0.5, chance) for _ in range(50)} == expected


def test_later_moves_are_learnt_from_only_where_that_is_asked_for() -> None:
    """With much trust in what moves did later, one that did well everywhere is tried most."""
    trusting = searched("simulations=200 rave=5000", TIC_TAC_TOE.start())
    doubting = searched("simulations=200", TIC_TAC_TOE.start())
    assert max(each.visits for each in trusting.values()) > max(each.visits for each in doubting.values())
    assert all(each.visits for each in trusting.values()), "at first, every move is tried once"


# --------------------------------------------------------------------------------------------------------- every game


@pytest.mark.parametrize("rules", [*map(find_game, VARIED), DIGGERS], ids=lambda rules: rules.reference)
def test_it_plays_every_game_legally_repeatably_with_values_and_words(rules: Game) -> None:
    player = read_player("mcts:simulations=12 rave=100 grave=3 epsilon=0.5", rules)
    for seat in range(len(rules.seats)):
        follower = Follower(rules, player, "seed", seat)
        for ply, position, move in walk(f"search {seat}", rules):
            if seat in position.acting and ply < 4:
                decision = follower.decide(seat)
                legal = position.moves(seat)
                assert decision.move in legal
                assert decision == follower.decide(seat)
                if len(legal) > 1:
                    assert tuple(each for each, _ in decision.values) == legal
                    assert all(0 <= value <= 100 for _, value in decision.values)
                    assert decision.explanation.words.startswith("Saw 12 games; ")
                else:
                    assert decision.explanation.words == f"Only {legal[0]} is possible."
            follower.follow([move])


def test_it_says_what_it_saw() -> None:
    decision = read_player("mcts:simulations=60", TIC_TAC_TOE).decide(
        InTurn(2, {"best": (80.0, 20.0), "good": (60.0, 40.0), "bad": (10.0, 90.0)}), 0, None, "seed", 0
    )
    assert decision.explanation.words == "Saw 60 games; best won 80 %, the next best, good, 60 %."
    assert dict(decision.values) == pytest.approx({"best": 80.0, "good": 60.0, "bad": 10.0})
    assert max(decision.visits, key=lambda tried: tried[1])[0] == "best"
    assert sum(visits for _, visits in decision.visits) == 60
    assert decision.as_json()["visits"] == [[move, visits] for move, visits in decision.visits]


def test_plain_python_draws_the_numbers_of_kernels() -> None:
    quick, kernel = Generator(seeded("numbers")), seeded("numbers")
    for ways in (2, 3, 6, 7, 1000, 2**31 - 1) * 20:
        assert quick.below(ways) == draw_below(kernel, ways)
        assert quick.fraction() == draw_fraction(kernel)


def test_there_may_be_any_number_of_ways() -> None:
    chance = Generator(seeded("many"))
    drawn = [chance.way(1 << 70) for _ in range(200)]
    assert len(set(drawn)) == 200
    assert max(drawn) > 1 << 69
    assert min(drawn) < 1 << 68


# ------------------------------------------------------------------------------------------------------- connect four


@pytest.mark.parametrize(
    ("columns", "expected", "why"),
    [
        ("445566", "3 7", "completes four in a row"),
        ("4454645", "4", "completes a column of its own"),
        ("41424", "4", "blocks a column: all else loses at once"),
        ("4455", "3 6", "makes three in a row with both ends open, which cannot be stopped"),
    ],
)
def test_known_wins_and_blocks_of_connect_four_are_found(columns: str, expected: str, why: str) -> None:
    rules = find_game("gdl:connect-four")
    position = rules.start()
    for column in columns:
        position = position.play(next(move for move in position.moves() if column in str(move)))
    found = decided("simulations=600", position, 1, rules)
    assert any(column in found for column in expected.split()), why
