"""People's games in one form, and manners that are planted in their choices and found again."""

from pathlib import Path

import numpy as np
import pytest

from kernels.chance import seeded
from lab.personas.choices import Manner, Moments, fitted, probabilities
from lab.personas.evaluation import mean, measured
from lab.personas.games import GamesError, HumanGame, Player, decisions, read_games, split, write_games
from lab.personas.genes import GENES, genes_of, personality
from lab.personas.reading import Text, read
from lab.personas.searching import values
from npc.mcts import Generator, Parameters, search

FORMS = {
    "pdn": ("gdl:checkers", '[Event "a"]\n[Black "anna"]\n\n1. 11-15 23-19 2. 8-11 *\n', 3),
    "lines": ("gdl:checkers", "10-13 21-17 5-10\t1/2-1/2\n", 3),
    "sgf": ("gdl:connect-four", "(;PB[anna]PW[ben];B[4];W[d];B[a1])", 3),
    "tiltyard": (
        "gdl:connect-four",
        '{"matchId": "m", "isPlayerHuman": [true, false], "moves": [["( drop 4 )", "noop"], ["noop", "(drop 1)"]]}',
        2,
    ),
    "masks": ("gdl:four-in-a-row", "0\t0\tBlack\t1\t9\t1\t7\n1\t0\tWhite\t2\t9\t1\t8\n", 2),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_games_that_can_be_played(form: str, tmp_path: Path) -> None:
    rules, content, moves = FORMS[form]
    (game,), refused = read(form, Text(f"x.{form}", content, rules))
    assert (len(game.moves), refused) == (moves, [])
    write_games(tmp_path / "games", [game])
    assert read_games(tmp_path / "games") == [game]
    assert len(decisions(game)) == sum(game.players[number % 2].human for number in range(moves))


def test_what_cannot_be_played_is_told() -> None:
    found, refused = read("sgf", Text("x", "(;B[4];W[9])", "gdl:connect-four"))
    assert found == []
    assert "move 2" in refused[0]
    with pytest.raises(GamesError, match="move 1"):
        decisions(HumanGame("m", "gdl:connect-four", (Player("a"), Player("b")), ("(drop 9)",)))


def test_matches_are_divided_by_lot_and_stay_whole() -> None:
    games = [HumanGame(str(number), "", (), ()) for number in range(400)]
    learnt, tried = split(games, 0.25, "s")
    assert {*learnt, *tried} == {*games}
    assert 60 < len(tried) < 140
    assert split(games[:10], 0.25, "s")[1] == [game for game in games[:10] if game in tried]


def test_values_are_those_of_the_player_s_own_search() -> None:
    (game,), _ = read("sgf", Text("x", "(;B[4];W[d];B[a1])", "gdl:connect-four"))
    parameters = Parameters(simulations=20)
    for moment, found in zip(decisions(game), values(decisions(game), parameters, "s"), strict=True):
        chance = Generator(seeded(f"s:{moment.match}:{moment.ply}"))
        assert [each.value for each in search(moment.position, moment.seat, parameters, chance)] == [*found]


def test_genes_and_personalities_are_the_same_thing() -> None:
    genes = np.random.default_rng(1).random(len(GENES))
    once = personality(genes, 50)
    assert personality(genes_of(once), 50) == once


def test_a_planted_manner_is_found_again() -> None:
    rng = np.random.default_rng(5)
    counts = np.full(4000, 6)
    starts = np.arange(4000) * 6
    worth = rng.uniform(0, 100, 24000)
    shape = (starts, counts, starts, starts // 120, np.zeros(4000, dtype=np.int64), ("a",), ("",))
    planted = Manner(0.08, 0.2)
    odds = probabilities(Moments(*shape), worth, planted).reshape(4000, 6)
    chosen = starts + (rng.random((4000, 1)) > odds.cumsum(axis=1)).sum(axis=1)
    moments = Moments(starts, counts, chosen, *shape[3:])
    manner, _ = fitted(moments, worth)
    assert manner.nice == 0
    assert manner.kappa == pytest.approx(planted.kappa, rel=0.1)
    assert manner.error == pytest.approx(planted.error, abs=0.04)
    right = measured(moments, worth, manner).log_likelihood
    assert mean(moments, right - np.log(1 / 6))[1].low > 0
