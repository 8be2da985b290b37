"""What a decision costs: composed strategies, the same as Prolog rule bases, and panels.

The reference is a seeded draw of one of the legal moves in the same positions. The goal for rule bases, once warm, is
2 ms. On a busy machine look at the processor time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import npc
from games.jostle import JOSTLE, JostleMove, JostlePosition
from games.protocol import CHANCE, OVER
from npc import panel
from npc.player import Memory
from npc.prolog import RuleBase, Session, rule_base
from npc.prolog.host import current_host
from npc.prolog.memory import SESSIONS
from npc.simulation import Setup, simulate
from npc.situation import decision_random
from server.prolog import start_engine

GAMES = 4
STRATEGIES = (
    "RANDOMIZER",
    "ADVANCER",
    "Observing PALS",
    "Aggressive Observing EQUALIZER",
    "Lingering Revenging Observing PALS",
)
PANEL = tuple((name, "bench") for name in (*STRATEGIES, "PALS", "Aggressive PALS", "Revenging ADVANCER"))
Game = list[tuple[JostlePosition, JostleMove]]


class Cost(NamedTuple):
    """Milliseconds of a decision: of the clock, and of the processor."""

    clock: float
    processor: float


def games() -> list[Game]:
    """Random games, as lists of positions and the moves played in them."""
    source, found = random.Random("decisions"), []
    for _ in range(GAMES):
        position, game = JOSTLE.start(), []
        while position.to_act != OVER:
            move = source.choice([move for move, _ in position.outcomes()] or list(position.moves()))
            game.append((position, move))
            position = position.play(move)
        found.append(game)
    return found


def timed(player: npc.Player, played: list[Game]) -> list[Cost]:
    """What every decision along the games costs."""
    times = []
    for number, game in enumerate(played):
        memory: Memory = player.start_memory()
        for ply, (position, move) in enumerate(game):
            if position.to_act != CHANCE:
                begin, worked = perf_counter(), process_time()
                player.decide(position, memory, number, ply)
                times.append(Cost(1000 * (perf_counter() - begin), 1000 * (process_time() - worked)))
            memory = player.remember(memory, position, move)
    return times


class Draw:
    """The trivial reference."""

    name = "a seeded draw"

    def start_memory(self) -> Memory:
        return None

    def remember(self, memory: Memory, *_: object) -> Memory:
        return memory

    def decide(self, position: JostlePosition, _memory: Memory, seed: object, ply: int) -> object:
        return decision_random(str(seed), ply).choice(position.moves())


def row(table: Table, name: str, costs: list[Cost], reference: float) -> None:
    clock, processor = [cost.clock for cost in costs], [cost.processor for cost in costs]
    cells = (median(clock), quantiles(clock, n=100)[98], median(processor))
    table.add_row(name, *(f"{cell:.3f}" for cell in cells), f"{median(processor) / reference:.1f}")


def warm(script: str, played: list[Game]) -> list[Cost]:
    """What a rule base costs without the first decision in each seat, which loads the script."""
    SESSIONS.clear()
    player = RuleBase(script)
    timed(player, played[:1])
    return sorted(timed(player, played))[: -3 * len(played)]


def once(action: Callable[[], object]) -> float:
    begin = perf_counter()
    action()
    return 1000 * (perf_counter() - begin)


def main() -> None:
    played = games()
    table = Table("decision", "median ms", "99 % ms", "processor ms", "× reference", title="one decision")
    drawn = timed(Draw(), played)  # type: ignore[arg-type]  # it draws moves instead of deciding
    reference = median(cost.processor for cost in drawn)
    row(table, Draw.name, drawn, reference)
    for name in STRATEGIES:
        row(table, name, timed(npc.strategy(name), played), reference)
    engine = once(start_engine)
    first = once(lambda: Session(current_host(), rule_base(npc.strategy("PALS")), JOSTLE.layout).close())
    sessions = [
        once(lambda: Session(current_host(), rule_base(npc.strategy("PALS")), JOSTLE.layout)) for _ in range(10)
    ]
    for name in STRATEGIES:
        row(table, f"{name}, in Prolog", warm(rule_base(npc.strategy(name)), played), reference)
    Console().print(table)

    other = Table("what", "ms", title="once, and per match")
    other.add_row("start of the engine (compiled code from the cache)", f"{engine:.0f}")
    other.add_row("first session", f"{first:.0f}")
    other.add_row("each further session (median of 10)", f"{median(sessions):.1f}")
    history = [str(move) for _, move in played[0]]
    plies = [ply for ply, (position, _) in enumerate(played[0]) if position.to_act != CHANCE]
    following = [once(lambda ply=ply: panel.propose("jostle", history[:ply], PANEL)) for ply in plies]  # type: ignore[misc]
    other.add_row("a panel of 8 follows one ply further", f"{median(following):.2f}")
    begin = perf_counter()
    count = len(list(simulate(Setup(("ADVANCER", "Observing PALS", "RANDOMIZER"), 100, "bench"), workers=1)))
    other.add_row("a whole simulated game, one core", f"{1000 * (perf_counter() - begin) / count:.2f}")
    Console().print(other)


if __name__ == "__main__":
    main()
