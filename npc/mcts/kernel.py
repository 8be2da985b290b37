"""The search of npc/mcts/search.py as a kernel, for games that take turns and are there as networks.

Step by step it does what plain Python does, draws the same random numbers in the same order and rounds the same way:
tests hold the two together, visits and values included. Moves are numbered over all seats, so a number tells its seat.
"""

from typing import Final

from kernels.chance import Chance, draw_below, draw_fraction
from kernels.language import f64s, i32, i32s, record, u8s
from kernels.mathematics import exp, log, sqrt

PLANE: Final = 16
OVER: Final = -2
AT_ONCE: Final = -3
NONE: Final = -1

DONE: Final = 0
NOT_IN_TURNS: Final = 1
NO_ROOM: Final = 2
"""How a search ends: well, or so that plain Python has to do it."""

HIGHEST: Final = 100.0
TEMPERATURE: Final = 10.0
UNTRIED: Final = 1e9
WON: Final = 85.0
GOOD: Final = 60.0
BAD: Final = 35.0


@record
class Rules:
    """What does not change in a search."""

    seats: i32
    facts: i32
    moves: i32
    starts: i32s
    """By seat, and one more: its first move."""
    owners: i32s
    """By move: its seat."""
    deeds: i32s
    """By move: where its deed lies in a room."""
    waiting: u8s
    """By move: whether a seat that can do nothing else is not asked."""
    goal_starts: i32s
    points: f64s
    """By goal; below zero for no number."""
    answers: i32
    worths: i32
    size: i32
    """Where answers and goals lie in a room, and how large it is."""


@record
class Mind:
    """The personality; pairs are told by seat."""

    simulations: i32
    rave: i32
    grave: i32
    charge_depth: i32
    horizon: i32
    exploration: float
    tree_discount: float
    charge_discount: float
    epsilon: float
    defaults: f64s
    defensiveness: f64s
    aggressiveness: f64s


@record
class Tree:
    """Places in which a seat chooses, and edges, their moves. The first place is number 0."""

    places: i32
    edges: i32
    most_places: i32
    most_edges: i32
    visits: i32s
    seats: i32s
    firsts: i32s
    counts: i32s
    states: u8s
    forced: i32s
    """By place: what is true there, and what those do who are not asked."""
    moves: i32s
    tried: i32s
    totals: f64s
    children: i32s
    """By edge; no child is 0."""
    later_tried: i32s
    later_totals: f64s
    """By place and move: how it did there or later."""
    liked_tried: i32s
    liked_totals: f64s
    liked_weights: f64s
    """By move: how it did anywhere, and its weight in play-outs: there it is asked for more often than it changes."""


@record
class Game:
    """The simulation that runs: a position in one of two rooms, who may do what there, and the way so far."""

    rooms: u8s
    here: i32
    seat: i32
    count: i32
    legal: i32s
    forced: i32s
    depth: i32
    places: i32s
    edges: i32s
    played: i32s
    length: i32
    results: f64s
    stamps: i32s
    stamp: i32
    met: i32s
    """Moves that were met in this simulation; those whose stamp is the current one."""


def look(rooms: u8s, here: i32) -> None:
    """Tells in a room what may be done. The game's network is written in its place."""


def worth(rooms: u8s, here: i32) -> None:
    """Tells in a room what it is worth. The game's network is written in its place."""


def step(rooms: u8s, here: i32, there: i32) -> None:
    """Puts into another room what follows. The game's network is written in its place."""


# ------------------------------------------------------------------------------------------------- the rules


def survey(rules: Rules, game: Game) -> None:
    """Finds out whose turn it is and what that seat may do."""
    rooms = game.rooms
    legal = game.legal
    look(rooms, game.here)
    answers = game.here + rules.answers
    game.seat = NONE
    if rooms[answers] & 1 == 1:
        game.seat = OVER
        return
    at_once = False
    base = 0
    for seat in range(rules.seats):
        found = base
        place = answers + PLANE * (1 + rules.starts[seat])
        for move in range(rules.starts[seat], rules.starts[seat + 1]):
            if rooms[place] & 1 == 1:
                legal[found] = move
                found += 1
            place += PLANE
        if found == base:
            game.seat = OVER
            return
        only = legal[base]
        game.forced[seat] = only
        if found > base + 1 or rules.waiting[only] == 0:
            if game.seat == NONE:
                game.seat = seat
                game.count = found
                base = found
            else:
                at_once = True
    if at_once:
        game.seat = AT_ONCE
    elif game.seat == NONE:
        game.seat = 0
        game.count = 1
        legal[0] = game.forced[0]


