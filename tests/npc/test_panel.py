"""Panels: many players decide for the same history, little by little or all at once."""

import pytest

import npc
from games.jostle import JOSTLE
from games.protocol import CHANCE, GameError
from npc import panel
from npc.prolog.host import use_host
from server.prolog import WasmtimeHost
from tests.npc.prolog.scripts import HONEST, REMEMBERS
from tests.npc.walks import walk

NAMES = ("RANDOMIZER", "EQUALIZER", "Revenging Observing PALS", "Lingering Aggressive EQUALIZER")


def test_following_a_match_gives_what_a_fresh_panel_gives(engine: WasmtimeHost) -> None:
    members: list[panel.Member] = [(text, f"s{n}") for n, text in enumerate((*NAMES, *HONEST))]
    game = list(walk("panel"))
    for ply, position, _ in game[:80]:
        if position.to_act == CHANCE:
            continue
        history = [str(move) for _, _, move in game[:ply]]
        followed = panel.propose("jostle", history, members)
        alone = [_alone(text, str(seed), history) for text, seed in members[: len(NAMES)]]
        assert [proposal["move"] for proposal in followed[: len(NAMES)]] == alone
        assert all(JOSTLE.move(str(proposal["move"])) in position.moves() for proposal in followed)


def _alone(text: str, seed: str, history: list[str]) -> str:
    player = npc.player(text)
    position, memory = JOSTLE.start(), player.start_memory()
    for move in map(JOSTLE.move, history):
        memory = player.remember(memory, position, move)
        position = position.play(move)
    return str(player.decide(position, memory, seed, len(history)).move)


def test_a_panel_can_go_back_and_follow_another_line(engine: WasmtimeHost) -> None:
    members: list[panel.Member] = [("EQUALIZER", 1), (REMEMBERS, 1)]
    one, other = ["5", "p0", "2", "p3", "4", "p6", "3"], ["5", "p1", "2", "p3", "4", "p6", "3"]
    first = panel.propose("jostle", one, members)
    second = panel.propose("jostle", other, members)
    assert (first[0]["move"], second[0]["move"]) == ("p1", "p2")
    assert panel.propose("jostle", one, members) == first


def test_without_an_engine_a_rule_base_proposes_nothing_rather_than_something_else() -> None:
    use_host(None)
    (proposal,) = panel.propose("jostle", ["5"], [(REMEMBERS, 0)])
    assert proposal["move"] is None
    assert "no engine" in str(proposal["fault"])


def test_only_the_new_moves_cost_anything() -> None:
    members: list[panel.Member] = [("EQUALIZER", "cost")]
    history = [str(move) for _, _, move in walk("cost")][:40]
    before = panel.follow("jostle", history[:30], members)
    after = panel.follow("jostle", history, members)
    assert (before.ply, after.ply) == (30, 40)
    assert panel.follow("jostle", history, members) is after


def test_what_cannot_be_followed_is_refused() -> None:
    with pytest.raises(GameError):
        panel.propose("tic-tac-toe", [], [("PALS", 0)])
    with pytest.raises(GameError):
        panel.propose("jostle", ["p0"], [("PALS", 0)])
    with pytest.raises(npc.StrategyError):
        panel.propose("jostle", ["5"], [("NOBODY", 0)])
    with pytest.raises(ValueError, match="no seat decides"):
        panel.propose("jostle", [], [("PALS", 0)])
