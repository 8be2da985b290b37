"""The search itself: play out many games from here, remember what was good, and look there more closely.

Every simulation starts in one of the worlds that the seat has to reckon with, goes down the tree by what was learnt so
far, adds a place to it, plays the game out from there, and carries the results of all seats back up. Chance is drawn.
Seats that act at once choose independently, each by its own records, and learn by turns. Budgets are counted, never
timed, and random numbers come from one generator: the same question has the same answer everywhere.

Plain loops over whole numbers and floats on purpose: it is the measure for anything that searches faster.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from games.protocol import CHANCE, OVER, Game, Position, Seat
from kernels.mathematics import exp, log, sqrt
from npc.mcts.chance import Generator
from npc.mcts.parameters import Parameters
from npc.mcts.quick import quick_records
from npc.mcts.tree import Node, Record

HIGHEST: Final = 100.0
"""The best goal; also what a move counts that play-outs know nothing of yet."""
TEMPERATURE: Final = 10.0
"""By how many points a mean must be better for its move to be preferred e to 1 in play-outs."""
UNTRIED: Final = 1e9
"""Above anything that a move can be worth: what nothing is known of is tried first."""
WON, GOOD, BAD = 85.0, 60.0, 35.0
"""Above the first, results are as good as wins and stay as they are; between the others nothing is decided."""

Passed = tuple[Node, tuple[tuple[Seat, int], ...], Seat]
"""A place in the tree that a simulation came through, what the seats chose there, and which of them learns from it."""
NOBODY: Final = -1


class Tried(NamedTuple):
    """What became of a move: in how many games it was tried, and what it was worth there on average, 0 to 100."""

    move: Any
    visits: int
    value: float


def search(view: Position, seat: Seat, parameters: Parameters, chance: Generator) -> tuple[Tried, ...]:
    """How each legal move of an acting seat did, in the order of the rules, by what the seat may know."""
    view = view.quickened()
    records: Sequence[Record | None] | None = quick_records(view, seat, parameters, chance)
    return told(view.moves(seat), plain_records(view, seat, parameters, chance) if records is None else records)


def plain_records(view: Position, seat: Seat, parameters: Parameters, chance: Generator) -> list[Record | None]:
    """The same in plain Python, which searches everything; None where a move was not tried."""
    return _Search(view, seat, parameters, chance).run()


def can_search(game: Game) -> bool:
    """Whether the game tells what each seat has to reckon with."""
    start = game.start()
    return all(start.view(seat).worlds(seat) for seat in range(len(game.seats)))


class _Search:
    def __init__(self, view: Position, seat: Seat, parameters: Parameters, chance: Generator) -> None:
        self.view = view
        self.seat = seat
        self.parameters = parameters
        self.chance = chance
        self.worlds = view.worlds(seat)
        self.seats = len(view.scores())
        self.numbers: dict[Any, int] = {}
        """The number of every move that was met."""
        self.liked: tuple[dict[int, Record], ...] = tuple([{} for _ in range(self.seats)])
        """Of each seat: how each of its moves did anywhere."""
        self.root = Node(self.seats)
        self.learns_later = parameters.rave > 0
        self.learns_likes = parameters.epsilon > 0

    def run(self) -> list[Record | None]:
        for _ in range(self.parameters.simulations):
            self.simulate()
        records = self.root.moves[self.seat]
        return [records.get(self.number(move)) for move in self.view.moves(self.seat)]

    def number(self, move: Any) -> int:
        return self.numbers.setdefault(move, len(self.numbers))

    # ------------------------------------------------------------------------------------------- one simulation

    def simulate(self) -> None:
        """From a world down the tree, out of it to the end of a game, and back."""
        position = self.view.world(self.seat, self.chance.way(self.worlds))
        played: list[tuple[Seat, int]] = []
        passed: list[Passed] = []
        node: Node | None = self.root
        reliable = self.root
        while node is not None and position.to_act != OVER:
            if node.visits >= self.parameters.grave:
                reliable = node
            acting = position.acting
            learner = acting[self.chance.way(len(acting))]
            chosen = []
            for seat in acting:
                moves = position.moves(seat)
                chosen.append(
                    (seat, self.select(node, reliable, seat, moves) if seat == learner else self.mix(node, seat, moves))
                )
            choices = tuple([(seat, self.number(move)) for seat, move in chosen])
            passed.append((node, choices, learner))
            played.extend(choices)
            way = []
            for _, move in chosen:
                way.append(position.seen(move, self.seat))
                position = position.play(move)
            while position.to_act == CHANCE:
                move = position.drawn(self.chance.way(position.ways))
                way.append(position.seen(move, self.seat))
                position = position.play(move)
            node = self.follow(node, tuple(way), passed)
        self.carry_back(self.play_out(position, played), passed, played)

    def follow(self, node: Node, way: tuple[str, ...], passed: list[Passed]) -> Node | None:
        """The next place; a new one is added if the tree may grow so deep, and then the play-out begins."""
        following = node.children.get(way)
        if following is None and len(passed) < self.parameters.horizon:
            node.children[way] = added = Node(self.seats)
            passed.append((added, (), NOBODY))
        return following

    def select(self, node: Node, reliable: Node, seat: Seat, moves: tuple[Any, ...]) -> Any:
        """The move with the best of what it is worth and what might still be found out, by lot among equals."""
        if len(moves) == 1:
            return moves[0]
        records, later = node.moves[seat], reliable.later[seat]
        rave, exploration = self.parameters.rave, self.parameters.exploration_factor
        numbers = [self.number(move) for move in moves]
        visits = 0
        for number in numbers:
            record = records.get(number)
            if record is not None:
                visits += record.visits
        spread = _log(visits) if visits else 0.0
        best, equals, chosen = -1.0, 0, 0
        for place, number in enumerate(numbers):
            record = records.get(number)
            others = later.get(number)
            if record is not None:
                tried = record.visits
                value = record.total / tried + exploration * sqrt(spread / tried)
                if others is not None:
                    weight = sqrt(rave / (3.0 * tried + rave))
                    value = weight * (others.total / others.visits) + (1.0 - weight) * value
            elif others is not None and node is not self.root:
                value = others.total / others.visits
            else:
                value = UNTRIED
            if value > best:
                best, equals, chosen = value, 1, place
            elif value == best:
                equals += 1
                if self.chance.below(equals) == 0:
                    chosen = place
        return moves[chosen]

    def mix(self, node: Node, seat: Seat, moves: tuple[Any, ...]) -> Any:
        """A move as a seat has mixed them so far, by lots that weigh how often it tried each.

        Of seats that choose at once only one learns at a time, against how the others play on the whole. If all did,
        they would learn in step, and find good what goes well only while the others change their minds with them.
        """
        records = node.moves[seat]
        weights = []
        for move in moves:
            record = records.get(self.number(move))
            weights.append(1 if record is None else 1 + record.visits)
        lot = self.chance.below(sum(weights))
        for move, weight in zip(moves, weights, strict=True):
            lot -= weight
            if lot < 0:
                return move
        raise AssertionError("a lot is below the sum of all weights")

    def play_out(self, position: Position, played: list[tuple[Seat, int]]) -> list[float]:
        """The results of all seats, with their biases, after a game was played on to its end or cut off."""
        parameters, chance = self.parameters, self.chance
        steps, left = 0, 1.0
        while (seat := position.to_act) != OVER:
            if seat == CHANCE:
                position = position.play(position.drawn(chance.way(position.ways)))
                continue
            if steps == parameters.charge_depth:
                return [self.biased(each, self.own(each, parameters.charge_defaults)) for each in range(self.seats)]
            moves = position.moves()
            if len(moves) == 1:
                move = moves[0]
            elif self.learns_likes and chance.fraction() < parameters.epsilon:
                move = self.prefer(seat, moves)
            else:
                move = moves[chance.below(len(moves))]
            if self.learns_later or self.learns_likes:
                played.append((seat, self.number(move)))
            position = position.play(move)
            steps += 1
            left *= parameters.charge_discount
        return [self.biased(each, goal * left) for each, goal in enumerate(position.goals())]

    def prefer(self, seat: Seat, moves: tuple[Any, ...]) -> Any:
        """A move drawn by lots that weigh e to the power of its mean over the temperature."""
        liked = self.liked[seat]
        weights = []
        total = 0.0
        for move in moves:
            record = liked.get(self.number(move))
            mean = HIGHEST if record is None else record.total / record.visits
            weight = exp((mean - HIGHEST) / TEMPERATURE)
            weights.append(weight)
            total += weight
        lot = self.chance.fraction() * total
        for move, weight in zip(moves, weights, strict=True):
            lot -= weight
            if lot < 0.0:
                return move
        return moves[-1]

    def biased(self, seat: Seat, goal: float) -> float:
        """A result as the personality sees it."""
        parameters = self.parameters
        return biased(
            goal, self.own(seat, parameters.aggressiveness), self.own(seat, parameters.defensiveness), self.chance
        )

    def own(self, seat: Seat, pair: tuple[float, float]) -> float:
        """Which number of a pair counts for a seat."""
        return pair[0] if seat == self.seat else pair[1]

    def carry_back(self, results: list[float], passed: list[Passed], played: list[tuple[Seat, int]]) -> None:
        """Adds the results to every place that the simulation came through, the last one first."""
        later: dict[tuple[Seat, int], None] = {}
        if self.learns_later or self.learns_likes:
            inside = sum([len(choices) for _, choices, _ in passed])
            later = dict.fromkeys(played[inside:])
        if self.learns_likes:
            for seat, number in dict.fromkeys(played):
                _add(self.liked[seat], number, results[seat])
        for node, choices, learner in reversed(passed):
            node.visits += 1
            for seat, number in choices:
                if seat == learner:
                    _add(node.moves[seat], number, results[seat])
                later[seat, number] = None
            if self.learns_later:
                for seat, number in later:
                    _add(node.later[seat], number, results[seat])
            if choices:
                results = [result * self.parameters.tree_discount for result in results]


def biased(goal: float, aggressiveness: float, defensiveness: float, chance: Generator) -> float:
    """What is as good as won stays; what is good or bad is made more or less of; in between one of both, by lot."""
    if goal > WON:
        return goal
    if goal > GOOD:
        factor = aggressiveness
    elif goal < BAD or chance.below(2) == 1:
        factor = defensiveness
    else:
        factor = aggressiveness
    return min(goal * factor, HIGHEST)


@cache
def _log(number: int) -> float:
    """There are no more numbers of games than simulations, and each is asked for again and again."""
    return log(float(number))


def _add(records: dict[int, Record], number: int, result: float) -> None:
    record = records.get(number)
    if record is None:
        record = records[number] = Record()
    record.visits += 1
    record.total += result


def told(moves: Sequence[Any], records: Sequence[Record | None]) -> tuple[Tried, ...]:
    """What became of each move. What was never tried may be as good as the mean."""
    visits, total = 0, 0.0
    for record in records:  # no `sum`, which adds up floats in another way in newer Pythons
        if record is not None:
            visits += record.visits
            total += record.total
    mean = total / max(visits, 1)
    return tuple(
        [
            Tried(move, record.visits, record.total / record.visits)
            if record and record.visits
            else Tried(move, 0, mean)
            for move, record in zip(moves, records, strict=True)
        ]
    )
