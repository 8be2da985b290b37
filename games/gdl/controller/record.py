"""What is kept of a managed match: as JSON in the form of the public game servers, and as lines for people."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games.gdl.reasoner import State
from games.gdl.terms import Term, text

LONGEST_WORDS: Final = 200


class Lapse(NamedTuple):
    """Why a player's reply could not be used. The sign is what public servers write."""

    sign: str
    """`TO` too late, `IL` illegal, `CE` the connection failed."""
    words: str

    def __str__(self) -> str:
        return f"{self.sign} {self.words}"[:LONGEST_WORDS].strip()


LATE: Final = "TO"
ILLEGAL: Final = "IL"
UNREACHED: Final = "CE"

Lapses = dict[str, Lapse]
"""By role, in one turn; roles without one are missing."""


@dataclass
class Record:
    """A match, as far as it has come."""

    match: str
    game: str
    seed: str
    roles: tuple[str, ...]
    players: dict[str, str]
    """By role; the role of chance has none."""
    start_clock: int
    play_clock: int
    started_ms: int
    lapses: list[Lapses] = field(default_factory=list)
    """Those at the start, and then of every turn."""
    states: list[State] = field(default_factory=list)
    times_ms: list[int] = field(default_factory=list)
    moves: list[tuple[Term, ...]] = field(default_factory=list)
    goals: tuple[int | None, ...] | None = None
    """None if the match did not come to an end."""
    given_up: str = ""
    """Why it did not."""

    def as_json(self) -> dict[str, Any]:
        return {
            "matchId": self.match,
            "randomToken": self.seed,
            "startTime": self.started_ms,
            "startClock": self.start_clock,
            "playClock": self.play_clock,
            "gameMetaURL": self.game,
            "roles": list(self.roles),
            "playerNamesFromHost": [self.players.get(role, "") for role in self.roles],
            "isPlayerHuman": [False for _ in self.roles],
            "scrambled": False,
            "states": [_state(state) for state in self.states],
            "stateTimes": self.times_ms,
            "moves": [[text(move) for move in joint] for joint in self.moves],
            "errors": [[str(lapses.get(role, "")) for role in self.roles] for lapses in self.lapses],
            "isCompleted": self.goals is not None,
            "isAborted": self.goals is None,
            **({} if self.goals is None else {"goalValues": [goal or 0 for goal in self.goals]}),
        }

    def told(self) -> Iterator[str]:
        """The result and everything that went wrong, line by line."""
        for number, lapses in enumerate(self.lapses):
            for role, lapse in lapses.items():
                yield f"{f'turn {number}' if number else 'start'}: {role}: {lapse.words}"
        if self.goals is None:
            yield f"{self.match}: given up after {len(self.moves)} turns: {self.given_up}"
            return
        goals = zip(self.roles, self.goals, strict=True)
        shown = [f"{role} {'no goal' if goal is None else goal}" for role, goal in goals if role in self.players]
        yield f"{self.match}: over after {len(self.moves)} turns: {', '.join(shown)}"


def _state(state: State) -> str:
    return f"( {' '.join(sorted(f'(true {text(fact)})' for fact in state))} )"