def advance(rules: Rules, game: Game, move: i32) -> None:
    """Plays a move of the seat whose turn it is, and looks at what follows."""
    rooms = game.rooms
    here = game.here
    there = rules.size - here
    game.forced[game.seat] = move
    for seat in range(rules.seats):
        rooms[here + rules.deeds[game.forced[seat]]] = 1
    step(rooms, here, there)
    for seat in range(rules.seats):
        rooms[here + rules.deeds[game.forced[seat]]] = 0
    game.here = there
    survey(rules, game)


def go_to(rules: Rules, tree: Tree, game: Game, place: i32) -> None:
    """Goes where a place of the tree is, as far as one more move needs it."""
    game.here = 0
    first = place * rules.facts
    for fact in range(rules.facts):
        game.rooms[PLANE * fact] = tree.states[first + fact]
    for seat in range(rules.seats):
        game.forced[seat] = tree.forced[place * rules.seats + seat]
    game.seat = tree.seats[place]


def add_place(rules: Rules, tree: Tree, game: Game) -> i32:
    """Makes the position a new place of the tree; below zero if there is no room."""
    place = tree.places
    count = game.count if game.seat >= 0 else 0
    if place == tree.most_places or tree.edges + count > tree.most_edges:
        return -1
    tree.places = place + 1
    tree.seats[place] = game.seat
    first = place * rules.facts
    for fact in range(rules.facts):
        tree.states[first + fact] = game.rooms[game.here + PLANE * fact] & 1
    for seat in range(rules.seats):
        tree.forced[place * rules.seats + seat] = game.forced[seat]
    tree.firsts[place] = tree.edges
    tree.counts[place] = count
    for number in range(count):
        tree.moves[tree.edges + number] = game.legal[number]
    tree.edges = tree.edges + count
    return place


# --------------------------------------------------------------------------------------------- one simulation


def search(rules: Rules, mind: Mind, tree: Tree, game: Game, chance: Chance) -> i32:
    """Plays the games. What is true at first stands in the tree as place 0; what became of it stands there as well."""
    go_to(rules, tree, game, 0)
    survey(rules, game)
    if game.seat == AT_ONCE:
        return NOT_IN_TURNS
    if add_place(rules, tree, game) != 0:
        return NO_ROOM
    for move in range(rules.moves):
        tree.liked_weights[move] = 1.0
    for _ in range(mind.simulations):
        ending = simulate(rules, mind, tree, game, chance)
        if ending != DONE:
            return ending
    return DONE


def simulate(rules: Rules, mind: Mind, tree: Tree, game: Game, chance: Chance) -> i32:
    place = 0
    reliable = 0
    depth = 0
    game.length = 0
    added = False
    while True:
        if tree.seats[place] == OVER:
            go_to(rules, tree, game, place)
            break
        if tree.visits[place] >= mind.grave:
            reliable = place
        edge = select(rules, mind, tree, chance, place, reliable)
        game.places[depth] = place
        game.edges[depth] = edge
        depth += 1
        if tree.children[edge] > 0:
            place = tree.children[edge]
        else:
            go_to(rules, tree, game, place)
            advance(rules, game, tree.moves[edge])
            if game.seat == AT_ONCE:
                return NOT_IN_TURNS
            if depth < mind.horizon:
                child = add_place(rules, tree, game)
                if child < 0:
                    return NO_ROOM
                tree.children[edge] = child
                game.places[depth] = child
                added = True
            break
    game.depth = depth
    if play_out(rules, mind, tree, game, chance) != DONE:
        return NOT_IN_TURNS
    carry_back(rules, mind, tree, game, added)
    return DONE


def select(rules: Rules, mind: Mind, tree: Tree, chance: Chance, place: i32, reliable: i32) -> i32:
    """The edge with the best of what it is worth and what might still be found out, by lot among equals."""
    first = tree.firsts[place]
    count = tree.counts[place]
    if count == 1:
        return first
    visits = 0
    for edge in range(first, first + count):
        visits += tree.tried[edge]
    spread = log(float(visits)) if visits > 0 else 0.0
    rave = float(mind.rave)
    best = -1.0
    equals = 0
    chosen = first
    for edge in range(first, first + count):
        others = reliable * rules.moves + tree.moves[edge]
        others_tried = tree.later_tried[others] if mind.rave > 0 else 0
        tried = tree.tried[edge]
        value = UNTRIED
        if tried > 0:
            value = tree.totals[edge] / float(tried) + mind.exploration * sqrt(spread / float(tried))
            if others_tried > 0:
                weight = sqrt(rave / (3.0 * float(tried) + rave))
                mean = tree.later_totals[others] / float(others_tried)
                value = weight * mean + (1.0 - weight) * value
        elif others_tried > 0 and place != 0:
            value = tree.later_totals[others] / float(others_tried)
        if value > best:
            best = value
            equals = 1
            chosen = edge
        elif value == best:
            equals += 1
            if draw_below(chance, equals) == 0:
                chosen = edge
    return chosen


