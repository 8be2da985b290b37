"""What the panel of a match would do: computed once per match and ply for all probands of the driver who sit there."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakValueDictionary

from games.registry import game as find_game
from npc.panel import Panel, Seeded


class Advice:
    """Follows one match, as the Python worker of a browser does."""

    def __init__(self, game: str, members: Sequence[Seeded]):
        self.panel = Panel(find_game(game), members)
        self.choices: dict[tuple[int, int], list[str]] = {}

    def at(self, moves: Sequence[str], seat: int) -> list[str] | None:
        """One choice per member for a seat that acts after `moves`; None if the match is further already."""
        ply = len(moves)
        if ply < len(self.panel.history):
            return None
        if ply > len(self.panel.history):
            self.panel.follow(moves)
            self.choices = {}
        if (ply, seat) not in self.choices:
            self.choices[ply, seat] = [str(decision.move) for decision in self.panel.decisions(seat)]
        return self.choices[ply, seat]


class Library:
    """The advice of all matches that somebody plays now."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[int, Advice] = WeakValueDictionary()

    def of(self, match: int, game: str, members: Sequence[Seeded]) -> Advice:
        known = self._known.get(match)
        if known is None:
            known = self._known[match] = Advice(game, members)
        return known
