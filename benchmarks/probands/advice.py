"""What the panel of a match would do: computed once per match and ply for all probands of the driver who sit there."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakValueDictionary

from games.jostle import JOSTLE
from npc.panel import Member, seat_panel


class Advice:
    """Follows one match, as the Python worker of a browser does."""

    def __init__(self, members: Sequence[Member]):
        self.panel = seat_panel(JOSTLE, members)
        self.choices: dict[int, list[str]] = {}

    def at(self, moves: Sequence[str]) -> list[str] | None:
        """One choice per member after `moves`, where a seat is to act; None if the match is further already."""
        ply = len(moves)
        if ply > self.panel.ply:
            for text in moves[self.panel.ply :]:
                self.panel = self.panel.after(JOSTLE.move(text))
            self.choices = {ply: [str(decision.move) for decision in self.panel.decisions()]}
        return self.choices.get(ply)


class Library:
    """The advice of all matches that somebody plays now."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[int, Advice] = WeakValueDictionary()

    def of(self, match: int, members: Sequence[Member]) -> Advice:
        known = self._known.get(match)
        if known is None:
            known = self._known[match] = Advice(members)
        return known
