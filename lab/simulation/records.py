"""What a complete simulated study consists of, as plain records: nothing here knows a database."""

from dataclasses import dataclass

from lab.judgements import HUMAN, Challenge, Judgement, Verdict
from lab.probands.playing import PlayedMatch
from lab.refinement.round import RoundState, Step


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """A simulated proband. `profile` has the answers that were given, by key; the traits are the hidden truth."""

    number: int
    joined: float
    profile: dict[str, str]
    sensitivity: float
    criterion: float
    falsifier: bool

    @property
    def email(self) -> str:
        return f"proband{self.number:06}@simulated.invalid"


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Either a person sits there or a strategy; `seed` is that of its decisions."""

    person: int | None
    strategy: str | None
    seed: str


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """One person's answers about one other seat; `aim` is the open answer, None if left empty. Keys as in the log."""

    person: int
    seat: int
    truth: str
    verdict: Verdict
    sureness: int
    challenge: Challenge
    enjoyment: int
    aim: str | None
    answered: float

    def judgement(self, match: int) -> Judgement:
        return Judgement(
            self.answered,
            str(match),
            str(self.person),
            self.truth,
            self.verdict,
            self.sureness,
            self.enjoyment,
            self.challenge,
        )

    @property
    def of_human(self) -> bool:
        return self.truth == HUMAN


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match with what its persons answered. `played` is None where a study was asked for without books."""

    number: int
    generation: int
    started: float
    ended: float
    seats: tuple[SeatRecord, ...]
    played: PlayedMatch | None
    judgements: tuple[JudgementRecord, ...]


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A step of the round after all matches of a generation; `before` is the state it was taken from."""

    at: float
    before: RoundState
    step: Step
    experts: tuple[int, ...]


StudyRecord = PersonRecord | MatchRecord | StepRecord
