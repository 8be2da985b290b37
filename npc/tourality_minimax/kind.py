"""Minimax for Tourality as a kind of players: `tourality-minimax:` and what differs from the reference setting."""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Final, cast

from games.protocol import Game, Move, Position, Seat
from games.tourality import STEPS, Step, TouralityPosition
from games.tourality.kind import KEY as TOURALITY
from games.tourality.position import PASS
from npc.decision import Decision, Explanation
from npc.follower import mover
from npc.player import Memory, Player, PlayerError, PlayerKind, Seed
from npc.tourality_minimax.parameters import Parameters, read_parameters
from npc.tourality_minimax.plain import Found, Line
from npc.tourality_minimax.search import find

KEY: Final = "tourality-minimax"
_BY_DIRECTION: Final = {step.direction: step for step in (*STEPS, PASS)}

STRONG: Final = "depth=15 other_path=-6 other=-1 other_surroundings=-1 other_nearest=4 territory=8"
"""A setting that beats the reference clearly: it minds what the other gets, and looks further."""


@dataclass(frozen=True)
class TouralityMinimax(Player):
    """Plays what is best if the other does its worst, and keeps to its plan for some steps if it is told to."""

    parameters: Parameters

    heavy = True

    @cached_property
    def text(self) -> str:
        return f"{KEY}:{self.parameters}"

    @property
    def name(self) -> str:
        return self.text

    def start_memory(self) -> Memory:
        """For each seat the positions in which it decided since it last began a plan: none yet."""
        return ((), ())

    def remember(self, memory: Memory, before: Position, move: Move) -> Memory:
        seat = mover(before, move)
        if seat < 0 or self.parameters.plan == 1:
            return memory
        decided = (*memory[seat], before)
        kept = () if len(decided) == self.parameters.plan else decided
        return (kept, memory[1]) if seat == 0 else (memory[0], kept)

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # no chance in it
        here = cast("TouralityPosition", position)  # it was read for this game
        moves = here.moves(seat)
        if len(moves) == 1:
            return Decision(moves[0], _explain=lambda: Explanation("rules", f"Only {moves[0]} is possible."))
        if self.parameters.plan == 1:
            return self._decision(here, seat, find(here, seat, self.parameters).line)
        return self._decision(here, seat, self._plan((*memory[seat], here), seat))

    def _plan(self, decided: tuple[TouralityPosition, ...], seat: Seat) -> Line:
        """What is left of the plan in the last position: that of the first, or a new one where it could not go on."""
        steps = 2 * self.parameters.plan - 1
        plan: Line = ()
        sweep = decided[-1].again
        for position in decided:
            plan = plan[2:]
            if position.again != sweep:
                continue  # a plan ends with its sweep
            if not plan or _BY_DIRECTION[plan[0]] not in position.moves(seat):
                plan = _line(position, seat, self.parameters, steps)
        return plan

    def _decision(self, position: TouralityPosition, seat: Seat, plan: Line) -> Decision:
        step = _BY_DIRECTION[plan[0]]
        return Decision(step, _explain=partial(self._explain, position, seat, step))

    def _explain(self, position: TouralityPosition, seat: Seat, step: Step) -> Explanation:
        found = find(position, seat, self.parameters, self.parameters.depth)
        return Explanation(self.name, _words(position, seat, found, step))


@lru_cache(maxsize=16)
def _line(position: TouralityPosition, seat: Seat, parameters: Parameters, steps: int) -> Line:
    """The decisions of one plan ask for it again and again."""
    return find(position, seat, parameters, steps).line


def _words(position: TouralityPosition, seat: Seat, found: Found, step: Step) -> str:
    before = position
    for direction in found.line:
        if position.seat < 0 or position.again != before.again:
            break
        position = position.play(_BY_DIRECTION[direction])
    own, other = (position.gathered[each] - before.gathered[each] for each in (seat, 1 - seat))
    steps = ", ".join(str(_BY_DIRECTION[direction]) for direction in found.line[::2])
    words = f"Looked {len(found.line)} steps ahead over {found.nodes} positions; it expects to go {steps}, "
    words += f"and so to gather {own} {'leaf' if own == 1 else 'leaves'} while the other gathers {other}. "
    if found.line and found.line[0] != step.direction:
        return f"{words}But it keeps to its earlier plan and goes {step}."
    return f"{words}That is worth {found.value} to it, so it goes {step}."


class TouralityMinimaxKind(PlayerKind):
    """Names of parameters and whole numbers."""

    key = KEY

    def read(self, body: str, game: Game) -> TouralityMinimax:
        if game.kind != TOURALITY:
            raise PlayerError(f"{KEY} plays {TOURALITY}, not {game.kind}")
        return TouralityMinimax(read_parameters(body))

    def samples(self, game: Game) -> tuple[str, ...]:
        if game.kind != TOURALITY:
            return ()
        return (f"{KEY}:", f"{KEY}:depth=7 plan=3 range=5 table=0", f"{KEY}:{STRONG}")
