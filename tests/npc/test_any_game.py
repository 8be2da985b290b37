"""Elements for any game do what they say, in games that they know nothing of."""

from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import pytest

import npc
from games.protocol import OVER, Game, Grid, GridMove, GridPiece, IllegalMoveError, Move, Position, Seat, Texts
from games.registry import game as find_game
from games.ten.rules import TEN
from games.tic_tac_toe.rules import TIC_TAC_TOE
from npc import Follower, Strategy, StrategyError
from npc.composed.any import ANY_GAME, ELEMENTS
from npc.simulation.obedience import obedience
from tests.games.selection import VARIED
from tests.npc.walks import some_of, walk


def chosen(name: str, text: str, seed: int = 0, game: Game = TIC_TAC_TOE) -> str:
    player = npc.strategy(name, game)
    position = game.position(text)
    return str(player.decide(position, position.to_act, player.start_memory(), seed, 0).move)


def words(name: str, text: str, seed: int = 0) -> str:
    player = npc.strategy(name, TIC_TAC_TOE)
    position = TIC_TAC_TOE.position(text)
    return player.decide(position, position.to_act, player.start_memory(), seed, 0).explanation.words


@pytest.mark.parametrize(
    ("name", "position", "move", "why"),
    [
        ("Winning RANDOMIZER", "xx./oo./...", "c1", "completes its own line"),
        ("Winning RANDOMIZER", "xx./oo./x..", "c2", "so does the other seat"),
        ("Careful RANDOMIZER", "oo./x../..x", "c1", "a block, because everything else gives a win away"),
        ("Winning Careful RANDOMIZER", "xx./oo./...", "c1", "a win comes before a block"),
        ("GREEDY", "xx./oo./...", "c1", "a point more than after any other move"),
        ("GREEDY", ".../.../...", "a1", "nothing to gain: the first move in the order of the rules"),
        ("Aggressive GREEDY", "xx./oo./...", "c1", "nothing is captured here, so all is left to GREEDY"),
    ],
)
def test_an_element_chooses_as_defined(name: str, position: str, move: str, why: str) -> None:
    assert {chosen(name, position, seed) for seed in range(20)} == {move}, why


