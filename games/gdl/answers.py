"""Who answers what a described game says about a state: the reasoner, or, once somebody wants to look at thousands of
states, the same rules as a network.

Both say the same; tests hold the network to the reasoner. What no network can say is asked of the reasoner further on:
weights of chance, what seats see, states with facts that no game leads to, and all of a description that is too large.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Final

from games.gdl.compiled import Compiled, compiled
from games.gdl.grounding import Budget, GroundingError
from games.gdl.reasoner import Reasoner, State
from games.gdl.terms import Term

BUDGET: Final = Budget(seconds=4.0, facts=50_000, rows=300_000, gates=200_000)
"""What is spent at most, once, before the first search: somebody waits for its move."""


class Answers:
    """Answers questions about states."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self._tried = False
        self._lock = Lock()
        self.network: Compiled | None = None
        """The rules as a network, after `quicken`, if there is one."""

    def quicken(self, source: str) -> None:
        """Takes the network from now on. It may take some seconds once per description and process."""
        with self._lock:
            if self._tried:
                return
            try:
                self.network = compiled(source, BUDGET)
            except GroundingError:
                self.network = None
            self._tried = True

    def is_terminal(self, state: State) -> bool:
        if self.network is not None and self.network.knows(state):
            return self.network.is_terminal(state)
        return self._reasoner.is_terminal(state)

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """The moves of every role, each in alphabetical order."""
        if self.network is not None and self.network.knows(state):
            return self.network.legal(state)
        return self._reasoner.legal(state)

    def goals(self, state: State) -> tuple[int | None, ...]:
        """The points of every role; None where the rules say none, several, or no number."""
        if self.network is not None and self.network.knows(state):
            return self.network.goals(state)
        return self._reasoner.goals(state)

    def after(self, state: State, joint: Sequence[Term]) -> State:
        """The state that follows when every role makes its move of the joint move, which is legal."""
        if self.network is not None and self.network.knows(state):
            return self.network.after(state, joint)
        return self._reasoner.after(state, joint)
