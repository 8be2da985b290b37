"""Panels: many players decide for the same history, little by little or all at once."""

import pytest

import npc
from games.jostle import JOSTLE
from games.jostle.moves import read_move
from games.protocol import CHANCE, GameError
from npc import panel
from npc.prolog.host import use_host
from server.prolog import WasmtimeHost
from tests.npc.prolog.scripts import HONEST, REMEMBERS
from tests.npc.walks import walk

NAMES = ("RANDOMIZER", "EQUALIZER", "Revenging Observing PALS", "Lingering Aggressive EQUALIZER")


def test_following_a_match_gives_what_a_fresh_panel_gives(engine: WasmtimeHost) -> None:
    texts = (*(f"composed:{name}" for name in NAMES), *(f"prolog:{script}" for script in HONEST))
    members: list[panel.Seeded] = [(text, f"s{n}") for n, text in enumerate(texts)]
    game = list(walk("panel"))
    for ply, position, _ in game[:80]:
        if position.to_act == CHANCE:
            continue
        history = [str(move) for _, _, move in game[:ply]]
        followed = panel.propose("jostle", history, members, position.to_act)
        alone = [_alone(text, str(seed), history) for text, seed in members[: len(NAMES)]]
        assert [proposal["move"] for proposal in followed[: len(NAMES)]] == alone
        assert all(JOSTLE.move(str(proposal["move"])) in position.moves() for proposal in followed)


def _alone(text: str, seed: str, history: list[str]) -> str:
    follower = npc.Follower(JOSTLE, npc.player(text, "jostle"), seed)
    follower.catch_up(history)
    return str(follower.decide().move)


def test_a_panel_can_go_back_and_follow_another_line(engine: WasmtimeHost) -> None:
    members: list[panel.Seeded] = [("composed:EQUALIZER", 1), (f"prolog:{REMEMBERS}", 1)]
    one, other = ["5", "p0", "2", "p3", "4", "p6", "3"], ["5", "p1", "2", "p3", "4", "p6", "3"]
    first = panel.propose("jostle", one, members, 0)
    second = panel.propose("jostle", other, members, 0)
    assert (first[0]["move"], second[0]["move"]) == ("p1", "p2")
    assert panel.propose("jostle", one, members, 0) == first


def test_without_an_engine_a_rule_base_proposes_nothing_rather_than_something_else() -> None:
    use_host(None)
    (proposal,) = panel.propose("jostle", ["5"], [(f"prolog:{REMEMBERS}", 0)], 0)
    assert proposal["move"] is None
    assert "no engine" in str(proposal["fault"])


def test_only_the_new_moves_cost_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    panels = panel.Panels()
    members: list[panel.Seeded] = [("composed:EQUALIZER", "cost")]
    game = list(walk("cost"))
    history = [str(move) for _, _, move in game]
    first, *_, second = (ply for ply, position, _ in game[30:] if position.to_act != CHANCE and ply < 60)
    read: list[str] = []

    def counted(_: object, text: str) -> object:
        read.append(text)
        return read_move(text)

    monkeypatch.setattr(type(JOSTLE), "move", counted)
    for ply in (first, second, second):
        panels.decisions("jostle", history[:ply], members, game[ply][1].to_act)
    assert read == history[:second]


def test_what_cannot_be_followed_is_refused() -> None:
    with pytest.raises(npc.StrategyError):
        panel.propose("tic-tac-toe", [], [("composed:PALS", 0)], 0)
    with pytest.raises(GameError):
        panel.propose("jostle", ["p0"], [("composed:PALS", 0)], 0)
    with pytest.raises(npc.StrategyError):
        panel.propose("jostle", ["5"], [("composed:NOBODY", 0)], 0)
    with pytest.raises(npc.PlayerError, match="a player is written"):
        panel.propose("jostle", ["5"], [("PALS", 0)], 0)
    for seat in (0, 1, -1):
        with pytest.raises(ValueError, match="does not decide"):
            panel.propose("jostle", [], [("composed:PALS", 0)], seat)


def test_after_a_move_that_cannot_be_played_the_panel_is_still_right() -> None:
    panels = panel.Panels()
    members: list[panel.Seeded] = [("composed:EQUALIZER", 1), ("composed:PALS", 1)]
    wanted = [str(decision.move) for decision in panels.decisions("jostle", ["5", "p0", "2"], members, 1)]
    with pytest.raises(GameError):
        panels.decisions("jostle", ["5", "p0", "2", "p3", "p6"], members, 2)
    assert [str(decision.move) for decision in panels.decisions("jostle", ["5", "p0", "2"], members, 1)] == wanted


def test_in_a_game_with_secrets_every_seat_has_a_panel_of_its_own() -> None:
    members: list[panel.Seeded] = [("composed:RANDOMIZER", n) for n in range(8)]
    history = ["deal 1,3,5,7,9/2,4,6,8,10"]
    left = panel.propose("tricks", history, members, 0)
    right = panel.propose("tricks", history, members, 1)
    assert {proposal["move"] for proposal in left} <= {"1", "3", "5", "7", "9"}
    assert {proposal["move"] for proposal in right} <= {"2", "4", "6", "8", "10"}
    other_hand = ["deal 1,3,5,7,9/2,4,6,11,12"]
    assert panel.propose("tricks", other_hand, members, 0) == left, "left cannot know what right holds"
