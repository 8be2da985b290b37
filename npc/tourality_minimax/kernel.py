"""The search of `plain.py` as a kernel: the same sums, the same order, the same choices.

What makes it fast: the ways to all leaves are found at once, so that each field has its leaves in the order of their
distance and the nearest is the first that is left; the last step needs no search, because what it seems worth is what
it is worth; and positions that were met before are remembered. What is still to come depends on the position and the
ply alone, not on the steps that led there, so remembering changes no choice.
"""

from typing import Final

from kernels.chance import Chance, draw_bits
from kernels.language import i32, i32s, i64, i64s, record, to_i32, u8s

MOST: Final = 1 << 30
SIDES: Final = 4
LEAF_BITS: Final = 10
LEAF_MASK: Final = (1 << LEAF_BITS) - 1
EXACT: Final = 1
AT_LEAST: Final = 2
AT_MOST: Final = 3


@record
class Search:
    """Everything that one search knows: the world, the state that it is looking at, and what is wanted."""

    cells: i32
    columns: i32
    around: i32s
    """Four fields per cell, -1 where nobody can go."""
    leaves: i32
    leaf_cells: i32s
    leaf_at: i32s
    """The number of the leaf on each cell, or -1."""
    ways: i32s
    """Steps from each cell to each leaf, by leaf; -1 if there is no way."""
    order: i32s
    """By cell: its leaves, nearest first, as steps and number together."""
    reaching: i32s
    """By cell: how many leaves it can reach."""
    queue: i32s

    alive: u8s
    left: i32
    mine: i32
    theirs: i32
    hash: i64
    nodes: i64

    directions: i32s
    targets: i32s
    gains: i32s
    seems: i32s

    keys: i64s
    """By leaf, then by cell for each of the two, then by ply."""
    table_bits: i32
    table_keys: i64s
    table_values: i32s
    table_kinds: u8s

    depth: i32
    reward: i32
    decay: i32
    cost: i32
    bonus: i32
    range: i32
    near: i32
    path: i32
    other_path: i32
    own: i32
    other: i32
    surroundings: i32
    other_surroundings: i32
    nearest: i32
    other_nearest: i32
    distance: i32
    territory: i32


def prepare(search: Search, mine: i32, theirs: i32) -> None:
    """Begins with a new position: the fields around and the cells of the leaves are in place."""
    search.mine = mine
    search.theirs = theirs
    search.left = search.leaves
    search.nodes = 0
    search.hash = 0
    for cell in range(search.cells):
        search.leaf_at[cell] = -1
        search.reaching[cell] = 0
    for place in range(search.leaves * search.cells):
        search.ways[place] = -1
    for leaf in range(search.leaves):
        search.alive[leaf] = 1
        search.leaf_at[search.leaf_cells[leaf]] = leaf
    find_ways(search)
    for place in range(len(search.table_keys)):
        search.table_keys[place] = 0


def draw_keys(search: Search, chance: Chance) -> None:
    """Random bits by which positions are told apart."""
    for place in range(len(search.keys)):
        search.keys[place] = draw_bits(chance)


def find_ways(search: Search) -> None:
    """All leaves at once, one step farther at a time: so each cell meets its leaves in the order of their distance."""
    filled = 0
    for leaf in range(search.leaves):
        place = leaf * search.cells + search.leaf_cells[leaf]
        search.ways[place] = 0
        search.queue[filled] = place
        filled += 1
    taken = 0
    while taken < filled:
        place = search.queue[taken]
        taken += 1
        leaf = place // search.cells
        cell = place - leaf * search.cells
        way = search.ways[place]
        search.order[cell * search.leaves + search.reaching[cell]] = way << LEAF_BITS | leaf
        search.reaching[cell] += 1
        for side in range(SIDES):
            next_ = search.around[cell * SIDES + side]
            if next_ >= 0:
                further = leaf * search.cells + next_
                if search.ways[further] < 0:
                    search.ways[further] = way + 1
                    search.queue[filled] = further
                    filled += 1


