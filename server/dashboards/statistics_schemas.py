"""What the statistics' endpoint answers: the main analysis, and what should be checked before it is believed."""

from __future__ import annotations

from pydantic import BaseModel

from server.dashboards.schemas import Difference, Humans, JudgedHuman, Judges, Rasch, Rated, Rating


class MixedStrategy(Difference):
    """Of the crossed mixed model: the share that new judges would call human, and how far that is from new people.

    `latent` is the distance on the judges' inner scale, in standard deviations of what they perceive.
    """

    share: float | None
    p: float | None
    latent: float | None
    latent_se: float | None


class Mixed(BaseModel):
    """The crossed mixed model. `spreads` by name; `judges` is how many of them it was fitted to."""

    humans: float | None
    spreads: dict[str, float]
    judges: int
    strategies: dict[str, MixedStrategy]


class Meetings(BaseModel):
    """How many judgements were tested, and how many were left out because the judge had met the strategy before."""

    tested: int
    left_out: int


class RocPoint(BaseModel):
    """Everything from this stated probability on counts as "artificial": hits and false alarms then."""

    from_probability: float
    hits: float
    false_alarms: float


class CalibrationBin(BaseModel):
    """Judgements that stated about this probability of "artificial", and how many of them were of programs."""

    stated: float
    artificial: JudgedHuman


class Calibration(BaseModel):
    """Brier = miscalibration − resolution + uncertainty."""

    bins: list[CalibrationBin]
    miscalibration: float
    resolution: float
    uncertainty: float


class Agreement(BaseModel):
    """Of judges of the same seat: Krippendorff's alpha on verdicts, intraclass correlation on stated probabilities."""

    seats: int
    alpha: float | None
    icc: float | None


class SlopeTest(BaseModel):
    """Rasch against the two-parameter model; a small p speaks against Rasch. `slopes` by item."""

    chi_squared: float
    df: int
    p: float
    slopes: dict[str, float]


class Dependence(BaseModel):
    """Yen's Q3 of two items."""

    first: str
    second: str
    persons: int
    q3: float
    above_mean: float


class ShrunkDifficulty(BaseModel):
    strategy: str
    difficulty: float
    se: float


class Checks(BaseModel):
    """What a careful reader asks of the judgements; `lab/checks.py`."""

    roc: list[RocPoint]
    calibration: Calibration | None
    agreement: Agreement
    slopes: SlopeTest | None
    slope_persons: int
    dependences: list[Dependence]
    shrunk: list[ShrunkDifficulty]


class Statistics(BaseModel):
    """The main analysis and the checks of a game's ratings. What ratings of older versions do not have is null."""

    rated: Rated | None
    margin: float | None
    meetings: Meetings | None
    which: str | None
    """Whether first meetings or all were tested."""
    humans: Humans | None
    mixed: Mixed | None
    judges: Judges | None
    rasch: Rasch | None
    checks: Checks | None
    strategies: dict[str, Rating]
