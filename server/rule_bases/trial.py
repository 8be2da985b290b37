"""Trying a rule base out before it meets people: one game against two composed strategies, every fault written down."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER
from npc.panel import Panel, seat_panel
from npc.prolog.memory import SESSIONS

OPPONENTS: Final = ("ADVANCER", "RANDOMIZER")
MOST_PLIES: Final = 2000
SHOWN: Final = 20
SEED: Final = "trial"


@dataclass
class Trial:
    """How a script did: how often it was asked, and each way in which it lost a decision."""

    decisions: int = 0
    lost: int = 0
    faults: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def try_out(script: str, seed: int = 0) -> Trial:
    """Play one seeded game on the first seat. The engine must run; a script that never ends costs its limits only."""
    panel: Panel = seat_panel(JOSTLE, [(script, SEED), *((name, SEED) for name in OPPONENTS)])
    chance, trial, kinds = random.Random(seed), Trial(), Counter[str]()
    while panel.position.to_act != OVER and panel.ply < MOST_PLIES:
        if panel.position.to_act == CHANCE:
            move = chance.choice([outcome for outcome, _ in panel.position.outcomes()])
        else:
            decision = panel.decisions()[panel.position.seat]
            move = decision.move
            if panel.position.seat == 0:
                trial.decisions += 1
            if decision.fault is not None:
                kinds[str(decision.fault)] += 1
        panel = panel.after(move)
    SESSIONS.forget(script, SEED)
    trial.lost = kinds.total()
    trial.faults = [f"{fault} ({count} times)" for fault, count in kinds.most_common(SHOWN)]
    trial.scores = list(panel.position.scores())
    return trial
