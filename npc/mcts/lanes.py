"""The search of npc/mcts/search.py for up to 128 searches in lock-step, one per lane of a game's network.

In each pass every lane makes one move of its own simulation, in its tree or in a play-out; then the network plays all
these moves at once. Lanes know nothing of each other: whichever ends a game goes back to its first position, whichever
ends its search takes the next one that waits. Each does what kernel.py does alone, in the same order, with the same
random numbers. Places keep no positions, because playing from the first position again costs a lane next to nothing.

What belongs together lies together, in numbers that follow each other: lanes outgrow the fast memory of a processor.
"""

from typing import Final

from kernels.chance import Chance, draw_below, draw_fraction
from kernels.language import (
    count_ones,
    f64s,
    i32,
    i32s,
    i64,
    i64s,
    record,
    shift_right_unsigned,
    to_i32,
    trailing_zeros,
    u8s,
    wrap64,
)
from kernels.mathematics import exp, log, sqrt

PLANE: Final = 16
WORD: Final = 64
OVER: Final = -2
AT_ONCE: Final = -3
NONE: Final = -1

DONE: Final = 0
NOT_IN_TURNS: Final = 1
NO_ROOM: Final = 2
"""How a search ends: well, or so that it has to be done in another way."""

HIGHEST: Final = 100.0
TEMPERATURE: Final = 10.0
UNTRIED: Final = 1e9
WON: Final = 85.0
GOOD: Final = 60.0
BAD: Final = 35.0

HALVES: Final = tuple([(1 << width) - 1 for width in range(33)])
"""By width: as many bits."""
PATH: Final = 24
"""Places that a simulation may come through: the horizon is at most 20."""

# Of a lane.
SEARCH: Final = 0
PLACE: Final = 1
RELIABLE: Final = 2
DEPTH: Final = 3
LENGTH: Final = 4
ADDED: Final = 5
LEFT: Final = 6
PLACES: Final = 7
EDGES: Final = 8
LANE: Final = 9

ARRIVED: Final = -1
OUTSIDE: Final = -2
"""Instead of a place: where the tree has none yet, and in a play-out."""

# Of a place.
VISITS: Final = 0
SEAT: Final = 1
FIRST: Final = 2
COUNT: Final = 3
NODE: Final = 4

# Of an edge.
TOTAL: Final = 0
TRIED: Final = 1
MOVE: Final = 2
CHILD: Final = 3
EDGE: Final = 4

# Of a search: whole numbers, and floats. Pairs are told by seat.
SIMULATIONS: Final = 0
RAVE: Final = 1
GRAVE: Final = 2
CHARGE_DEPTH: Final = 3
HORIZON: Final = 4
OWN_SEAT: Final = 5
WHOLE: Final = 6
EXPLORATION: Final = 0
TREE_DISCOUNT: Final = 1
CHARGE_DISCOUNT: Final = 2
EPSILON: Final = 3
PAIRS: Final = 4


@record
class Rules:
    """What is the same in all searches of a game. Moves are numbered over all seats; a seat's begin in a new word."""

    seats: i32
    facts: i32
    moves: i32
    words: i32
    starts: i32s
    first_words: i32s
    """By seat, and one more: its first move, and the word of it."""
    owners: i32s
    deeds: i32s
    waiting: u8s
    """By move: its seat, where its deed lies in a room, and whether a seat that can do nothing else is not asked."""
    goal_starts: i32s
    points: f64s
    answers: i32
    worths: i32
    size: i32
    done: i32
    all_deeds: i32
    """Where deeds begin in a room, and how many bytes they take."""


@record
class Searches:
    """What is asked, and what is answered."""

    count: i32
    begun: i32
    positions: u8s
    """By search and fact."""
    whole: i32s
    floats: f64s
    states: i64s
    """Where the random numbers of each stand: before, and after."""
    endings: i32s
    counts: i32s
    most_moves: i32
    found: f64s
    """By search and move of the first position: the sum of its results, and how often it was tried."""


@record
class Trees:
    """A tree per lane, one behind the other. No child is 0, which is the first place of the first lane."""

    most_places: i32
    most_edges: i32
    nodes: i32s
    records: f64s
    """By edge: the sum of its results, how often it was tried, its move and its child."""
    later: f64s
    """By place and move: the same for how it did there or later."""
    liked: f64s
    """By lane and move: the same for how it did anywhere, and its weight in play-outs."""


