"""Seekers go for leaves: by a shortest way, by a way that seems near, or by looking around."""

from __future__ import annotations

import pytest

from games import dice
from games.protocol import CHANCE, OVER
from games.registry import game, open_source
from npc.follower import Follower
from npc.player import PlayerError
from npc.players import player, read_player


def first_step(text: str, *rows: str) -> tuple[str, str]:
    rules = open_source("tourality", "world\n" + "".join(f"{row}\n" for row in rows))
    decision = Follower(rules, read_player(text, rules), "seed").decide()
    return str(decision.move), decision.explanation.words


def test_breadth_first_goes_round_stones_by_the_shortest_way() -> None:
    step, words = first_step("seeker:bfs", ".....", ".###o", "a#b..", ".###.", "....o")
    assert step in ("up", "down")
    assert "leaf on e" in words and "steps away" in words
    assert first_step("seeker:bfs", "o....", "#####", "a...o", "....b")[0] == "right", "behind stones is far"


def test_breadth_first_takes_the_other_beetle_for_a_stone() -> None:
    assert first_step("seeker:bfs", "....", "ab.o", "....")[0] in ("up", "down")


def test_best_first_may_make_a_detour_because_it_ignores_stones_in_what_seems_near() -> None:
    world = (".............", ".........###.", "o.......a#o..", ".........###.", "............b")
    assert "leaf on k3, 10 steps away" in first_step("seeker:best-first", *world)[1]
    assert "leaf on a3, 8 steps away" in first_step("seeker:bfs", *world)[1]


def test_the_heuristic_looks_one_step_ahead_and_does_not_turn_back() -> None:
    step, words = first_step("seeker:heuristic", "...", "ao.", "..b")
    assert step == "right" and "looked one step ahead" in words
    rules = open_source("tourality", "world\no#o\n.a.\n.#.\n.b.\n")
    follower = Follower(rules, read_player("seeker:heuristic", rules), "seed")
    follower.catch_up(["left", "left"])
    assert str(follower.decide().move) == "up"


def test_what_is_no_seeker_is_refused_with_what_there_is() -> None:
    with pytest.raises(PlayerError, match="seeker:bfs, seeker:best-first, seeker:heuristic"):
        player("seeker:dfs", "tourality:garden")
    with pytest.raises(PlayerError, match="plays tourality"):
        player("seeker:bfs", "tic-tac-toe:standard")


def challenge(players: tuple[str, str], number: int) -> tuple[int, ...]:
    rules = game("tourality:challenge")
    followers = [Follower(rules, read_player(text, rules), f"{number}:{seat}") for seat, text in enumerate(players)]
    position, ply, seed = rules.start(), 0, bytes([number]) * 32
    while position.to_act != OVER:
        acts = position.to_act
        move = dice.draw(seed, ply, position) if acts == CHANCE else followers[acts].decide().move
        after = position.play(move)
        for follower in followers:
            follower.see(move, after)
        position, ply = after, ply + 1
    scores: tuple[int, ...] = position.scores()
    return scores


def test_searching_beats_looking_around() -> None:
    """Of 60 challenges, draws halved, a coin gives 38 or more to the first in 1 of 38."""
    results = [challenge(("seeker:bfs", "seeker:heuristic"), number) for number in range(60)]
    assert sum((first > second) + (first == second) / 2 for first, second in results) >= 38
