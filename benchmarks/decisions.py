"""What a decision costs: composed strategies, the same as Prolog rule bases, and panels.

The reference is a seeded draw of one of the legal moves in the same positions. The goal for rule bases, once warm, is
2 ms. On a busy machine look at the processor time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import npc
from games import protocol
from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER, Move, Position, Seat
from games.registry import game as find_game
from games.registry import shelf
from npc import panel
from npc.player import Memory, Seed, decision_random
from npc.prolog import Session, rule_base
from npc.prolog.host import current_host
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.memory import SESSIONS
from npc.simulation import Setup, simulate
from server.prolog import start_engine

GAMES = 4
STRATEGIES = (
    "RANDOMIZER",
    "ADVANCER",
    "Observing PALS",
    "Aggressive Observing EQUALIZER",
    "Lingering Revenging Observing PALS",
)
NAMES = (*STRATEGIES, "PALS", "Aggressive PALS", "Revenging ADVANCER")
PANEL = tuple((f"composed:{name}", "bench") for name in NAMES)
Played = list[tuple[Position, Move]]
"""A game as the positions and the moves played in them."""


class Cost(NamedTuple):
    """Milliseconds of a decision: of the clock, and of the processor."""

    clock: float
    processor: float


def games(game: protocol.Game = JOSTLE) -> list[Played]:
    """Random games."""
    source, found = random.Random("decisions"), []
    for _ in range(GAMES):
        position: Position = game.start()
        played: Played = []
        while position.to_act != OVER:
            chance = position.to_act == CHANCE
            move = position.drawn(source.randrange(position.ways)) if chance else source.choice(position.moves())
            played.append((position, move))
            position = position.play(move)
        found.append(played)
    return found


def timed(player: npc.Player, played: list[Played]) -> list[Cost]:
    """What every decision along the games costs."""
    times = []
    for number, game in enumerate(played):
        memory: Memory = player.start_memory()
        for ply, (position, move) in enumerate(game):
            if (seat := position.to_act) != CHANCE:
                view = position.view(seat)
                begin, worked = perf_counter(), process_time()
                player.decide(view, seat, memory, number, ply)
                times.append(Cost(1000 * (perf_counter() - begin), 1000 * (process_time() - worked)))
            memory = player.remember(memory, position, move)
    return times


class Draw(npc.Player):
    """The trivial reference."""

    name = "a seeded draw"
    text = "draw:"

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> npc.Decision:  # noqa: ARG002  # it needs none
        return npc.Decision(decision_random(seed, ply).choice(position.moves(seat)))


def row(table: Table, name: str, costs: list[Cost], reference: float) -> None:
    clock, processor = [cost.clock for cost in costs], [cost.processor for cost in costs]
    cells = (median(clock), quantiles(clock, n=100)[98], median(processor))
    table.add_row(name, *(f"{cell:.3f}" for cell in cells), f"{median(processor) / reference:.1f}")


def warm(script: str, played: list[Played]) -> list[Cost]:
    """What a rule base costs without the first decision in each seat, which loads the script."""
    SESSIONS.clear()
    player = rule_base(script, JOSTLE)
    timed(player, played[:1])
    return sorted(timed(player, played))[: -3 * len(played)]


def once(action: Callable[[], object]) -> float:
    begin = perf_counter()
    action()
    return 1000 * (perf_counter() - begin)


def script_of(name: str) -> str:
    return JOSTLE_VOCABULARY.script_of(npc.strategy(name, JOSTLE))


def session(name: str) -> Session:
    return Session(current_host(), script_of(name), JOSTLE, JOSTLE_VOCABULARY)


def main() -> None:
    played = games()
    table = Table("decision", "median ms", "99 % ms", "processor ms", "× reference", title="one decision")
    drawn = timed(Draw(), played)
    reference = median(cost.processor for cost in drawn)
    row(table, Draw.name, drawn, reference)
    for name in STRATEGIES:
        row(table, name, timed(npc.strategy(name, JOSTLE), played), reference)
    engine = once(start_engine)
    first = once(lambda: session("PALS").close())
    sessions = [once(lambda: session("PALS")) for _ in range(10)]
    for name in STRATEGIES:
        row(table, f"{name}, in Prolog", warm(script_of(name), played), reference)
    for reference_name in shelf():
        game = find_game(reference_name)
        name = npc.school_of(game).population(game)[-1]
        row(table, f"{name} in {reference_name}", timed(npc.strategy(name, game), games(game)), reference)
    Console().print(table)

    other = Table("what", "ms", title="once, and per match")
    other.add_row("start of the engine (compiled code from the cache)", f"{engine:.0f}")
    other.add_row("first session", f"{first:.0f}")
    other.add_row("each further session (median of 10)", f"{median(sessions):.1f}")
    history = [str(move) for _, move in played[0]]
    asked = [(ply, position.to_act) for ply, (position, _) in enumerate(played[0]) if position.to_act != CHANCE]
    following = [once(partial(panel.propose, "jostle", history[:ply], PANEL, seat)) for ply, seat in asked]
    other.add_row("a panel of 8 follows one ply further", f"{median(following):.2f}")
    begin = perf_counter()
    seats = tuple(f"composed:{name}" for name in ("ADVANCER", "Observing PALS", "RANDOMIZER"))
    count = len(list(simulate(Setup("jostle", seats, 100, "bench"), workers=1)))
    other.add_row("a whole simulated game, one core", f"{1000 * (perf_counter() - begin) / count:.2f}")
    Console().print(other)


if __name__ == "__main__":
    main()