def steps_to_nearest(search: Search, cell: i32) -> i32:
    """Steps to the nearest leaf within the range; beyond it one step more than the range, without leaves 0."""
    first = cell * search.leaves
    for place in range(first, first + search.reaching[cell]):
        entry = search.order[place]
        if search.alive[entry & LEAF_MASK] != 0:
            way = entry >> LEAF_BITS
            if search.range >= 0 and way > search.range:
                return search.range + 1
            return way
    if search.range >= 0 and search.left > 0:
        return search.range + 1
    return 0


def leaves_around(search: Search, cell: i32) -> i32:
    """One more than `near` for a leaf on the field, one less for each step away."""
    found = 0
    first = cell * search.leaves
    for place in range(first, first + search.reaching[cell]):
        entry = search.order[place]
        worth = search.near + 1 - (entry >> LEAF_BITS)
        if worth <= 0:
            break
        if search.alive[entry & LEAF_MASK] != 0:
            found += worth
    return found


def balance(search: Search) -> i32:
    """Leaves that one is nearer to, less those that the other is nearer to."""
    found = 0
    for leaf in range(search.leaves):
        if search.alive[leaf] != 0:
            own = search.ways[leaf * search.cells + search.mine]
            others = search.ways[leaf * search.cells + search.theirs]
            if own < 0:
                own = search.cells
            if others < 0:
                others = search.cells
            if own < others:
                found += 1
            elif others < own:
                found -= 1
    return found


