"""A whole simulated study without a server: sessions of judgements and steps of a refinement round until it is done.

Everything follows from the settings and one seed; persons, sessions and steps have random sources of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from games.protocol import Game
from games.registry import game as find_game
from lab.arrays import Floats, Ints
from lab.probands.factor import Factor
from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, Gathering, Session, hold_session, shown_again
from lab.probands.persons import PersonSettings, draw_persons
from lab.refinement.behaviour import behaviour_of
from lab.refinement.pool import Alike, Elements, as_written, population_of, text
from lab.refinement.round import Phase, RoundState, Step, start, step
from lab.refinement.settings import RECOMMENDED, RefinementSettings
from lab.simulation.judgement_log import JudgementLog, LogSettings

LEAVING: Final = 1_000_000
"""The random sources of who leaves come after those of all sessions."""


@dataclass(frozen=True)
class SimulationSettings:
    factor: Factor
    game: str
    """The reference of the game that is played, to whose strategies the factor belongs."""
    persons: int = 100
    judgements: int = 30
    """Per person and generation, of humans and programs together."""
    human_share: float = 0.5
    """Share of the judged seats on which humans sit: half where two probands meet a program, or a person meets a person
    as often as a program."""
    people: PersonSettings = field(default_factory=PersonSettings)
    refinement: RefinementSettings = RECOMMENDED
    log: LogSettings = field(default_factory=LogSettings)
    start: tuple[Elements, ...] = ()
    """P(0); without any, the strategies with which the game begins."""
    again: bool = False
    """Whether people meet again what they misjudged, once they have met everything."""
    adaptive: bool = False
    """Whether, while a step waits, people meet only what still lacks judgements for it."""
    patience: int = 12
    """Further sessions that are held for a step that lacks judgements, before the study gives up."""

    def __post_init__(self) -> None:
        if not self.start:
            object.__setattr__(self, "start", population_of(self.rules))
        if not self.factor.is_played:  # judges who go by names can tell apart whatever has another name
            object.__setattr__(self, "refinement", replace(self.refinement, merge_alike=False))

    @property
    def alike(self) -> Alike:
        return behaviour_of(self.game).alike if self.refinement.merge_alike else as_written

    @property
    def rules(self) -> Game:
        return find_game(self.game)


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

    settings: SimulationSettings
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
        self.present = np.arange(len(self.persons))
        self.met, self.misjudged = (np.zeros((len(self.persons), 0), dtype=np.bool_) for _ in range(2))

    @property
    def done(self) -> bool:
        return self.state.phase is Phase.DONE or self.waited > self.settings.patience

    def hold(self, session: Session | None = None) -> Generation:
        """One session with the population of now, and the round's step after it.

        The judgements come from the fast model, unless somebody else has held the session; its strategies are numbered
        by their places in the population.
        """
        population, phase = self.state.population, self.state.phase
        held = self._in_log(session or self._fast_session())
        self.log.add(held)
        self._remember(held)
        ratings = self.log.ratings()
        self.last = step(self.state, ratings, self.settings.refinement, self.settings.alike)
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
        rng = self.rng_of_session()
        sights = settings.factor.sights(self.state.population)
        gathering = Gathering(self.present, self._deal(rng))
        return hold_session(
            self.persons, sights, settings.judgements, settings.human_share, self.career, rng, gathering
        )

    def _deal(self, rng: np.random.Generator) -> Ints | None:
        """Which programs everybody meets; None leaves it to chance."""
        programs = self.settings.judgements - round(self.settings.judgements * self.settings.human_share)
        if self.settings.adaptive and (lacking := self._lacking()):
            return rng.choice(np.array(lacking), (len(self.present), programs))
        if not self.settings.again:
            return None
        numbers = self.log.numbered(self.state.population)
        self._make_room()
        met, misjudged = (known[np.ix_(self.present, numbers)] for known in (self.met, self.misjudged))
        return shown_again(met, misjudged, programs, rng)

    def _lacking(self) -> list[int]:
        """Places in the population of those for which a step waits."""
        about = {decision.about for decision in self.last.decisions if decision.kind == "wait"}
        return [place for place, elements in enumerate(self.state.population) if text(elements) in about]

    def _remember(self, session: Session) -> None:
        """What everybody has met and how he or she judged it last; and who comes again."""
        if self.settings.again:
            self._make_room()
            programs = session.truth != HUMAN_SEAT
            where = (session.person[programs], session.truth[programs])
            self.met[where] = True
            self.misjudged[where] = session.verdict[programs] != SAYS_ARTIFICIAL
        if self.settings.people.leaving:
            self.present = self.persons.stay(self.present, self._rng(LEAVING + self.log.sessions))

    def _make_room(self) -> None:
        more = len(self.log.numbers) - self.met.shape[1]
        self.met, self.misjudged = (np.pad(known, ((0, 0), (0, more))) for known in (self.met, self.misjudged))

    def _in_log(self, session: Session) -> Session:
        """In the log every strategy has one number for ever."""
        numbers = np.append(self.log.numbered(self.state.population), HUMAN_SEAT)
        return replace(session, truth=numbers[session.truth])

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


def simulate(settings: SimulationSettings, seed: int) -> Outcome:
    study = Study(settings, seed)
    return study.outcome(tuple(run(study)))