@record
class Table:
    """The lanes, and what one of them needs while it is looked at."""

    lanes: i32
    busy: i32
    rooms: u8s
    here: i32
    roots: i32
    restarts: i32
    """Where the first positions of all lanes lie among the rooms, and which of them go back there."""
    going_back: i32
    valued: bool
    masks: i64s
    """By lane and word: which moves are legal."""
    lane: i32s
    left: f64s
    """By lane: what is left of a result at its end."""
    states: i64s
    places: i32s
    edges: i32s
    played: i32s
    longest: i32
    seat: i32
    count: i32
    forced: i32s
    legal: i32s
    results: f64s
    stamps: i32s
    stamp: i32
    met: i32s
    logs: f64s
    fetched: float


def look(rooms: u8s, here: i32) -> None:
    """Tells in a room what may be done. The game's network is written in its place."""


def gather(rooms: u8s, here: i32, masks: i64s) -> None:
    """Turns planes of what is legal, by move, into words, by lane. Written by hand."""


def worth(rooms: u8s, here: i32) -> None:
    """Tells in a room what it is worth. The game's network is written in its place."""


def step(rooms: u8s, here: i32, there: i32) -> None:
    """Puts into another room what follows. The game's network is written in its place."""


def go_back(rooms: u8s, there: i32, roots: i32, restarts: i32) -> None:
    """Puts the first positions into those lanes of a room that go back to them. Written by hand."""


def clear(rooms: u8s, address: i32, size: i32) -> None:
    """Fills with zeros. Written by hand."""


def clear_floats(numbers: f64s, first: i32, count: i32) -> None:
    """The same for floats. Written by hand."""


# ------------------------------------------------------------------------------------------------- all lanes


def run(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance) -> None:
    """Does all searches."""
    for number in range(1, len(table.logs)):
        table.logs[number] = log(float(number))
    for lane in range(table.lanes):
        begin(rules, searches, trees, table, lane)
    go_back(table.rooms, table.here, table.roots, table.restarts)
    while table.busy > 0:
        here = table.here
        there = rules.size - here
        clear(table.rooms, table.restarts, PLANE)
        table.going_back = 0
        table.valued = False
        fetch(trees, table)
        look(table.rooms, here)
        gather(table.rooms, here, table.masks)
        for lane in range(table.lanes):
            if table.lane[lane * LANE + SEARCH] >= 0:
                chance.state = table.states[lane]
                go_on(rules, searches, trees, table, chance, lane)
                table.states[lane] = chance.state
        step(table.rooms, here, there)
        clear(table.rooms, here + rules.done, rules.all_deeds)
        if table.going_back > 0:
            go_back(table.rooms, there, table.roots, table.restarts)
        table.here = there


def fetch(trees: Trees, table: Table) -> None:
    """Looks at the places where lanes will choose, for nothing but to have them in fast memory by then: one after the
    other they would be waited for, so they come together.
    """
    for lane in range(table.lanes):
        place = table.lane[lane * LANE + PLACE]
        if place >= 0:
            first = trees.nodes[place * NODE + FIRST]
            if first >= 0:
                table.fetched = table.fetched + trees.records[first * EDGE] + trees.records[first * EDGE + 2 * EDGE]


def begin(rules: Rules, searches: Searches, trees: Trees, table: Table, lane: i32) -> None:
    """Takes the next search that waits, if there is one."""
    own = lane * LANE
    table.lane[own + SEARCH] = NONE
    if searches.begun == searches.count:
        return
    search = searches.begun
    searches.begun = search + 1
    table.busy = table.busy + 1
    table.lane[own + SEARCH] = search
    table.lane[own + LEFT] = searches.whole[search * WHOLE + SIMULATIONS]
    table.lane[own + PLACES] = 0
    table.lane[own + EDGES] = 0
    table.states[lane] = searches.states[search]
    if searches.floats[search * (PAIRS + 3 * rules.seats) + EPSILON] > 0.0:
        for move in range(rules.moves):
            liked = (lane * rules.moves + move) * 3
            trees.liked[liked] = 0.0
            trees.liked[liked + 1] = 0.0
            trees.liked[liked + 2] = 1.0
    bit = 1 << (lane & 7)
    place = table.roots + (lane >> 3)
    for fact in range(rules.facts):
        if searches.positions[search * rules.facts + fact] == 1:
            table.rooms[place] = table.rooms[place] | bit
        else:
            table.rooms[place] = table.rooms[place] & (255 - bit)
        place += PLANE
    simulate(table, lane)
    table.lane[own + PLACE] = ARRIVED