def play_out(rules: Rules, mind: Mind, tree: Tree, game: Game, chance: Chance) -> i32:
    """Plays on to the end or to where it is cut off; the results of all seats, with their biases."""
    steps = 0
    left = 1.0
    while game.seat != OVER:
        if steps == mind.charge_depth:
            for seat in range(rules.seats):
                game.results[seat] = biased(mind, chance, seat, mind.defaults[seat])
            return DONE
        move = game.legal[0]
        if game.count > 1:
            if mind.epsilon > 0.0 and draw_fraction(chance) < mind.epsilon:
                move = prefer(tree, game, chance)
            else:
                move = game.legal[draw_below(chance, game.count)]
        game.played[game.length] = move
        game.length = game.length + 1
        advance(rules, game, move)
        if game.seat == AT_ONCE:
            return NOT_IN_TURNS
        steps += 1
        left *= mind.charge_discount
    worth(game.rooms, game.here)
    for seat in range(rules.seats):
        game.results[seat] = biased(mind, chance, seat, goal_of(rules, game, seat) * left)
    return DONE


def goal_of(rules: Rules, game: Game, seat: i32) -> float:
    """The goal of a seat; nothing if the rules say none, several, or no number."""
    found = 0
    points = 0.0
    for goal in range(rules.goal_starts[seat], rules.goal_starts[seat + 1]):
        if game.rooms[game.here + rules.worths + PLANE * goal] & 1 == 1:
            found += 1
            points = rules.points[goal]
    return points if found == 1 and points > 0.0 else 0.0


def prefer(tree: Tree, game: Game, chance: Chance) -> i32:
    """A move drawn by lots that weigh e to the power of its mean over the temperature."""
    total = 0.0
    for number in range(game.count):
        total += tree.liked_weights[game.legal[number]]
    lot = draw_fraction(chance) * total
    for number in range(game.count):
        lot -= tree.liked_weights[game.legal[number]]
        if lot < 0.0:
            return game.legal[number]
    return game.legal[game.count - 1]


def biased(mind: Mind, chance: Chance, seat: i32, goal: float) -> float:
    """A result as the personality sees it."""
    if goal > WON:
        return goal
    factor = mind.aggressiveness[seat]
    if goal <= GOOD and (goal < BAD or draw_below(chance, 2) == 1):
        factor = mind.defensiveness[seat]
    return min(goal * factor, HIGHEST)


def carry_back(rules: Rules, mind: Mind, tree: Tree, game: Game, added: bool) -> None:
    """Adds the results to every place that the simulation came through, the last one first."""
    if mind.epsilon > 0.0:
        count = 0
        game.stamp = game.stamp + 1
        for number in range(game.depth):
            count = meet(game, tree.moves[game.edges[number]], count)
        for number in range(game.length):
            count = meet(game, game.played[number], count)
        for number in range(count):
            move = game.met[number]
            tree.liked_tried[move] += 1
            tree.liked_totals[move] += game.results[rules.owners[move]]
            mean = tree.liked_totals[move] / float(tree.liked_tried[move])
            tree.liked_weights[move] = exp((mean - HIGHEST) / TEMPERATURE)
    game.stamp = game.stamp + 1
    later = 0
    if mind.rave > 0:
        for number in range(game.length):
            later = meet(game, game.played[number], later)
    if added:
        learn_later(rules, mind, tree, game, game.places[game.depth], later)
        tree.visits[game.places[game.depth]] += 1
    for back in range(game.depth):
        number = game.depth - 1 - back
        place = game.places[number]
        edge = game.edges[number]
        tree.visits[place] += 1
        tree.tried[edge] += 1
        tree.totals[edge] += game.results[tree.seats[place]]
        if mind.rave > 0:
            later = meet(game, tree.moves[edge], later)
            learn_later(rules, mind, tree, game, place, later)
        for seat in range(rules.seats):
            game.results[seat] = game.results[seat] * mind.tree_discount


def meet(game: Game, move: i32, count: i32) -> i32:
    """Notes a move unless it was met before; how many there are."""
    if game.stamps[move] == game.stamp:
        return count
    game.stamps[move] = game.stamp
    game.met[count] = move
    return count + 1


def learn_later(rules: Rules, mind: Mind, tree: Tree, game: Game, place: i32, count: i32) -> None:
    if mind.rave > 0:
        first = place * rules.moves
        for number in range(count):
            move = game.met[number]
            tree.later_tried[first + move] += 1
            tree.later_totals[first + move] += game.results[rules.owners[move]]