def test_careful_leaves_the_choice_where_nobody_threatens() -> None:
    assert {chosen("Careful RANDOMIZER", "x../.../...", seed) for seed in range(200)} == {
        *("b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    }


def test_randomizer_draws_every_legal_move_equally_often() -> None:
    counts: dict[str, int] = {}
    for seed in range(3000):
        move = chosen("RANDOMIZER", "xox/.../o..", seed)
        counts[move] = counts.get(move, 0) + 1
    assert len(counts) == 5
    assert all(abs(count - 600) < 4 * (3000 * 1 / 5 * 4 / 5) ** 0.5 for count in counts.values()), counts


def test_nobody_sees_through_chance() -> None:
    """In Ten a card is drawn after the choice, so whoever looks one move ahead finds all moves alike."""
    player = npc.strategy("Winning GREEDY", TEN)
    decision = player.decide(TEN.start(), 0, player.start_memory(), 0, 0)
    assert [each.decided for each in decision.explanation.narrowings] == [False, False, True]
    assert decision.explanation.decided_by == "the first in order"


@dataclass(frozen=True)
class Draughtsmen(Position):
    """A made-up moment: three moves that take different numbers of pieces."""

    over: bool = False

    @property
    def to_act(self) -> Seat:
        return OVER if self.over else 0

    def moves(self, seat: Seat | None = None) -> tuple[str, ...]:
        return () if self.over or seat not in (None, 0) else ("none", "one", "two")

    def play(self, move: Move) -> "Draughtsmen":
        if move not in self.moves():
            raise IllegalMoveError(f"{move} is no move")
        return Draughtsmen(over=True)

    def captured(self, move: Move) -> int:
        return self.moves().index(str(move))

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def winners(self) -> tuple[Seat, ...]:
        return ()

    def text(self) -> str:
        return "over" if self.over else "three moves"


class Draughts(Game):
    kind: ClassVar[str] = "made-up"
    seats = ("w", "b")
    reference = "made-up:one"

    def start(self) -> Draughtsmen:
        return Draughtsmen()

    def position(self, text: str) -> Draughtsmen:
        return Draughtsmen(text == "over")

    def move(self, text: str) -> str:
        return text

    def texts(self, language: str) -> Texts:
        return Texts("", language, self.seats, "", ())


def test_aggressive_takes_most_where_a_game_tells_of_captures() -> None:
    assert chosen("Aggressive RANDOMIZER", "three moves", game=Draughts()) == "two"


@pytest.mark.parametrize("reference", VARIED)
def test_every_strategy_of_a_games_population_decides_legally_repeatably_and_with_a_reason(reference: str) -> None:
    game = find_game(reference)
    plies = 6 if game.kind == "gdl" else None  # looking ahead in a description takes its time
    for name in some_of(npc.school_of(game).population(game), game):
        for seat in range(len(game.seats)):
            player = npc.player(f"composed:{name}", reference)
            follower = Follower(game, player, "seed", seat)
            for _, position, move in islice(walk(f"{name} {seat}", game), plies):
                if seat in position.acting:
                    decision = follower.decide(seat)
                    assert decision.move in position.moves(seat)
                    assert decision == follower.decide(seat)
                    assert decision.explanation.words
                    assert decision.as_json()["move"] == str(decision.move)
                follower.follow([move])


OFFERED = {
    "tic-tac-toe:standard": "Winning Careful Hasty Central Nearby",
    "ten:standard": "Winning Careful Copying Hasty",
    "tricks:standard": "Hasty",
}


@pytest.mark.parametrize("reference", OFFERED)
def test_symbionts_are_offered_where_they_have_something_to_say(reference: str) -> None:
    game = find_game(reference)
    school = npc.school_of(game)
    offered = [name for name, element in school.offered(game).items() if not element.is_basic]
    assert offered == OFFERED[reference].split()
    named = {word for name in school.population(game) for word in name.split()}
    assert named == {*offered, "RANDOMIZER", "GREEDY", "SEARCHER"}


@pytest.mark.parametrize(("reference", "name"), [(ref, name) for ref in OFFERED for name in OFFERED[ref].split()])
def test_an_element_shows_in_what_its_host_plays(reference: str, name: str) -> None:
    found = obedience(name, find_game(reference), games=8)
    assert found.decisions > 3
    assert found.together == 1.0
    assert found.alone < 0.9, "without it the host does something else as well"


def test_searcher_sees_what_comes_after_its_move() -> None:
    """After x in two opposite corners, only an edge saves o from a fork, and lots find one in four of six draws."""
    edges = {"b1", "a2", "c2", "b3"}
    assert sum(chosen("SEARCHER", "x../.o./..x", seed) in edges for seed in range(20)) > 16
    assert len({chosen("SEARCHER", "xx./o../..o", seed) for seed in range(20)}) == 1, "and it sees every win"


def test_hasty_drops_what_looks_poor_and_keeps_a_win() -> None:
    assert {chosen("Hasty RANDOMIZER", "xx./oo./...", seed) for seed in range(20)} != {"c1"}
    assert any("looks poor at a glance" in words("Hasty RANDOMIZER", "xx./oo./...", seed) for seed in range(5))


@pytest.mark.parametrize(
    ("name", "history", "moves", "why"),
    [
        ("Central RANDOMIZER", [], {"b2"}, "the middle"),
        ("Central RANDOMIZER", ["b2"], {"b1", "a2", "c2", "b3"}, "edges are nearer to it than corners"),
        ("Nearby RANDOMIZER", ["a1"], {"b1", "a2", "b2"}, "beside the corner"),
        ("Nearby RANDOMIZER", ["a1", "c3", "a3"], {"a2", "b2", "b3"}, "what the other did last counts"),
    ],
)
def test_elements_look_at_places(name: str, history: list[str], moves: set[str], why: str) -> None:
    found = set()
    for seed in range(40):
        follower = Follower(TIC_TAC_TOE, npc.strategy(name, TIC_TAC_TOE), seed)
        follower.catch_up(history)
        found.add(str(follower.decide().move))
    assert found == moves, why


@dataclass(frozen=True)
class Walk(Position):
    """A made-up board of one row for two: seat 0 has pieces on a1 and e1, and each may step to the right."""

    mine: tuple[int, ...] = (0, 4)
    turn: int = 0

    @property
    def to_act(self) -> Seat:
        return OVER if self.turn == 6 else self.turn % 2

    def moves(self, seat: Seat | None = None) -> tuple[str, ...]:
        if self.to_act == OVER or seat not in (None, self.to_act):
            return ()
        return tuple(f"{_cell(place)}-{_cell(place + 1)}" for place in self.mine) if self.to_act == 0 else ("wait",)

    def play(self, move: Move) -> "Walk":
        mine = self.mine
        if self.to_act == 0:
            place = self.moves().index(str(move))
            mine = (*mine[:place], mine[place] + 1, *mine[place + 1 :])
        return Walk(mine, self.turn + 1)

    def grid(self, seat: Seat | None = None) -> Grid:
        pieces = tuple(GridPiece(_cell(place), "x", 0) for place in self.mine)
        ways = [move.split("-") for move in self.moves(seat) if "-" in move] if seat is not None else []
        return Grid(12, 1, pieces, tuple(GridMove("-".join(way), way[0], way[1]) for way in ways))

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def winners(self) -> tuple[Seat, ...]:
        return ()

    def text(self) -> str:
        return f"{self.mine} {self.turn}"


def _cell(place: int) -> str:
    return f"{'abcdefghijkl'[place]}1"


def test_stubborn_goes_on_with_the_piece_that_it_moved_last() -> None:
    player = Strategy((ELEMENTS["Stubborn"], ELEMENTS["RANDOMIZER"]), ANY_GAME)
    position = Walk()
    memory = player.start_memory()
    for move in ("e1-f1", "wait"):
        memory = player.remember(memory, position, move)
        position = position.play(move)
    decisions = [player.decide(position, 0, memory, seed, 2) for seed in range(20)]
    assert {str(decision.move) for decision in decisions} == {"f1-g1"}
    assert "goes on with the piece that it moved last" in decisions[0].explanation.words


def test_copying_does_what_the_other_did() -> None:
    """In Ten: who drew is followed by drawing, and who stopped by stopping."""
    for history, move in ((["draw", "3"], "draw"), (["stop"], "stop")):
        for seed in range(10):
            follower = Follower(TEN, npc.strategy("Copying RANDOMIZER", TEN), seed)
            follower.catch_up(history)
            assert str(follower.decide().move) == move


def test_lists_that_search_think_apart_from_the_others() -> None:
    assert npc.strategy("Winning SEARCHER", TIC_TAC_TOE).heavy
    assert not npc.strategy("Winning GREEDY", TIC_TAC_TOE).heavy


def test_lists_are_read_from_the_pool_of_their_game() -> None:
    assert npc.strategy("winning, careful greedy", TIC_TAC_TOE).name == "Winning Careful GREEDY"
    with pytest.raises(StrategyError, match="'PALS' is no element; the elements are RANDOMIZER, GREEDY"):
        npc.strategy("PALS", TIC_TAC_TOE)
    with pytest.raises(StrategyError, match=r"needs a basic element \(RANDOMIZER, GREEDY, SEARCHER\)"):
        npc.strategy("Winning", TIC_TAC_TOE)
    with pytest.raises(StrategyError, match="leaves out at least one"):
        npc.strategy(" ".join(ELEMENTS), TIC_TAC_TOE)