def simulate(table: Table, lane: i32) -> None:
    """Begins a simulation, from the next pass on."""
    own = lane * LANE
    first = table.restarts + (lane >> 3)
    table.rooms[first] = table.rooms[first] | (1 << (lane & 7))
    table.going_back = table.going_back + 1
    table.lane[own + DEPTH] = 0
    table.lane[own + LENGTH] = 0
    table.lane[own + ADDED] = 0
    table.left[lane] = 1.0


def end(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32, ending: i32) -> None:
    """Ends a search and tells what became of it."""
    own = lane * LANE
    search = table.lane[own + SEARCH]
    searches.endings[search] = ending
    if ending == DONE:
        searches.states[search] = chance.state
        node = lane * trees.most_places * NODE
        count = trees.nodes[node + COUNT]
        searches.counts[search] = count
        for number in range(count):
            source = (trees.nodes[node + FIRST] + number) * EDGE
            target = (search * searches.most_moves + number) * 2
            searches.found[target] = trees.records[source + TOTAL]
            searches.found[target + 1] = trees.records[source + TRIED]
    table.busy = table.busy - 1
    begin(rules, searches, trees, table, lane)
    chance.state = table.states[lane]


# ---------------------------------------------------------------------------------------------------- one lane


def go_on(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32) -> None:
    """One move of a lane, or the end of its simulation or of its search."""
    survey(rules, table, lane)
    if table.seat == AT_ONCE:
        end(rules, searches, trees, table, chance, lane, NOT_IN_TURNS)
        return
    place = table.lane[lane * LANE + PLACE]
    if place == ARRIVED:
        ending = arrive(rules, searches, trees, table, lane)
        if ending != DONE:
            end(rules, searches, trees, table, chance, lane, ending)
            return
        place = table.lane[lane * LANE + PLACE]
    if table.seat == OVER:
        value(rules, searches, table, chance, lane)
        finish(rules, searches, trees, table, chance, lane)
        return
    if place >= 0:
        if trees.nodes[place * NODE + FIRST] < 0 and add_edges(rules, trees, table, lane, place) < 0:
            end(rules, searches, trees, table, chance, lane, NO_ROOM)
            return
        go_down(rules, searches, trees, table, chance, lane, place)
    elif not play_on(rules, searches, trees, table, chance, lane):
        finish(rules, searches, trees, table, chance, lane)
        return
    rooms = table.rooms
    forced = table.forced
    deeds = rules.deeds
    bit = 1 << (lane & 7)
    here = table.here + (lane >> 3)
    for seat in range(rules.seats):
        deed = here + deeds[forced[seat]]
        rooms[deed] = rooms[deed] | bit


def arrive(rules: Rules, searches: Searches, trees: Trees, table: Table, lane: i32) -> i32:
    """Where the tree has no place yet: adds one if it may grow so deep. The first one is where the search begins, after
    all others a play-out does.
    """
    own = lane * LANE
    whole = table.lane[own + SEARCH] * WHOLE
    depth = table.lane[own + DEPTH]
    table.lane[own + PLACE] = OUTSIDE
    if depth < searches.whole[whole + HORIZON]:
        child = add_place(rules, searches, trees, table, lane)
        if child < 0:
            return NO_ROOM
        if depth == 0:
            if table.seat != searches.whole[whole + OWN_SEAT]:
                return NOT_IN_TURNS
            table.lane[own + PLACE] = child
            table.lane[own + RELIABLE] = child
        else:
            trees.records[table.edges[lane * PATH + depth - 1] * EDGE + CHILD] = float(child)
            table.places[lane * PATH + depth] = child
            table.lane[own + ADDED] = 1
    return DONE


def go_down(
    rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32, place: i32
) -> None:
    """A move within the tree."""
    own = lane * LANE
    depth = table.lane[own + DEPTH]
    if trees.nodes[place * NODE + VISITS] >= searches.whole[table.lane[own + SEARCH] * WHOLE + GRAVE]:
        table.lane[own + RELIABLE] = place
    edge = select(rules, searches, trees, table, chance, lane, place)
    table.places[lane * PATH + depth] = place
    table.edges[lane * PATH + depth] = edge
    table.lane[own + DEPTH] = depth + 1
    child = to_i32(trees.records[edge * EDGE + CHILD])
    table.lane[own + PLACE] = child if child > 0 else ARRIVED
    table.forced[table.seat] = to_i32(trees.records[edge * EDGE + MOVE])


