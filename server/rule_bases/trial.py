"""Trying a rule base out before it meets people: one game against composed strategies, every fault written down.

Runs in a process of programs, because nobody knows how long a new script takes.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import cycle, islice
from typing import Any, Final

from games import dice
from games.protocol import CHANCE, OVER, Game, Position
from npc.composed import school_of
from npc.decision import Fault, FaultKind
from npc.follower import Follower
from npc.players import read_player
from npc.prolog import EngineError, ScriptError, Session, rule_base, vocabulary_of
from npc.prolog.host import EngineMissingError, current_host
from npc.prolog.memory import SESSIONS
from npc.rules import opened
from server.programs.asking import LIVE_SECONDS

OWN: Final = 0
"""The seat of the script."""
MOST_PLIES: Final = 2000
ALLOWED_MS: Final = round(LIVE_SECONDS * 1000)
SHOWN: Final = 20
SEED: Final = "trial"
DICE: Final = bytes(dice.SEED_BYTES)


@dataclass
class Trial:
    """How a script did: how often it was asked, and each way in which it lost a decision."""

    decisions: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)
    slowest_ms: int = 0
    """The longest decision; beside the time after which the lot decides at a table."""
    allowed_ms: int = ALLOWED_MS
    scores: list[int] = field(default_factory=list)
    opponents: list[str] = field(default_factory=list)


def check_and_try(reference: str, source: str, script: str) -> dict[str, Any]:
    """What the trial showed, or why the script is `refused`, as JSON."""
    game = opened(reference, source)
    try:
        Session(current_host(), script, game, vocabulary_of(game)).close()
    except (ScriptError, EngineError, EngineMissingError) as error:  # also one that never finishes loading
        return {"refused": str(error)}
    return asdict(try_out(script, game))


def try_out(script: str, game: Game, allowed_ms: int = ALLOWED_MS) -> Trial:
    """Play one game on the first seat. The engine must run; a script that never ends costs its limits only."""
    own, opponents = rule_base(script, game), _opponents(game)
    players = (own, *(read_player(f"composed:{name}", game) for name in opponents))
    followers = [Follower(game, player, SEED, seat if game.secrets else None) for seat, player in enumerate(players)]
    trial, kinds = Trial(opponents=opponents, allowed_ms=allowed_ms), Counter[str]()
    position: Position = game.start()
    while position.to_act != OVER and followers[OWN].ply < MOST_PLIES:
        if position.to_act == CHANCE:
            moves = [dice.draw(DICE, followers[OWN].ply, position)]
        else:
            began = time.perf_counter()
            decisions = {OWN: followers[OWN].decide(OWN)} if OWN in position.acting else {}
            taken_ms = round(1000 * (time.perf_counter() - began))
            decisions |= {seat: followers[seat].decide(seat) for seat in position.acting if seat != OWN}
            moves = [decisions[seat].move for seat in position.acting]
            if OWN in decisions and own.vocabulary.asks(position.view(OWN), OWN):
                trial.decisions += 1
                fault = decisions[OWN].fault or _late(taken_ms, trial)
                kinds.update([] if fault is None else [str(fault)])
        for follower in followers:
            follower.follow(moves)
        position = followers[OWN].position
    SESSIONS.forget(script, SEED)
    trial.lost = kinds.total()
    trial.faults = [f"{fault} ({count} times)" for fault, count in kinds.most_common(SHOWN)]
    trial.scores = list(position.scores())
    return trial


def _late(taken_ms: int, trial: Trial) -> Fault | None:
    """How a decision that took too long is lost at a table. The first does not count: it loads the script, too."""
    if trial.decisions == 1:
        return None
    trial.slowest_ms = max(trial.slowest_ms, taken_ms)
    late = taken_ms > trial.allowed_ms
    return Fault(FaultKind.LIMIT, f"it took longer than {trial.allowed_ms} ms") if late else None


def _opponents(game: Game) -> list[str]:
    """Composed strategies for all other seats."""
    return list(islice(cycle(school_of(game).population(game)), len(game.seats) - 1))
