"""Tourality: challenges per second of the reference minimax at depth 11 on one core, as a kernel and as plain Python.

A challenge of plain Python takes minutes. So the decisions of both are measured on the same positions of real sweeps,
in one run and turn by turn, and a challenge counts as many decisions as the kernel's challenges against `seeker:bfs`
have. The positions are every twelfth of these sweeps, so that full and empty worlds have their share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import process_time

from rich.console import Console
from rich.table import Table

from games import dice
from games.protocol import OVER
from games.registry import game
from games.tourality import TouralityPosition
from npc.follower import Follower
from npc.players import player
from npc.tourality_minimax.parameters import REFERENCE
from npc.tourality_minimax.plain import PlainSearch
from npc.tourality_minimax.search import find

GAME = "tourality:challenge"
CHALLENGES = 2
EVERY = 12
WITHOUT = replace(REFERENCE, table=0)
WAYS: dict[str, Callable[[TouralityPosition], object]] = {
    "plain Python": lambda position: PlainSearch(position, position.to_act, WITHOUT).find(1).line,
    "kernel without a table": lambda position: find(position, position.to_act, WITHOUT).line,
    "kernel": lambda position: find(position, position.to_act, REFERENCE).line,
}


def positions(number: int) -> list[TouralityPosition]:
    """Those in which the reference decided in a challenge."""
    rules = game(GAME)
    followers = [
        Follower(rules, player(text, GAME), "bench") for text in (f"tourality-minimax:{REFERENCE}", "seeker:bfs")
    ]
    met: list[TouralityPosition] = []
    position, ply = rules.start(), 0
    while position.to_act != OVER:
        if ply == 0:
            move = dice.draw(bytes([number]) * 32, ply, position)
        else:
            move = followers[position.to_act].decide().move
            if position.to_act == 0:
                assert isinstance(position, TouralityPosition)
                met.append(position)
        position = position.play(move)
        for follower in followers:
            follower.see(move, position)
        ply += 1
    return met


def main() -> None:
    played = [positions(number) for number in range(CHALLENGES)]
    decisions = sum(map(len, played)) / CHALLENGES
    asked = [position for each in played for position in each][::EVERY]
    seconds = dict.fromkeys(WAYS, 0.0)
    for position in asked:
        found = set()
        for name, way in WAYS.items():
            began = process_time()
            found.add(way(position))
            seconds[name] += process_time() - began
        assert len(found) == 1, "all of them play the same"
    table = Table(title=f"Reference minimax, depth 11: {len(asked)} decisions; a challenge has {decisions:.0f}")
    for heading in ("", "ms per decision", "challenges/s", "times Python"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, spent in seconds.items():
        each = spent / len(asked)
        times = seconds["plain Python"] / spent
        table.add_row(name, f"{1000 * each:.2f}", f"{1 / (each * decisions):.3g}", f"{times:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
