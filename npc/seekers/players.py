"""The seekers themselves."""

from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from games.protocol import Move, Position, Seat
from games.tourality import Step, TouralityPosition
from games.tourality.position import cell_name
from npc.decision import Decision, Explanation
from npc.follower import mover
from npc.player import Memory, Player, Seed, decision_random
from npc.seekers.ways import Search, Way, distance, leaves_around

KEY: Final = "seeker"
LEAF_HERE: Final = 1000
"""What a field with a leaf is worth to the one that looks around: more than everything else."""
TURNING_BACK: Final = 20
PER_STEP: Final = 4


@dataclass(frozen=True)
class Seeker(Player):
    """Goes on a way to a leaf that a search finds anew every turn."""

    body: str
    search: Search

    @property
    def name(self) -> str:
        return f"seeker {self.body}"

    @property
    def text(self) -> str:
        return f"{KEY}:{self.body}"

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # it remembers nothing
        here = cast("TouralityPosition", position)  # it was read for this game
        moves = here.moves(seat)
        way = self.search(here, seat)
        if way is not None:
            return Decision(way.first, _explain=partial(self._explain, here, way))
        return Decision(decision_random(seed, ply).choice(moves), _explain=_no_way)

    def _explain(self, position: TouralityPosition, way: Way) -> Explanation:
        leaf = cell_name(way.leaf, position.rules.size)
        steps = "one step" if way.steps == 1 else f"{way.steps} steps"
        return Explanation(self.name, f"It goes for the leaf on {leaf}, {steps} away, and begins with {way.first}.")


def _no_way() -> Explanation:
    return Explanation("lot", "There was no way to a leaf to choose, so a lot was drawn.")


@dataclass(frozen=True)
class LookingAround(Player):
    """Looks one step ahead: a leaf there, how near the next one seems, and how many are around. It does not turn back
    at once, so that it does not walk to and fro."""

    body: str = "heuristic"

    @property
    def name(self) -> str:
        return f"seeker {self.body}"

    @property
    def text(self) -> str:
        return f"{KEY}:{self.body}"

    def start_memory(self) -> Memory:
        """The last direction of each seat."""
        return (-1, -1)

    def remember(self, memory: Memory, before: Position, move: Move) -> Memory:
        seat = mover(before, move)
        if seat < 0:
            return memory
        first, second = memory
        direction = cast("Step", move).direction
        return (direction, second) if seat == 0 else (first, direction)

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # nothing is left to chance
        here = cast("TouralityPosition", position)  # it was read for this game
        values = [(step, self._value(here, step, memory[seat])) for step in here.moves(seat)]
        best = max(values, key=lambda pair: pair[1])[0]
        return Decision(best, _explain=partial(self._explain, values, best))

    def _value(self, position: TouralityPosition, step: Step, last: int) -> int:
        target = position.target(step)
        value = LEAF_HERE if target in position.leaves else 0
        value += leaves_around(position, target) - PER_STEP * distance(position, target)
        return value - TURNING_BACK if {step.direction, last} in OPPOSITE else value

    def _explain(self, values: list[tuple[Step, int]], best: Step) -> Explanation:
        seen = ", ".join(f"{step} {value}" for step, value in values)
        return Explanation(self.name, f"It looked one step ahead and valued: {seen}. So it goes {best}.")


OPPOSITE: Final = ({0, 1}, {2, 3})