def play_on(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32) -> bool:
    """A move of a play-out, or its results where it is cut off."""
    own = lane * LANE
    search = table.lane[own + SEARCH]
    length = table.lane[own + LENGTH]
    floats = search * (PAIRS + 3 * rules.seats)
    if length == searches.whole[search * WHOLE + CHARGE_DEPTH]:
        for seat in range(rules.seats):
            default = searches.floats[floats + PAIRS + seat]
            table.results[seat] = biased(rules, searches, chance, search, seat, default)
        return False
    seat = table.seat
    move = table.forced[seat]
    if table.count > 1:
        epsilon = searches.floats[floats + EPSILON]
        if epsilon > 0.0 and draw_fraction(chance) < epsilon:
            move = prefer(rules, trees, table, chance, lane)
        else:
            move = nth_move(rules, table, lane, draw_below(chance, table.count))
        table.forced[seat] = move
    table.played[lane * table.longest + length] = move
    table.lane[own + LENGTH] = length + 1
    table.left[lane] = table.left[lane] * searches.floats[floats + CHARGE_DISCOUNT]
    return True


def survey(rules: Rules, table: Table, lane: i32) -> None:
    """Finds out whose turn it is and how many moves that seat has. Sums instead of cases, because whose turn it is in
    a lane cannot be foreseen, neither by a processor.
    """
    table.seat = OVER
    if (table.rooms[table.here + rules.answers + (lane >> 3)] >> (lane & 7)) & 1 == 1:
        return
    base = lane * rules.words
    first_words = rules.first_words
    starts = rules.starts
    waiting = rules.waiting
    masks = table.masks
    forced = table.forced
    asked = 0
    chooser = 0
    count = 0
    for seat in range(rules.seats):
        word = first_words[seat]
        end_word = first_words[seat + 1]
        bits = masks[base + word]
        found = count_ones(bits)
        only = trailing_zeros(bits)
        for other in range(word + 1, end_word):
            bits = masks[base + other]
            if bits != 0:
                if found == 0:
                    only = (other - word) * WORD + trailing_zeros(bits)
                found += count_ones(bits)
        if found == 0:
            return
        only += starts[seat]
        forced[seat] = only
        asks = 1 - to_i32(found == 1) * waiting[only]
        asked += asks
        chooser += asks * seat
        count += asks * found
    table.seat = chooser
    table.count = count
    if asked != 1:
        table.seat = 0 if asked == 0 else AT_ONCE
        table.count = 1


def nth_move(rules: Rules, table: Table, lane: i32, number: i32) -> i32:
    """A legal move of the seat whose turn it is, by its number among them."""
    first = rules.first_words[table.seat]
    word = first
    base = lane * rules.words
    bits = table.masks[base + word]
    left = number
    ones = count_ones(bits)
    while left >= ones:
        left -= ones
        word += 1
        bits = table.masks[base + word]
        ones = count_ones(bits)
    return rules.starts[table.seat] + (word - first) * WORD + nth_one(bits, left)


def nth_one(bits: i64, number: i32) -> i32:
    """The place of a bit that is set, by its number among those: by halves, each of which is taken or left."""
    if bits & wrap64(bits + 1) == 0:
        return number
    place = 0
    left = number
    width = 32
    while width > 0:
        ones = count_ones(shift_right_unsigned(bits, place) & HALVES[width])
        beyond = to_i32(left >= ones)
        left -= ones * beyond
        place += width * beyond
        width = width >> 1
    return place


def list_moves(rules: Rules, table: Table, lane: i32) -> None:
    """Writes down the legal moves of the seat whose turn it is."""
    first = rules.first_words[table.seat]
    base = lane * rules.words
    found = 0
    for word in range(first, rules.first_words[table.seat + 1]):
        bits = table.masks[base + word]
        start = rules.starts[table.seat] + (word - first) * WORD
        while bits != 0:
            table.legal[found] = start + trailing_zeros(bits)
            found += 1
            bits = bits & wrap64(bits - 1)


