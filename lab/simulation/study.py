"""A whole simulated study without a server: sessions of judgements and steps of a refinement round until it is done.

Everything follows from the settings and one seed; persons, sessions and steps have random sources of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from lab.arrays import Floats
from lab.probands.factor import HumanFactor
from lab.probands.judging import HUMAN_SEAT, Session, hold_session
from lab.probands.persons import PersonSettings, draw_persons
from lab.refinement.pool import DOCUMENTED, Elements, text
from lab.refinement.round import Phase, RoundState, Step, start, step
from lab.refinement.settings import RECOMMENDED, RefinementSettings
from lab.simulation.judgement_log import JudgementLog, LogSettings


@dataclass(frozen=True)
class StudySettings:
    factor: HumanFactor
    persons: int = 100
    judgements: int = 30
    """Per person and generation, of humans and programs together."""
    human_share: float = 0.5
    """Share of the judged seats on which humans sit; half in the standard match of two probands and one program."""
    people: PersonSettings = field(default_factory=PersonSettings)
    refinement: RefinementSettings = RECOMMENDED
    log: LogSettings = field(default_factory=LogSettings)
    start: tuple[Elements, ...] = DOCUMENTED
    patience: int = 12
    """Further sessions that are held for a step that lacks judgements, before the study gives up."""


@dataclass(frozen=True)
class Generation:
    """What one session of judgements and the step after it gave."""

    number: int
    phase: Phase
    size: int
    believability: float
    """Mean ρ of the population."""
    experts: int
    human_as_human: float
    """Share of humans that super experts do not take for artificial."""
    believable: int
    best: str
    waits: bool


@dataclass(frozen=True)
class Outcome:
    """How a study ended."""

    seed: int
    final: tuple[Elements, ...]
    generations: tuple[Generation, ...]
    found: bool
    in_order: bool
    ended: str
    """The reason of the last decision."""

    @property
    def answer(self) -> Elements | None:
        return self.final[0] if self.final else None


@dataclass
class Study:
    """A running study: `hold` one session after another until `done`."""

    settings: StudySettings
    seed: int
    state: RoundState = field(init=False)
    log: JudgementLog = field(init=False)
    last: Step = field(init=False)
    waited: int = 0

    def __post_init__(self) -> None:
        self.persons = draw_persons(self.settings.persons, self.settings.people, self._rng(0))
        self.state = start(self.seed, self.settings.refinement, self.settings.start, self.settings.factor.pool)
        self.log = JudgementLog(len(self.persons), self.settings.log)
        self.last = Step(self.state)

    @property
    def done(self) -> bool:
        return self.state.phase is Phase.DONE or self.waited > self.settings.patience

    def hold(self, session: Session | None = None) -> Generation:
        """One session with the population of now, and the round's step after it.

        The judgements come from the fast model, unless somebody else has held the session; its strategies are numbered
        by their places in the population.
        """
        population, phase = self.state.population, self.state.phase
        self.log.add(self._in_log(session or self._fast_session()))
        ratings = self.log.ratings()
        self.last = step(self.state, ratings, self.settings.refinement)
        self.state = self.last.state
        self.waited = self.waited + 1 if self.last.waits else 0
        believability = [ratings.of(elements).believability for elements in population]
        return Generation(
            number=self.log.sessions - 1,
            phase=phase,
            size=len(population),
            believability=float(np.mean(believability)),
            experts=len(self.log.experts),
            human_as_human=ratings.humans.believability,
            believable=sum(decision.kind in {"believable", "still believable"} for decision in self.last.decisions),
            best=text(population[int(np.argmax(believability))]),
            waits=self.last.waits,
        )

    def looks(self) -> Floats:
        """How artificial each strategy of the population looks."""
        return np.array([self.settings.factor.artificialness(elements) for elements in self.state.population])

    @property
    def career(self) -> int:
        """Judgements that everybody has given so far."""
        return self.log.sessions * self.settings.judgements

    def rng_of_session(self) -> np.random.Generator:
        """The random source of the session that comes next."""
        return self._rng(self.log.sessions + 1)

    def _fast_session(self) -> Session:
        settings = self.settings
        return hold_session(
            self.persons, self.looks(), settings.judgements, settings.human_share, self.career, self.rng_of_session()
        )

    def _in_log(self, session: Session) -> Session:
        """In the log every strategy has one number for ever."""
        numbers = np.append(self.log.numbered(self.state.population), HUMAN_SEAT)
        return Session(session.person, numbers[session.truth], session.verdict)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, stream])

    def outcome(self, generations: tuple[Generation, ...]) -> Outcome:
        final = tuple(one.elements for one in self.state.final)
        answer = self.state.answer
        return Outcome(
            seed=self.seed,
            final=final,
            generations=generations,
            found=self.settings.factor.is_found_in(answer),
            in_order=self.settings.factor.in_order(answer),
            ended=self.last.decisions[-1].reason if self.last.decisions else "",
        )


def run(study: Study) -> Iterator[Generation]:
    while not study.done:
        yield study.hold()


def simulate(settings: StudySettings, seed: int) -> Outcome:
    study = Study(settings, seed)
    return study.outcome(tuple(run(study)))
