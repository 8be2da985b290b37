"""The growing judgement log of a simulated study, and what it says: super experts and evidence about strategies."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri

from lab.arrays import Bools, Floats, Ints, sums
from lab.experts import FOLDS, RULES, ExpertSettings
from lab.intervals import normal_quantile
from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, Session
from lab.rasch.fit import Posteriors, mean_squares
from lab.rasch.joint import Joint, fit_joint
from lab.rasch.responses import from_arrays
from lab.refinement.evidence import Evidence, Ratings
from lab.refinement.pool import Elements
from lab.shrinkage import d_prime_above
from lab.simulation.smoothing import DetectionSmoothing
from lab.smoothing import SmoothingSettings


@dataclass(frozen=True)
class LogSettings:
    experts: ExpertSettings = field(default_factory=ExpertSettings)
    smoothing: SmoothingSettings = field(default_factory=SmoothingSettings)
    expert_window: int = 0
    """Super experts are found from the judgements of so many last sessions; 0: from the whole log."""


class JudgementLog:
    """All judgements so far. Strategies are numbered in the order in which they were first met."""

    def __init__(self, persons: int, settings: LogSettings) -> None:
        self.persons = persons
        self.settings = settings
        self.numbers: dict[Elements, int] = {}
        self.experts: frozenset[int] = frozenset()
        self._by_fold = [np.zeros(persons, dtype=np.bool_) for _ in range(FOLDS)]
        self._sessions: list[Session] = []
        self._smoothing = DetectionSmoothing(settings.smoothing)

    @property
    def sessions(self) -> int:
        return len(self._sessions)

    def numbered(self, population: Sequence[Elements]) -> Ints:
        return np.array([self.numbers.setdefault(one, len(self.numbers)) for one in population], dtype=np.int64)

    def add(self, session: Session) -> None:
        """Takes a session in, finds the super experts anew, and folds it into the ratings."""
        self._sessions.append(session)
        recent = self._sessions[-self.settings.expert_window :]
        log, folds = _joined(recent), _folds(recent)
        found = frozenset(np.flatnonzero(super_experts(log, self.persons, self.settings.experts)).tolist())
        stay = self.settings.experts.stay
        self.experts = self.experts | found if stay else found
        for fold, before in enumerate(self._by_fold):
            chosen = super_experts(_part(log, folds != fold), self.persons, self.settings.experts)
            self._by_fold[fold] = chosen | before if stay else chosen
        self._smoothing.add(session.person, session.truth, session.verdict, self.experts)

    def ratings(self) -> Ratings:
        """Evidence about every strategy of the log; counts are those of super experts by the other folds."""
        whole = _joined(self._sessions)
        expert: Bools = np.stack(self._by_fold)[_folds(self._sessions), whole.person]
        artificial = whole.verdict == SAYS_ARTIFICIAL
        every = self._count(whole.truth, np.ones(len(whole)))
        seen = self._count(whole.truth, expert.astype(np.float64))
        detected = self._count(whole.truth, (expert & artificial).astype(np.float64))
        strategies = {
            elements: Evidence(
                self._smoothing.believability(number),
                int(every[number + 1]),
                float(seen[number + 1]),
                float(detected[number + 1]),
            )
            for elements, number in self.numbers.items()
        }
        humans = Evidence(
            float(1 - detected[0] / seen[0]) if seen[0] else 0.5, int(every[0]), float(seen[0]), float(detected[0])
        )
        return Ratings(strategies, humans)

    def _count(self, truth: Ints, weight: Floats) -> Floats:
        """By number of the strategy plus one; the humans come first."""
        return sums(truth - HUMAN_SEAT, weight, len(self.numbers) + 1)


def super_experts(log: Session, persons: int, settings: ExpertSettings) -> Bools:
    """Who meets the criteria of `lab.experts`, on arrays.

    Where the rule asks for abilities, they are those of the joint estimate: the marginal one agrees with it
    (correlation above .99 on such logs) but takes ten times as long, in every generation of every simulated study.
    """
    artificial = (log.verdict == SAYS_ARTIFICIAL).astype(np.float64)
    of_human = log.truth == HUMAN_SEAT
    (hits, programs), (alarms, humans) = (
        (np.bincount(log.person[seats], artificial[seats], persons), np.bincount(log.person[seats], minlength=persons))
        for seats in (~of_human, of_human)
    )
    enough: Bools = (programs >= settings.least_judgements) & (humans > 0)
    if "convincing" in RULES[settings.rule]:
        counts = np.column_stack((hits, programs, alarms, humans)).astype(np.float64)
        return enough & (d_prime_above(counts, settings.least_d_prime) >= settings.probability)
    met, item = np.unique(log.truth, return_inverse=True)
    success = np.where(of_human & settings.human_counts_against, 1 - artificial, artificial)
    names = tuple(map(str, met.tolist()))
    responses = from_arrays(tuple(map(str, range(persons))), names, log.person, item.astype(np.int64), success)
    model = fit_joint(responses)
    ability = model.ability - model.difficulty[met != HUMAN_SEAT].mean()
    outfit = mean_squares(responses, _posteriors(model), model.difficulty).persons.outfit
    d_prime = ndtri((hits + 0.5) / (programs + 1)) - ndtri((alarms + 0.5) / (humans + 1))
    chosen: Bools = (
        enough
        & (ability - normal_quantile(settings.level) * model.ability_se > settings.margin)
        & (outfit >= settings.outfit_low)
        & (outfit <= settings.outfit_high)
        & (d_prime > settings.least_d_prime)
    )
    return chosen


def _posteriors(model: Joint, nodes: int = 5) -> Posteriors:
    """Abilities as normal distributions with their standard errors."""
    roots, weights = np.polynomial.hermite_e.hermegauss(nodes)
    people = len(model.ability)
    values = model.ability[:, None] + model.ability_se[:, None] * roots
    return Posteriors(values, np.tile(weights / weights.sum(), (people, 1)), np.arange(people))


def _folds(sessions: Sequence[Session]) -> Ints:
    """To which fold each judgement belongs, for ever: by its place in its session."""
    return np.concatenate([np.arange(len(session)) % FOLDS for session in sessions])


def _part(log: Session, kept: Bools) -> Session:
    return Session(log.person[kept], log.truth[kept], log.verdict[kept])


def _joined(sessions: Sequence[Session]) -> Session:
    return Session(
        np.concatenate([one.person for one in sessions]),
        np.concatenate([one.truth for one in sessions]),
        np.concatenate([one.verdict for one in sessions]),
    )