def add_place(rules: Rules, searches: Searches, trees: Trees, table: Table, lane: i32) -> i32:
    """Makes the position a new place of the lane's tree; below zero if there is no room. Most places are never seen
    again, so it gets its edges when somebody comes back.
    """
    own = lane * LANE
    if table.lane[own + PLACES] == trees.most_places:
        return -1
    place = lane * trees.most_places + table.lane[own + PLACES]
    table.lane[own + PLACES] = table.lane[own + PLACES] + 1
    node = place * NODE
    trees.nodes[node + VISITS] = 0
    trees.nodes[node + SEAT] = table.seat
    trees.nodes[node + FIRST] = NONE
    trees.nodes[node + COUNT] = table.count if table.seat >= 0 else 0
    if searches.whole[table.lane[own + SEARCH] * WHOLE + RAVE] > 0:
        clear_floats(trees.later, place * rules.moves * 2, rules.moves * 2)
    return place


def add_edges(rules: Rules, trees: Trees, table: Table, lane: i32, place: i32) -> i32:
    """Gives a place its edges; the first of them, or below zero if there is no room."""
    own = lane * LANE
    count = trees.nodes[place * NODE + COUNT]
    used = table.lane[own + EDGES]
    if used + count > trees.most_edges:
        return -1
    table.lane[own + EDGES] = used + count
    first = lane * trees.most_edges + used
    trees.nodes[place * NODE + FIRST] = first
    list_moves(rules, table, lane)
    for number in range(count):
        edge = (first + number) * EDGE
        trees.records[edge + TOTAL] = 0.0
        trees.records[edge + TRIED] = 0.0
        trees.records[edge + MOVE] = float(table.legal[number])
        trees.records[edge + CHILD] = 0.0
    return first


def select(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32, place: i32) -> i32:
    """The edge with the best of what it is worth and what might still be found out, by lot among equals."""
    first = trees.nodes[place * NODE + FIRST]
    count = trees.nodes[place * NODE + COUNT]
    if count == 1:
        return first
    search = table.lane[lane * LANE + SEARCH]
    rave = float(searches.whole[search * WHOLE + RAVE])
    exploration = searches.floats[search * (PAIRS + 3 * rules.seats) + EXPLORATION]
    row = table.lane[lane * LANE + RELIABLE] * rules.moves
    is_root = place == lane * trees.most_places
    records = trees.records
    later = trees.later
    visits = 0.0
    for edge in range(first, first + count):
        visits += records[edge * EDGE + TRIED]
    spread = table.logs[to_i32(visits)]
    best = -1.0
    equals = 0
    chosen = first
    for edge in range(first, first + count):
        tried = records[edge * EDGE + TRIED]
        others = 0
        others_tried = 0.0
        if rave > 0.0:
            others = (row + to_i32(records[edge * EDGE + MOVE])) * 2
            others_tried = later[others + 1]
        worth_of = UNTRIED
        if tried > 0.0:
            worth_of = records[edge * EDGE + TOTAL] / tried + exploration * sqrt(spread / tried)
            if others_tried > 0.0:
                weight = sqrt(rave / (3.0 * tried + rave))
                worth_of = weight * (later[others] / others_tried) + (1.0 - weight) * worth_of
        elif others_tried > 0.0 and not is_root:
            worth_of = later[others] / others_tried
        if worth_of > best:
            best = worth_of
            equals = 1
            chosen = edge
        elif worth_of == best:
            equals += 1
            if draw_below(chance, equals) == 0:
                chosen = edge
    return chosen


def prefer(rules: Rules, trees: Trees, table: Table, chance: Chance, lane: i32) -> i32:
    """A move drawn by lots that weigh e to the power of its mean over the temperature."""
    list_moves(rules, table, lane)
    row = lane * rules.moves
    total = 0.0
    for number in range(table.count):
        total += trees.liked[(row + table.legal[number]) * 3 + 2]
    lot = draw_fraction(chance) * total
    for number in range(table.count):
        lot -= trees.liked[(row + table.legal[number]) * 3 + 2]
        if lot < 0.0:
            return table.legal[number]
    return table.legal[table.count - 1]


# ----------------------------------------------------------------------------------------- the end of a simulation


