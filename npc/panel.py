"""The panel of a match: many players decide for the same seat after the same history, and nobody sees which one counts.

A panel follows a match. Asked again later in the same match, it only looks at the moves that are new.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, TypedDict

from games.protocol import Game, Position, Seat
from games.registry import game as find_game
from npc.decision import Decision, FaultKind
from npc.follower import Follower
from npc.player import Seed
from npc.players import player

PANELS_KEPT: Final = 64
LARGEST_PANEL: Final = 64
"""Members that a study may choose, a browser computes and the wire carries."""

Seeded = tuple[str, Seed]
"""The text of a player, and the seed it plays with."""


class Proposal(TypedDict):
    """What a member would do.

    `move` is None if it cannot be computed here; `fault` says why a rule base lost the decision.
    """

    move: str | None
    fault: str | None


class Panel:
    """Players who follow the same match, in games with secrets from the same seat."""

    def __init__(self, game: Game, members: Sequence[Seeded], seat: Seat | None = None) -> None:
        """Before the first move. Raises PlayerError."""
        self.game = game
        self.history: tuple[str, ...] = ()
        """The texts of the moves that were followed."""
        self._position: Position = game.start()
        self._followers = [Follower(game, player(text, game.reference), seed, seat) for text, seed in members]

    def follow(self, history: Sequence[str]) -> None:
        """All moves so far, which begin with those that are known. Raises GameError."""
        for text in history[len(self.history) :]:
            move = self.game.move(text)
            self._position = self._position.play(move)
            for follower in self._followers:
                follower.see(move, self._position)
        self.history = tuple(history)

    def decisions(self, seat: Seat) -> list[Decision]:
        """What each member would do in an acting seat. Raises ValueError if the seat does not act."""
        return [follower.decide(seat) for follower in self._followers]


class Panels:
    """The panels of a process, the least recently used one is forgotten first."""

    def __init__(self, kept: int = PANELS_KEPT) -> None:
        self._kept = kept
        self._panels: OrderedDict[tuple[str, tuple[Seeded, ...], Seat | None], Panel] = OrderedDict()
        self._lock = threading.Lock()

    def decisions(self, game: str, history: Sequence[str], members: Sequence[Seeded], seat: Seat) -> list[Decision]:
        """What each member would do in an acting seat after `history`. Raises GameError, PlayerError, ValueError."""
        rules = find_game(game)
        seated = tuple((text, seed) for text, seed in members)
        key = (game, seated, seat if rules.secrets else None)
        # Taken out while it is used: whoever asks the same at the same time gets a panel of its own.
        with self._lock:
            panel = self._panels.pop(key, None)
        if panel is None or tuple(history[: len(panel.history)]) != panel.history:
            panel = Panel(rules, seated, key[2])
        panel.follow(history)
        found = panel.decisions(seat)
        with self._lock:
            self._panels[key] = panel
            while len(self._panels) > self._kept:
                self._panels.popitem(last=False)
        return found


PANELS: Final = Panels()
"""The panels of this process."""


def propose(game: str, history: Sequence[str], members: Sequence[Seeded], seat: Seat) -> list[Proposal]:
    """What each member would do in an acting seat after `history`, the texts of all moves so far, chance included.

    Raises GameError, PlayerError, ValueError.
    """
    if len(members) > LARGEST_PANEL:
        raise ValueError(f"a panel has at most {LARGEST_PANEL} members, not {len(members)}")
    return [_proposal(decision) for decision in PANELS.decisions(game, history, members, seat)]


def _proposal(decision: Decision) -> Proposal:
    fault = decision.fault
    missing = fault is not None and fault.kind is FaultKind.NO_ENGINE
    return {"move": None if missing else str(decision.move), "fault": str(fault) if fault else None}
