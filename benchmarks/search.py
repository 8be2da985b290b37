"""Simulations per second: plain Python by the reasoner and by the network, a kernel, lock-step, OpenSpiel's search.

    python -m benchmarks search

All are measured in turn in one run, with processor time, from the first position; the best turn counts. Each turn has
its own seed, because the reasoner remembers states that it has met. In lock-step there are 128 searches at a time.
OpenSpiel is no dependency: `python -m benchmarks._beside` puts it beside us; without it its columns say that it was not
measured. What the first search in a game costs besides (grounding, writing, compiling) is measured once, with nothing
kept from before. A second table tells how long one decision with 1000 simulations takes.
"""

from __future__ import annotations

import os
from dataclasses import replace
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from benchmarks.gdl import open_spiel
from games.gdl.checks import checked
from games.gdl.game import KIND, GdlGame
from games.protocol import Position
from kernels.chance import seeded
from kernels.planes import LANES
from npc.mcts.chance import Generator
from npc.mcts.lockstep import Asked, lockstep_records
from npc.mcts.parameters import Parameters
from npc.mcts.quick import quick_records
from npc.mcts.search import plain_records

BESIDE = {
    "tic-tac-toe": "tic_tac_toe",
    "connect-four": "connect_four(rows=6,columns=8)",
    "connect-four 6x7": "connect_four(rows=6,columns=7)",
    "breakthrough": "breakthrough",
    "breakthrough-small": "",
    "three-rows": "",
}
PERSONALITIES = {
    "default": Parameters(),
    "all in use": Parameters(
        rave=100,
        grave=10,
        charge_depth=90,
        horizon=15,
        epsilon=0.5,
        aggressiveness=(1.2, 0.9),
        defensiveness=(0.8, 1.1),
        random_error=0.1,
        nice_threshold=1,
    ),
}
TURNS = 2
SIMULATIONS = {"reasoner": 15, "network": 40, "kernel": 4000, "lock-step": 300}
NOT_MEASURED = "not measured"
DECIDED = ("connect-four", "connect-four 6x7", "checkers", "skirmish")
DECISION = 1000


def rate(game: GdlGame, parameters: Parameters, way: str, seed: str) -> float:
    few = replace(parameters, simulations=SIMULATIONS[way])
    position, chance = game.start(), Generator(seeded(seed))
    if way == "lock-step":
        return lockstep_rate(position.quickened(), few, seed)
    began = process_time()
    found = (quick_records if way == "kernel" else plain_records)(position, position.to_act, few, chance)
    assert found is not None
    return few.simulations / (process_time() - began)


def lockstep_rate(position: Position, parameters: Parameters, seed: str) -> float:
    turns = position.turns()
    assert turns is not None
    asked = [Asked(turns, position.to_act, parameters, f"{seed} {lane}") for lane in range(LANES)]
    began = process_time()
    found = lockstep_records(asked)
    taken = process_time() - began
    assert all(found)
    return LANES * parameters.simulations / taken


def openspiel_rate(name: str) -> float | None:
    """OpenSpiel's own search in C++, plain UCT with one rollout per simulation."""
    pyspiel = open_spiel()
    if pyspiel is None:
        return None
    game, simulations = pyspiel.load_game(name), 4000
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, 1),
        1.4,
        simulations,
        1000,
        False,
        1,
        False,
        pyspiel.ChildSelectionPolicy.UCT,
    )
    state = game.new_initial_state()
    began = process_time()
    bot.step(state)
    return simulations / (process_time() - began)


def opened(name: str) -> GdlGame:
    """A game of the library, as nobody else has it open; Connect Four also as it is sold, with seven columns."""
    source = KIND.library[name.partition(" ")[0]]
    if name == "connect-four 6x7":
        source = source.replace("(column 8)", "").replace("(succ 7 8)", "")
    return GdlGame(source, checked(source))


def main() -> None:
    table = Table(title=f"Simulations per second of the processor (best of {TURNS})")
    for heading in ("game", "personality", *SIMULATIONS, "OpenSpiel C++", "kernel / it", "lock-step / it", "first, s"):
        table.add_column(heading, justify="left" if heading in ("game", "personality") else "right")
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for name, beside in BESIDE.items():
            slow, fast = opened(name), opened(name)
            began = perf_counter()
            start = fast.start().quickened()
            quick_records(start, 0, Parameters(simulations=1), Generator(seeded("first")))
            first = perf_counter() - began
            lockstep_rate(start, Parameters(simulations=1), "first")
            for words, parameters in PERSONALITIES.items():
                best = dict.fromkeys(SIMULATIONS, 0.0)
                theirs = 0.0
                for turn in range(TURNS):
                    for way in SIMULATIONS:
                        game = slow if way == "reasoner" else fast
                        best[way] = max(best[way], rate(game, parameters, way, f"{words} {turn}"))
                    theirs = max(theirs, openspiel_rate(beside) or 0.0) if beside else 0.0
                cells = [f"{best[way]:,.0f}" for way in SIMULATIONS]
                ratios = [f"{best[way] / theirs:.2f}" if theirs else "" for way in ("kernel", "lock-step")]
                table.add_row(
                    name, words, *cells, f"{theirs:,.0f}" if theirs else NOT_MEASURED, *ratios, f"{first:.2f}"
                )
        Console(width=150).print(table)
        decisions = Table(title=f"One decision with {DECISION} simulations in a kernel, from the first position")
        for heading in ("game", "seconds of the processor", "many in lock-step: simulations per second"):
            decisions.add_column(heading)
        for name in DECIDED:
            decisions.add_row(name, *decided(opened(name)))
        Console(width=150).print(decisions)


def decided(game: GdlGame) -> tuple[str, str]:
    position = game.start().quickened()
    if position.turns() is None:  # on a slow machine the largest descriptions take longer than a player waits for
        return NOT_MEASURED, NOT_MEASURED
    quick_records(position, position.to_act, Parameters(simulations=1), Generator(seeded("first")))
    began = process_time()
    found = quick_records(position, position.to_act, Parameters(simulations=DECISION), Generator(seeded("decision")))
    taken = process_time() - began
    assert found is not None
    lockstep_rate(position, Parameters(simulations=1), "first")
    return f"{taken:.3f}", f"{lockstep_rate(position, Parameters(simulations=30), 'decision'):,.0f}"


if __name__ == "__main__":
    main()
