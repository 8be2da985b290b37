"""The growing judgement log of a simulated study, and what it says: super experts and evidence about strategies."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import ndtri

from lab.arrays import Bools, Ints, sums
from lab.experts import FOLDS, RULES, Arrivals, ExpertSettings, convincing
from lab.intervals import normal_quantile
from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, Session
from lab.rasch.fit import at_estimates
from lab.rasch.joint import fit_joint
from lab.rasch.responses import from_arrays
from lab.refinement.evidence import Evidence, Ratings, worth
from lab.refinement.pool import Elements
from lab.simulation.smoothing import DetectionSmoothing
from lab.smoothing import SmoothingSettings


@dataclass(frozen=True)
class LogSettings:
    experts: ExpertSettings = field(default_factory=ExpertSettings)
    smoothing: SmoothingSettings = field(default_factory=SmoothingSettings)
    meetings: str = "first"
    """Which judgements the tests of a round take, as `TuringSettings.meetings`."""


@dataclass(frozen=True)
class _Places:
    """Where the judgements of a session stand, for ever: to which fold they belong, and whether they are first ones."""

    fold: Ints
    first: Bools


class JudgementLog:
    """All judgements so far. Strategies are numbered in the order in which they were first met."""

    def __init__(self, persons: int, settings: LogSettings) -> None:
        self.persons = persons
        self.settings = settings
        self.numbers: dict[Elements, int] = {}
        self.experts: frozenset[int] = frozenset()
        nobody = np.zeros(persons, dtype=np.bool_)
        self._chosen: list[Bools] = [nobody] * (FOLDS + 1)
        """By the judgements of all the other folds; the last entry is by all of them."""
        self._earlier = self._chosen.copy()
        self._sessions: list[Session] = []
        self._places: list[_Places] = []
        self._matches = np.zeros(persons, dtype=np.int64)
        self._met: set[tuple[int, int]] = set()
        self._arrivals = Arrivals()
        self._smoothing = DetectionSmoothing(settings.smoothing)

    @property
    def sessions(self) -> int:
        return len(self._sessions)

    def numbered(self, population: Sequence[Elements]) -> Ints:
        return np.array([self.numbers.setdefault(one, len(self.numbers)) for one in population], dtype=np.int64)

    def add(self, session: Session) -> None:
        """Takes a session in, finds the super experts anew, and folds it into the ratings."""
        before = sum(map(len, self._sessions))
        self._sessions.append(session)
        self._places.append(self._placed(session))
        log, folds = _joined(self._sessions), np.concatenate([one.fold for one in self._places])
        if self.settings.experts.stay:
            new, at = np.unique(session.truth, return_index=True)
            for place in np.argsort(at).tolist():
                if self._arrivals.notes(number := before + int(at[place]), int(new[place])):
                    earlier = self._found(_part(log, np.arange(len(log)) < number), folds[:number])
                    self._earlier = [one | other for one, other in zip(self._earlier, earlier, strict=True)]
        found = self._found(log, folds)
        self._chosen = [one | other for one, other in zip(found, self._earlier, strict=True)]
        self.experts = frozenset(np.flatnonzero(self._chosen[-1]).tolist())
        self._smoothing.add(session.person, session.truth, session.verdict, self.experts)

    def ratings(self) -> Ratings:
        """Evidence about every strategy of the log, as `lab.refinement.ratings.from_log` has it."""
        whole = _joined(self._sessions)
        expert: Bools = np.stack(self._chosen)[np.concatenate([one.fold for one in self._places]), whole.person]
        if self.settings.meetings == "first":
            expert = expert & np.concatenate([one.first for one in self._places])
        rows = len(self.numbers) + 1
        every = sums(whole.truth - HUMAN_SEAT, np.ones(len(whole)), rows)
        cell = (whole.truth - HUMAN_SEAT) * self.persons + whole.person
        trials, detections = (
            sums(cell, chosen.astype(np.float64), rows * self.persons).reshape(rows, self.persons)
            for chosen in (expert, expert & (whole.verdict == SAYS_ARTIFICIAL))
        )

        def evidence(row: int, believability: float) -> Evidence:
            """The humans come first, then the strategies by their numbers."""
            judges = trials[row] > 0
            if not judges.any():
                return Evidence(believability, int(every[row]))
            given, detected = trials[row][judges], detections[row][judges]
            effective = worth(given, detected)
            return Evidence(believability, int(every[row]), effective, effective * float(detected.sum() / given.sum()))

        humans = evidence(0, 0.5)
        if humans.expert_judgements:
            humans = replace(humans, believability=1 - humans.expert_rate)
        return Ratings(
            {
                elements: evidence(number + 1, self._smoothing.believability(number))
                for elements, number in self.numbers.items()
            },
            humans,
        )

    def _found(self, log: Session, folds: Ints) -> list[Bools]:
        """Super experts by the judgements without each fold, and by all of them."""
        return [
            super_experts(_part(log, folds != fold), self.persons, self.settings.experts) for fold in range(FOLDS + 1)
        ]

    def _placed(self, session: Session) -> _Places:
        """Folds by each judge's matches in turns, as `folds_of`; first ones as `first_meetings` has them."""
        fold, first = np.empty(len(session), dtype=np.int64), np.zeros(len(session), dtype=np.bool_)
        folds: dict[tuple[int, int], int] = {}
        met: dict[tuple[int, int], int] = {}
        programs: dict[tuple[int, int], bool] = {}
        rows = list(zip(session.person.tolist(), session.truth.tolist(), session.match.tolist(), strict=True))
        for place, (person, truth, match) in enumerate(rows):
            table = (person, match)
            if table not in folds:
                folds[table] = int(self._matches[person]) % FOLDS
                self._matches[person] += 1
            fold[place] = folds[table]
            if truth != HUMAN_SEAT:
                new = (person, truth) not in self._met and met.setdefault((person, truth), match) == match
                first[place] = new
                programs[table] = programs.get(table, False) or new
        for place, (person, truth, match) in enumerate(rows):
            if truth == HUMAN_SEAT:
                first[place] = programs.get((person, match), True)
        self._met |= met.keys()
        return _Places(fold, first)


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
    if "convincing" in RULES[settings.rule]:
        return convincing(np.column_stack((hits, programs, alarms, humans)).astype(np.float64), settings)
    enough: Bools = (programs >= settings.least_judgements) & (humans > 0)
    if not enough.any():
        return enough
    met, item = np.unique(log.truth, return_inverse=True)
    success = np.where(of_human & settings.human_counts_against, 1 - artificial, artificial)
    names = tuple(map(str, met.tolist()))
    responses = from_arrays(tuple(map(str, range(persons))), names, log.person, item.astype(np.int64), success)
    model = fit_joint(responses)
    ability = model.ability - model.difficulty[met != HUMAN_SEAT].mean()
    outfit = at_estimates(responses, model.ability, model.difficulty).persons.outfit
    d_prime = ndtri((hits + 0.5) / (programs + 1)) - ndtri((alarms + 0.5) / (humans + 1))
    chosen: Bools = (
        enough
        & (ability - normal_quantile(settings.level) * model.ability_se > settings.margin)
        & (outfit >= settings.outfit_low)
        & (outfit <= settings.outfit_high)
        & (d_prime > settings.least_d_prime)
    )
    return chosen


def _part(log: Session, kept: Bools) -> Session:
    return Session(log.person[kept], log.truth[kept], log.verdict[kept], log.match[kept])


def _joined(sessions: Sequence[Session]) -> Session:
    """The numbers of matches are those within each session."""
    return Session(
        np.concatenate([one.person for one in sessions]),
        np.concatenate([one.truth for one in sessions]),
        np.concatenate([one.verdict for one in sessions]),
        np.concatenate([one.match for one in sessions]),
    )