def value(rules: Rules, searches: Searches, table: Table, chance: Chance, lane: i32) -> None:
    """The results of all seats where a game is over."""
    if not table.valued:
        worth(table.rooms, table.here)
        table.valued = True
    search = table.lane[lane * LANE + SEARCH]
    place = table.here + rules.worths + (lane >> 3)
    shift = lane & 7
    left = table.left[lane]
    for seat in range(rules.seats):
        found = 0
        points = 0.0
        for goal in range(rules.goal_starts[seat], rules.goal_starts[seat + 1]):
            if (table.rooms[place + PLANE * goal] >> shift) & 1 == 1:
                found += 1
                points = rules.points[goal]
        goal_of = points if found == 1 and points > 0.0 else 0.0
        table.results[seat] = biased(rules, searches, chance, search, seat, goal_of * left)


def biased(rules: Rules, searches: Searches, chance: Chance, search: i32, seat: i32, goal: float) -> float:
    """A result as the personality sees it."""
    if goal > WON:
        return goal
    pairs = search * (PAIRS + 3 * rules.seats) + PAIRS + seat
    factor = searches.floats[pairs + 2 * rules.seats]
    if goal <= GOOD and (goal < BAD or draw_below(chance, 2) == 1):
        factor = searches.floats[pairs + rules.seats]
    return min(goal * factor, HIGHEST)


def finish(rules: Rules, searches: Searches, trees: Trees, table: Table, chance: Chance, lane: i32) -> None:
    """Carries the results back; then the next simulation begins, or the search has ended."""
    carry_back(rules, searches, trees, table, lane)
    own = lane * LANE
    table.lane[own + LEFT] = table.lane[own + LEFT] - 1
    if table.lane[own + LEFT] == 0:
        end(rules, searches, trees, table, chance, lane, DONE)
        return
    simulate(table, lane)
    table.lane[own + PLACE] = lane * trees.most_places
    table.lane[own + RELIABLE] = lane * trees.most_places


def carry_back(rules: Rules, searches: Searches, trees: Trees, table: Table, lane: i32) -> None:
    """Adds the results to every place that the simulation came through, the last one first."""
    own = lane * LANE
    search = table.lane[own + SEARCH]
    depth = table.lane[own + DEPTH]
    length = table.lane[own + LENGTH]
    path = lane * PATH
    played = lane * table.longest
    floats = search * (PAIRS + 3 * rules.seats)
    discount = searches.floats[floats + TREE_DISCOUNT]
    with_rave = searches.whole[search * WHOLE + RAVE] > 0
    later = 0
    if searches.floats[floats + EPSILON] > 0.0:
        table.stamp = table.stamp + 1
        for number in range(depth):
            later = meet(table, to_i32(trees.records[table.edges[path + number] * EDGE + MOVE]), later)
        for number in range(length):
            later = meet(table, table.played[played + number], later)
        for number in range(later):
            move = table.met[number]
            liked = (lane * rules.moves + move) * 3
            total = trees.liked[liked] + table.results[rules.owners[move]]
            tried = trees.liked[liked + 1] + 1.0
            trees.liked[liked] = total
            trees.liked[liked + 1] = tried
            trees.liked[liked + 2] = exp((total / tried - HIGHEST) / TEMPERATURE)
    table.stamp = table.stamp + 1
    later = 0
    if with_rave:
        for number in range(length):
            later = meet(table, table.played[played + number], later)
    if table.lane[own + ADDED] == 1:
        place = table.places[path + depth]
        trees.nodes[place * NODE + VISITS] += 1
        if with_rave:
            learn_later(rules, trees, table, place, later)
    for back in range(depth):
        number = depth - 1 - back
        place = table.places[path + number]
        edge = table.edges[path + number] * EDGE
        node = place * NODE
        trees.nodes[node + VISITS] += 1
        trees.records[edge + TOTAL] += table.results[trees.nodes[node + SEAT]]
        trees.records[edge + TRIED] += 1.0
        if with_rave:
            later = meet(table, to_i32(trees.records[edge + MOVE]), later)
            learn_later(rules, trees, table, place, later)
        for seat in range(rules.seats):
            table.results[seat] = table.results[seat] * discount


def meet(table: Table, move: i32, count: i32) -> i32:
    """Notes a move unless it was met before; how many there are."""
    if table.stamps[move] == table.stamp:
        return count
    table.stamps[move] = table.stamp
    table.met[count] = move
    return count + 1


def learn_later(rules: Rules, trees: Trees, table: Table, place: i32, count: i32) -> None:
    first = place * rules.moves
    met = table.met
    results = table.results
    owners = rules.owners
    later = trees.later
    for number in range(count):
        move = met[number]
        entry = (first + move) * 2
        later[entry] += results[owners[move]]
        later[entry + 1] += 1.0
