"""Strength: our search against OpenSpiel's, with the same number of simulations for every move.

    python -m benchmarks.strength [GAME …] [--games 400] [--processes 2]

Both search plainly: no personality, one random game per simulation, and a tree that each makes anew for every move.
Both sides begin equally often. Our rules referee; OpenSpiel's state is played along, so the two have to agree about
every move and about the end. OpenSpiel's search knows solved positions (its solver is on, as by default), ours does
not. OpenSpiel is no dependency: `python -m benchmarks._beside` puts it beside us; without it
nothing is played.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.gdl import open_spiel
from games.protocol import OVER
from games.registry import game as find_game
from npc.players import read_player

UCT: Final = 2.0
"""How much OpenSpiel's search explores: the default of its own examples."""
WIN: Final = 100


def column(move: str) -> str:
    """`(drop 3)` as OpenSpiel calls it, without the player's mark."""
    return str(int(move.strip("()").split()[1]) - 1)


def squares(move: str) -> str:
    """`(move 1 2 2 3)`: their board stands on its head."""
    x, y, to_x, to_y = map(int, move.strip("()").split()[1:])
    return f"{'abcdefgh'[x - 1]}{9 - y}{'abcdefgh'[to_x - 1]}{9 - to_y}"


class Pairing(NamedTuple):
    """A game that both know."""

    ours: str
    theirs: str
    simulations: int
    called: Callable[[str], str]
    marks: str
    """What OpenSpiel writes besides: whose move it is, or that it captures."""


PAIRINGS: Final = (
    Pairing("gdl:connect-four", "connect_four(rows=6,columns=8)", 200, column, "[xo]"),
    Pairing("gdl:breakthrough", "breakthrough", 100, squares, r"\*"),
)


def played(number: int, which: int) -> float:
    """What we got of a match, 0 to 1; in matches with even numbers we begin."""
    pairing = PAIRINGS[which]
    pyspiel = open_spiel()
    rules = find_game(pairing.ours)
    player = read_player(f"mcts:simulations={pairing.simulations}", rules)
    state = pyspiel.load_game(pairing.theirs).new_initial_state()
    bot = searcher(pyspiel, pairing, number)
    position, ply, own = rules.start(), 0, number % 2
    while position.to_act != OVER:
        theirs = {re.sub(pairing.marks, "", state.action_to_string(each)): each for each in state.legal_actions()}
        ours = {pairing.called(str(each)): each for each in position.moves()}
        if ours.keys() != theirs.keys():
            raise ValueError(f"{pairing.ours}: we may play {sorted(ours)}, OpenSpiel {sorted(theirs)}")
        if position.to_act == own:
            move = player.decide(position, own, None, f"strength {number}", ply).move
            name = pairing.called(str(move))
        else:
            chosen = bot.step(state)
            name = next(each for each, action in theirs.items() if action == chosen)
        position, ply = position.play(ours[name]), ply + 1
        state.apply_action(theirs[name])
    share = float(position.goals()[own]) / WIN
    if not state.is_terminal() or state.returns()[own] != 2 * share - 1:
        raise ValueError(f"{pairing.ours}: we got {share}, OpenSpiel says {state.returns()}")
    return share


def searcher(pyspiel: Any, pairing: Pairing, seed: int) -> Any:
    game = pyspiel.load_game(pairing.theirs)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, UCT, pairing.simulations, 1000, True, seed, False)


def interval(shares: list[float]) -> tuple[float, float, float]:
    """The mean with its interval of 95 %, from how much matches differ."""
    number = len(shares)
    mean = sum(shares) / number
    deviation = sqrt(sum((each - mean) ** 2 for each in shares) / max(1, number - 1))
    return mean, mean - 1.96 * deviation / sqrt(number), mean + 1.96 * deviation / sqrt(number)


def main() -> None:
    reader = argparse.ArgumentParser(prog="python -m benchmarks.strength")
    reader.add_argument("names", nargs="*", metavar="GAME", default=[pairing.ours for pairing in PAIRINGS])
    reader.add_argument("--games", type=int, default=400)
    reader.add_argument("--processes", type=int, default=2)
    chosen = reader.parse_args()
    if open_spiel() is None:
        print("OpenSpiel is not there: `python -m benchmarks._beside` fetches it. Nothing was played.")
        return
    table = Table(title="Our search against OpenSpiel's in C++, the same number of simulations for every move")
    for heading in ("game", "simulations", "games", "won", "drawn", "lost", "share of the points", "95 %"):
        table.add_column(heading)
    with ProcessPoolExecutor(chosen.processes) as processes:
        for which, pairing in enumerate(PAIRINGS):
            if pairing.ours not in chosen.names:
                continue
            shares = []
            for share in processes.map(played, range(chosen.games), [which] * chosen.games):
                shares.append(share)
                print(f"{pairing.ours}: {sum(shares):g} of {len(shares)}", end="\r", file=sys.stderr)
            counts = [str(sum(share == each for share in shares)) for each in (1.0, 0.5, 0.0)]
            mean, low, high = interval(shares)
            table.add_row(
                pairing.ours,
                f"{pairing.simulations:,}",
                str(len(shares)),
                *counts,
                f"{mean:.1%}",
                f"{low:.1%} to {high:.1%}",
            )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
