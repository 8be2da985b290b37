"""Searches in a kernel where a position can be played there; the same results as plain Python, much sooner."""

from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from games.protocol import Position, Seat
from kernels import wasm
from kernels.chance import Chance
from kernels.host import Limits
from kernels.kernel import Kernel, Running
from kernels.planes import PLANE
from kernels.positions import Layout, taken_in
from kernels.turns import Turns
from npc.mcts import kernel
from npc.mcts.chance import Generator
from npc.mcts.parameters import Parameters
from npc.mcts.tree import Record

KERNELS_KEPT: Final = 16
MOST_EDGES: Final = 4_000_000
MOST_LATER: Final = 12_000_000
"""Above these, a search would take more than some hundred megabytes; it is left to plain Python."""
LIMITS: Final = Limits(seconds=None)
"""Simulations and their moves are counted."""


def quick_records(view: Position, seat: Seat, parameters: Parameters, chance: Generator) -> list[Record] | None:
    """How each legal move of the seat did, in the order of the rules; None if plain Python has to search.

    The generator goes on where the search has left it, or stays as it is.
    """
    turns = view.turns()
    places = parameters.simulations + 1
    if turns is None or (parameters.rave and places * sum(turns.layout.moves) > MOST_LATER):
        return None
    with _kernel(turns.layout).start(LIMITS) as running:
        rules = _rules(running, turns)
        mind = _mind(running, parameters, seat, len(turns.layout.moves))
        edges = min(places * max(turns.layout.moves), MOST_EDGES)
        kept = {
            name: running.array(kind, size) for name, (kind, size) in _tree(turns, parameters, places, edges).items()
        }
        kept["states"].write(turns.bits)
        tree = running.record(kernel.Tree, places=0, edges=0, most_places=places, most_edges=edges, **kept)
        game = _game(running, turns, parameters)
        drawing = running.record(Chance, state=chance.state)
        if running.call("search", rules, mind, tree, game, drawing) != kernel.DONE or kept["seats"].read()[0] != seat:
            return None
        count = kept["counts"].read()[0]
        chance.state = int(drawing.get("state"))
        return [
            _record(tried, total)
            for tried, total in zip(kept["tried"].read()[:count], kept["totals"].read()[:count], strict=True)
        ]


def _record(tried: int, total: float) -> Record:
    record = Record()
    record.visits, record.total = tried, total
    return record


@lru_cache(maxsize=KERNELS_KEPT)
def _kernel(layout: Layout) -> Kernel:
    """The search with the network of a game inside."""

    def writer(bodies: tuple[bytes, ...], *, onwards: bool) -> Any:
        def write(module: wasm.Module, function: wasm.Function) -> None:
            for piece in taken_in(module, bodies):
                for room in (1, 2 if onwards else 1):
                    function.emit("local.get", 0)
                    function.emit("local.get", room)
                    function.emit("i32.add")
                function.emit("call", piece)

        return write

    return Kernel(
        kernel.search,
        by_hand={
            kernel.look: writer(layout.look, onwards=False),
            kernel.worth: writer(layout.worth, onwards=False),
            kernel.step: writer(layout.step, onwards=True),
        },
    )


def _rules(running: Running, turns: Turns) -> Any:
    layout = turns.layout
    starts = [0, *accumulate(layout.deeds)]
    deeds = [
        layout.done + PLANE * (start + one) for start, row in zip(starts, turns.deeds, strict=False) for one in row
    ]
    return running.record(
        kernel.Rules,
        seats=len(layout.moves),
        facts=layout.facts,
        moves=sum(layout.moves),
        starts=_filled(running, "i32s", [0, *accumulate(layout.moves)]),
        owners=_filled(running, "i32s", [seat for seat, number in enumerate(layout.moves) for _ in range(number)]),
        deeds=_filled(running, "i32s", deeds),
        waiting=_filled(running, "u8s", b"".join(turns.waiting)),
        goal_starts=_filled(running, "i32s", [0, *accumulate(layout.goals)]),
        points=_filled(running, "f64s", [-1.0 if one is None else one for row in turns.points for one in row]),
        answers=layout.answers,
        worths=layout.worths,
        size=layout.size,
    )


def _mind(running: Running, parameters: Parameters, seat: Seat, seats: int) -> Any:
    def by_seat(pair: tuple[float, float]) -> Any:
        return _filled(running, "f64s", [pair[0] if each == seat else pair[1] for each in range(seats)])

    return running.record(
        kernel.Mind,
        simulations=parameters.simulations,
        rave=parameters.rave,
        grave=parameters.grave,
        charge_depth=parameters.charge_depth,
        horizon=parameters.horizon,
        exploration=float(parameters.exploration_factor),
        tree_discount=parameters.tree_discount,
        charge_discount=parameters.charge_discount,
        epsilon=parameters.epsilon,
        defaults=by_seat(parameters.charge_defaults),
        defensiveness=by_seat(parameters.defensiveness),
        aggressiveness=by_seat(parameters.aggressiveness),
    )


def _tree(turns: Turns, parameters: Parameters, places: int, edges: int) -> dict[str, tuple[str, int]]:
    """The arrays of a tree and their sizes."""
    layout = turns.layout
    moves = sum(layout.moves)
    later = places * moves if parameters.rave else 0
    return {
        **dict.fromkeys(("visits", "seats", "firsts", "counts"), ("i32s", places)),
        "states": ("u8s", places * layout.facts),
        "forced": ("i32s", places * len(layout.moves)),
        **dict.fromkeys(("moves", "tried", "children"), ("i32s", edges)),
        "totals": ("f64s", edges),
        "later_tried": ("i32s", later),
        "later_totals": ("f64s", later),
        "liked_tried": ("i32s", moves),
        "liked_totals": ("f64s", moves),
        "liked_weights": ("f64s", moves),
    }


def _game(running: Running, turns: Turns, parameters: Parameters) -> Any:
    moves, seats = sum(turns.layout.moves), len(turns.layout.moves)
    longest = parameters.horizon + 1
    return running.record(
        kernel.Game,
        rooms=running.array("u8s", 2 * turns.layout.size),
        here=0,
        seat=0,
        count=0,
        legal=running.array("i32s", moves),
        forced=running.array("i32s", seats),
        depth=0,
        places=running.array("i32s", longest + 1),
        edges=running.array("i32s", longest + 1),
        played=running.array("i32s", parameters.charge_depth + 1),
        length=0,
        results=running.array("f64s", seats),
        stamps=running.array("i32s", moves),
        stamp=0,
        met=running.array("i32s", moves),
    )


def _filled(running: Running, kind: str, numbers: Any) -> Any:
    made = running.array(kind, len(numbers))
    made.write(numbers)
    return made