def estimate(search: Search) -> i32:
    """What the state seems worth to the searching seat."""
    value = 0
    if search.surroundings != 0:
        value += search.surroundings * leaves_around(search, search.mine)
    if search.other_surroundings != 0:
        value += search.other_surroundings * leaves_around(search, search.theirs)
    if search.nearest != 0:
        value += search.nearest * steps_to_nearest(search, search.mine)
    if search.other_nearest != 0:
        value += search.other_nearest * steps_to_nearest(search, search.theirs)
    if search.distance != 0:
        rows = abs(search.mine // search.columns - search.theirs // search.columns)
        columns = abs(search.mine % search.columns - search.theirs % search.columns)
        value += search.distance * (rows + columns)
    if search.territory != 0:
        value += search.territory * balance(search)
    return value


def gather(search: Search, leaf: i32) -> None:
    search.alive[leaf] = 0
    search.left -= 1
    search.hash ^= search.keys[leaf]


def put_back(search: Search, leaf: i32) -> None:
    search.alive[leaf] = 1
    search.left += 1
    search.hash ^= search.keys[leaf]


def leaf_on(search: Search, cell: i32) -> i32:
    """The number of the leaf that is left on a cell, or -1."""
    leaf = search.leaf_at[cell]
    if leaf >= 0 and search.alive[leaf] != 0:
        return leaf
    return -1


def place_of(search: Search, ply: i32) -> i32:
    return search.mine if ply & 1 == 0 else search.theirs


def put(search: Search, ply: i32, cell: i32) -> None:
    if ply & 1 == 0:
        search.mine = cell
    else:
        search.theirs = cell


def gain_of(search: Search, ply: i32, before: i32, target: i32, leaf: i32) -> i32:
    """What a step adds to the sum of its line."""
    gain = -search.cost
    gathers = 0
    if leaf >= 0:
        gathers = 1
        gain += max(0, search.reward - search.decay * (ply >> 1))
    if search.bonus != 0 and steps_to_nearest(search, target) < before:
        gain += search.bonus
    if ply & 1 == 0:
        return search.path * gain + search.own * gathers
    return search.other_path * gain + search.other * gathers


def list_children(search: Search, ply: i32) -> i32:
    """Puts the steps from here in the order of what they seem worth to the mover; how many there are."""
    here = place_of(search, ply)
    other = place_of(search, ply + 1)
    before = steps_to_nearest(search, here) if search.bonus != 0 else 0
    count = 0
    for side in range(SIDES):
        target = search.around[here * SIDES + side]
        if target >= 0 and target != other:
            add_child(search, ply, count, side, target, before)
            count += 1
    if count == 0:
        add_child(search, ply, 0, -1, here, before)
        count = 1
    return count


def add_child(search: Search, ply: i32, count: i32, direction: i32, target: i32, before: i32) -> None:
    here = place_of(search, ply)
    leaf = leaf_on(search, target)
    gain = gain_of(search, ply, before, target, leaf)
    put(search, ply, target)
    if leaf >= 0:
        gather(search, leaf)
    seems = gain + estimate(search)
    if leaf >= 0:
        put_back(search, leaf)
    put(search, ply, here)
    first = ply * SIDES
    place = first + count
    while place > first and is_better(ply, seems, search.seems[place - 1]):
        search.directions[place] = search.directions[place - 1]
        search.targets[place] = search.targets[place - 1]
        search.gains[place] = search.gains[place - 1]
        search.seems[place] = search.seems[place - 1]
        place -= 1
    search.directions[place] = direction
    search.targets[place] = target
    search.gains[place] = gain
    search.seems[place] = seems


def is_better(ply: i32, one: i32, other: i32) -> bool:
    """For whoever moves at this ply."""
    return one > other if ply & 1 == 0 else one < other


def value_of(search: Search, ply: i32, low: i32, high: i32) -> i32:
    """What is still to come from here, exact between `low` and `high`."""
    search.nodes += 1
    if ply == search.depth or search.left == 0:
        return estimate(search)
    if search.table_bits == 0 or ply + 1 >= search.depth:
        return best_of(search, ply, low, high)
    places = search.leaves + search.mine
    key = search.hash ^ search.keys[places] ^ search.keys[search.leaves + search.cells + search.theirs]
    key ^= search.keys[search.leaves + 2 * search.cells + ply]
    place = to_i32(key & (1 << search.table_bits) - 1)
    if search.table_keys[place] == key:
        known = search.table_values[place]
        kind = search.table_kinds[place]
        if kind == EXACT or (kind == AT_LEAST and known >= high) or (kind == AT_MOST and known <= low):
            return known
    value = best_of(search, ply, low, high)
    search.table_keys[place] = key
    search.table_values[place] = value
    search.table_kinds[place] = AT_LEAST if value >= high else (AT_MOST if value <= low else EXACT)
    return value


def best_of(search: Search, ply: i32, low: i32, high: i32) -> i32:
    """The value of the best step; the step itself is left in the place behind all plies."""
    count = list_children(search, ply)
    first = ply * SIDES
    if ply + 1 == search.depth:
        best = search.seems[first]
        cut = best >= high if ply & 1 == 0 else best <= low
        search.nodes += 1 if cut else count
        remember_choice(search, first)
        return best
    here = place_of(search, ply)
    best = -MOST if ply & 1 == 0 else MOST
    chosen = first
    floor = low
    ceiling = high
    for place in range(first, first + count):
        target = search.targets[place]
        gain = search.gains[place]
        leaf = leaf_on(search, target)
        put(search, ply, target)
        if leaf >= 0:
            gather(search, leaf)
        value = gain + value_of(search, ply + 1, floor - gain, ceiling - gain)
        if leaf >= 0:
            put_back(search, leaf)
        put(search, ply, here)
        if is_better(ply, value, best):
            best = value
            chosen = place
        if ply & 1 == 0:
            floor = max(floor, best)
        else:
            ceiling = min(ceiling, best)
        if floor >= ceiling:
            break
    remember_choice(search, chosen)
    return best


def remember_choice(search: Search, place: i32) -> None:
    last = search.depth * SIDES
    search.directions[last] = search.directions[place]
    search.targets[last] = search.targets[place]


def find_line(search: Search, steps: i32, line: i32s) -> i32:
    """The first steps of the line that both would choose go into `line`, how many into its last place; its value."""
    last = search.depth * SIDES
    worth = 0
    ply = 0
    while ply < min(steps, search.depth) and search.left > 0:
        value = best_of(search, ply, -MOST, MOST)
        if ply == 0:
            worth = value
        line[ply] = search.directions[last]
        target = search.targets[last]
        leaf = leaf_on(search, target)
        put(search, ply, target)
        if leaf >= 0:
            gather(search, leaf)
        ply += 1
    line[len(line) - 1] = ply
    return worth
