"""Exponential smoothing of the judgement log: weights of persons and ratings of strategies.

A `Smoothing` is the state after some prefix of the log. Adding judgements one by one, in batches or all at once gives
the same numbers, because the state is a fold over the log in time order.

A judgement counts with the weight the person had *before* it: a weight that already contained the verdict would let
detections count more than failures and push every strategy towards "detected".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.judgements import HUMAN, Judgement, Place, in_order, place

START = 0.5
"""Where the first strategy's rating starts, before any data."""


@dataclass(frozen=True, slots=True)
class SmoothingSettings:
    """`alpha` is how much a new judgement changes a weight or rating.

    `trust_newcomers_to_strategy`: at the first meeting with a strategy a person has no weight for it yet; then the
    overall weight counts (True) or nothing (False: the judgement is kept, but does not move the rating).
    """

    alpha: float = 0.2
    trust_newcomers_to_strategy: bool = True


@dataclass(frozen=True, slots=True)
class WeightPoint:
    """One step in the history of a person's weight."""

    time: float
    match: str
    seat_truth: str
    right: bool
    overall: float
    for_truth: float


@dataclass(slots=True)
class PersonWeight:
    """How well a person has judged lately: overall, and per strategy ("human" for judgements of human seats)."""

    overall: float = 0.0
    by_strategy: dict[str, float] = field(default_factory=dict)
    history: list[WeightPoint] = field(default_factory=list)

    @property
    def judgements(self) -> int:
        return len(self.history)


@dataclass(slots=True)
class Dimension:
    """One smoothed coordinate of a strategy's rating, and the judgements and weight behind it.

    It has no interval: the weights come from earlier verdicts, so the rating does not aim at the plain share, and an
    interval on the weighted counts would cover neither. `lab.ratings.plain_means` has intervals that cover.
    """

    value: float
    count: int = 0
    weight: float = 0.0

    def add(self, x: float, weight: float, alpha: float) -> None:
        self.value += alpha * weight * (x - self.value)
        self.count += 1
        self.weight += weight


@dataclass(slots=True)
class StrategyRating:
    """A strategy as a point in three dimensions."""

    detection: Dimension
    fun: Dimension
    challenge: Dimension

    @property
    def believability(self) -> float:
        return 1.0 - self.detection.value

    @property
    def judgements(self) -> int:
        return self.detection.count


class Smoothing:
    """The smoothed state of a prefix of the log.

    `experts` are the super experts: their overall weight counts for every strategy, other persons count with their
    weight for the strategy. Who is a super expert is a result of the whole log (lab.experts), hence an argument here.
    """

    def __init__(self, settings: SmoothingSettings | None = None, experts: Iterable[str] = ()) -> None:
        self.settings = settings or SmoothingSettings()
        self.experts = frozenset(experts)
        self.persons: dict[str, PersonWeight] = {}
        self.strategies: dict[str, StrategyRating] = {}
        self.until: Place | None = None

    def add(self, judgement: Judgement) -> None:
        """Take one more judgement in. It must not stand before the last in the log: a late one needs recomputing."""
        here = place(judgement)
        if self.until is not None and here < self.until:
            raise ValueError(f"judgement {here} came after {self.until}, which follows it in the log: recompute")
        self.until = here
        self._take(judgement)

    def extend(self, judgements: Iterable[Judgement]) -> Smoothing:
        """Take many more in. They are put in order here, so only the first can stand before the last in the log."""
        following = in_order(judgements)
        if following:
            self.add(following[0])
            for judgement in following[1:]:
                self._take(judgement)
            self.until = place(following[-1])
        return self

    def _take(self, judgement: Judgement) -> None:
        person = self.persons.setdefault(judgement.person, PersonWeight())
        if judgement.seat_truth != HUMAN:
            self._rate(judgement, self._counting_weight(judgement, person))
        self._weigh(judgement, person)

    def rating(self, strategy: str) -> StrategyRating:
        """The rating of a strategy; one that nobody judged yet stands at the mean of the population."""
        return self.strategies.get(strategy) or self._start()

    def _counting_weight(self, judgement: Judgement, person: PersonWeight) -> float:
        if judgement.person in self.experts:
            return person.overall
        newcomer = person.overall if self.settings.trust_newcomers_to_strategy else 0.0
        return person.by_strategy.get(judgement.seat_truth, newcomer)

    def _weigh(self, judgement: Judgement, person: PersonWeight) -> None:
        alpha, x = self.settings.alpha, float(judgement.right)
        person.overall = alpha * x + (1 - alpha) * person.overall
        before = person.by_strategy.get(judgement.seat_truth, 0.0)
        person.by_strategy[judgement.seat_truth] = alpha * x + (1 - alpha) * before
        person.history.append(
            WeightPoint(
                judgement.time,
                judgement.match,
                judgement.seat_truth,
                judgement.right,
                person.overall,
                person.by_strategy[judgement.seat_truth],
            )
        )

    def _rate(self, judgement: Judgement, weight: float) -> None:
        rating = self.strategies.get(judgement.seat_truth)
        if rating is None:
            rating = self.strategies[judgement.seat_truth] = self._start()
        alpha = self.settings.alpha
        rating.detection.add(float(judgement.judged_artificial), weight, alpha)
        if (fun := judgement.fun) is not None:
            rating.fun.add(fun, weight, alpha)
        if (challenge := judgement.challenge_value) is not None:
            rating.challenge.add(challenge, weight, alpha)

    def _start(self) -> StrategyRating:
        known = self.strategies.values()
        return StrategyRating(
            detection=Dimension(_mean([rating.detection.value for rating in known])),
            fun=Dimension(_mean([rating.fun.value for rating in known])),
            challenge=Dimension(_mean([rating.challenge.value for rating in known])),
        )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else START


def smooth(
    judgements: Iterable[Judgement], settings: SmoothingSettings | None = None, experts: Iterable[str] = ()
) -> Smoothing:
    """The whole log at once."""
    return Smoothing(settings, experts).extend(judgements)
