"""Searches of one game in lock-step, where positions can be played in a kernel: the host's side of lanes.py."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from games.protocol import Seat
from kernels.chance import Chance, seeded
from kernels.host import Limits
from kernels.kernel import Kernel, Running
from kernels.planes import LANES, PLANE
from kernels.positions import Layout
from kernels.turns import Turns
from npc.mcts import lane_code, lanes
from npc.mcts.parameters import Parameters
from npc.mcts.tree import Record

KERNELS_KEPT: Final = 8
MOST_BYTES: Final = 384 * 1024 * 1024
"""What the trees of all lanes may take together; where one tree is large there are fewer lanes."""
USUAL_MOVES: Final = 64
"""so many moves in each place of a tree there is room for; the few searches that need more are done alone."""
LIMITS: Final = Limits(seconds=None, memory_bytes=1024 * 1024 * 1024)
"""Simulations and their moves are counted."""


class Asked(NamedTuple):
    """A search: where, for whom, how, and with which random numbers."""

    turns: Turns
    seat: Seat
    parameters: Parameters
    seed: str


def lockstep_records(asked: Sequence[Asked]) -> list[list[Record] | None]:
    """Per search of one game how each legal move of its seat did, in the order of the rules; None if it has to be done
    alone."""
    layout = asked[0].turns.layout
    sizes = _Sizes(layout, [each.parameters for each in asked])
    if not sizes.lanes:
        return [None] * len(asked)
    with _kernel(layout).start(LIMITS) as running:
        endings, counts = running.array("i32s", len(asked)), running.array("i32s", len(asked))
        found = running.array("f64s", 2 * max(layout.moves) * len(asked))
        searches = running.record(
            lanes.Searches,
            count=len(asked),
            begun=0,
            positions=_filled(running, "u8s", b"".join([each.turns.bits for each in asked])),
            whole=_filled(running, "i32s", [number for each in asked for number in _whole(each)]),
            floats=_filled(running, "f64s", [number for each in asked for number in _floats(each)]),
            states=_filled(running, "i64s", [seeded(each.seed).state for each in asked]),
            endings=endings,
            counts=counts,
            most_moves=max(layout.moves),
            found=found,
        )
        chance = running.record(Chance, state=0)
        trees, table = _trees(running, layout, sizes), _table(running, layout, sizes)
        running.call("run", _rules(running, asked[0].turns), searches, trees, table, chance)
        return _told(endings.read(), counts.read(), found.read(), 2 * max(layout.moves))


def _told(endings: Any, counts: Any, found: Any, row: int) -> list[list[Record] | None]:
    told: list[list[Record] | None] = []
    for search, (ending, count) in enumerate(zip(endings, counts, strict=True)):
        numbers = found[search * row : search * row + 2 * count]
        told.append(
            [_record(total, tried) for total, tried in zip(numbers[::2], numbers[1::2], strict=True)]
            if ending == lanes.DONE
            else None
        )
    return told


def _record(total: float, tried: float) -> Record:
    record = Record()
    record.visits, record.total = int(tried), total
    return record


class _Sizes:
    """How large everything has to be for some searches together."""

    def __init__(self, layout: Layout, parameters: Sequence[Parameters]) -> None:
        moves = sum(layout.moves)
        self.simulations = max([each.simulations for each in parameters])
        self.places = self.simulations + 1
        self.edges = max(layout.moves) + self.places * min(max(layout.moves), USUAL_MOVES)
        self.later = self.places * moves * 2 if any(each.rave for each in parameters) else 0
        self.longest = max([each.charge_depth for each in parameters]) + 1
        tree = self.places * 4 * lanes.NODE + self.edges * 8 * lanes.EDGE + self.later * 8
        self.lanes = min(len(parameters), LANES, MOST_BYTES // tree)


@lru_cache(maxsize=KERNELS_KEPT)
def _kernel(layout: Layout) -> Kernel:
    """The searches with the network of a game inside."""
    return Kernel(
        lanes.run,
        by_hand={
            lanes.look: lane_code.network(layout.look, onwards=False),
            lanes.worth: lane_code.network(layout.worth, onwards=False),
            lanes.step: lane_code.network(layout.step, onwards=True),
            lanes.gather: lane_code.gathering(layout),
            lanes.go_back: lane_code.going_back(layout.facts),
            lanes.clear: lane_code.clearing(1),
            lanes.clear_floats: lane_code.clearing(8),
        },
    )


def _whole(asked: Asked) -> tuple[int, ...]:
    mind = asked.parameters
    return mind.simulations, mind.rave, mind.grave, mind.charge_depth, mind.horizon, asked.seat


def _floats(asked: Asked) -> list[float]:
    mind = asked.parameters
    pairs = (mind.charge_defaults, mind.defensiveness, mind.aggressiveness)
    seats = range(len(asked.turns.layout.moves))
    return [
        float(mind.exploration_factor),
        mind.tree_discount,
        mind.charge_discount,
        mind.epsilon,
        *[pair[0] if seat == asked.seat else pair[1] for pair in pairs for seat in seats],
    ]


def _rules(running: Running, turns: Turns) -> Any:
    layout = turns.layout
    starts = [0, *accumulate(layout.deeds)]
    deeds = [
        layout.done + PLANE * (start + one) for start, row in zip(starts, turns.deeds, strict=False) for one in row
    ]
    words = lane_code.words_of(layout.moves)
    return running.record(
        lanes.Rules,
        seats=len(layout.moves),
        facts=layout.facts,
        moves=sum(layout.moves),
        words=words[-1],
        starts=_filled(running, "i32s", [0, *accumulate(layout.moves)]),
        first_words=_filled(running, "i32s", words),
        owners=_filled(running, "i32s", [seat for seat, number in enumerate(layout.moves) for _ in range(number)]),
        deeds=_filled(running, "i32s", deeds),
        waiting=_filled(running, "u8s", b"".join(turns.waiting)),
        goal_starts=_filled(running, "i32s", [0, *accumulate(layout.goals)]),
        points=_filled(running, "f64s", [-1.0 if one is None else one for row in turns.points for one in row]),
        answers=layout.answers,
        worths=layout.worths,
        size=layout.size,
        done=layout.done,
        all_deeds=PLANE * sum(layout.deeds),
    )


def _trees(running: Running, layout: Layout, sizes: _Sizes) -> Any:
    return running.record(
        lanes.Trees,
        most_places=sizes.places,
        most_edges=sizes.edges,
        nodes=running.array("i32s", sizes.lanes * sizes.places * lanes.NODE),
        records=running.array("f64s", (sizes.lanes * sizes.edges + 2) * lanes.EDGE),
        later=running.array("f64s", sizes.lanes * sizes.later),
        liked=running.array("f64s", sizes.lanes * sum(layout.moves) * 3),
    )


def _table(running: Running, layout: Layout, sizes: _Sizes) -> Any:
    moves, seats = sum(layout.moves), len(layout.moves)
    roots = 2 * layout.size
    restarts = roots + PLANE * layout.facts
    return running.record(
        lanes.Table,
        lanes=sizes.lanes,
        busy=0,
        rooms=running.array("u8s", restarts + PLANE),
        here=0,
        roots=roots,
        restarts=restarts,
        going_back=0,
        valued=False,
        masks=running.array("i64s", LANES * lane_code.words_of(layout.moves)[-1]),
        lane=running.array("i32s", LANES * lanes.LANE),
        left=running.array("f64s", LANES),
        states=running.array("i64s", LANES),
        places=running.array("i32s", LANES * lanes.PATH),
        edges=running.array("i32s", LANES * lanes.PATH),
        played=running.array("i32s", LANES * sizes.longest),
        longest=sizes.longest,
        seat=0,
        count=0,
        forced=running.array("i32s", seats),
        legal=running.array("i32s", moves),
        results=running.array("f64s", seats),
        stamps=running.array("i32s", moves),
        stamp=0,
        met=running.array("i32s", moves),
        logs=running.array("f64s", sizes.simulations + 1),
        fetched=0.0,
    )


def _filled(running: Running, kind: str, numbers: Any) -> Any:
    made = running.array(kind, len(numbers))
    made.write(numbers)
    return made
