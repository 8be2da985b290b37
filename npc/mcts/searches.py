"""Many searches at once, for whoever asks for thousands: fitting personalities to people, and tournaments.

    found = searches(positions, parameters, seeds)

Each search is the one that `search` would do alone, with the same visits and values, so it does not matter with which
others it is asked for. Described games that take turns are searched in lock-step, one search in each of 128 lanes of
their network (`lockstep.py`); all others one after another.
"""

from collections.abc import Sequence

from games.protocol import Position, Seat
from kernels.chance import seeded
from kernels.turns import Turns
from npc.mcts.chance import Generator
from npc.mcts.lockstep import Asked, lockstep_records
from npc.mcts.parameters import Parameters
from npc.mcts.search import Tried, search, told


def searches(
    positions: Sequence[Position],
    parameters: Sequence[Parameters],
    seeds: Sequence[str],
    seats: Sequence[Seat] | None = None,
) -> list[tuple[Tried, ...]]:
    """Per search: how each legal move did, in the order of the rules: its visits and its value, 0 to 100.

    Every search has a position (what its seat may see of it), a personality and a seed, `f"{seed}:{ply}"` for the one
    of a player's decision. It is for the seat that acts, unless seats are named, as they have to be where several act.
    """
    if not len(positions) == len(parameters) == len(seeds):
        raise ValueError(
            "each search has a position, parameters and a seed, and there are "
            f"{len(positions)}, {len(parameters)} and {len(seeds)}"
        )
    acting = [position.to_act for position in positions] if seats is None else seats
    quick = [position.quickened() for position in positions]
    found: list[tuple[Tried, ...] | None] = [None] * len(quick)
    for together in _by_game(quick):
        asked = [Asked(turns, acting[number], parameters[number], seeds[number]) for number, turns in together]
        for (number, _), records in zip(together, lockstep_records(asked), strict=True):
            if records is not None:
                found[number] = told(quick[number].moves(acting[number]), records)
    return [
        search(quick[number], acting[number], parameters[number], Generator(seeded(seeds[number])))
        if alone is None
        else alone
        for number, alone in enumerate(found)
    ]


def _by_game(positions: Sequence[Position]) -> list[list[tuple[int, Turns]]]:
    """The numbers of positions that kernels can play, those of one game together."""
    games: dict[int, list[tuple[int, Turns]]] = {}
    for number, position in enumerate(positions):
        turns = position.turns()
        if turns is not None:
            games.setdefault(id(turns.layout), []).append((number, turns))
    return list(games.values())
