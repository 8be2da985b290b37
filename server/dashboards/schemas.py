"""What the dashboards' endpoints answer. Persons appear by pseudonym."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from server.dashboards.periods import Unit


class Share(BaseModel):
    """A share with its 95 % interval; `share` is null where nothing was counted."""

    share: float | None
    low: float
    high: float
    of: int


class Totals(BaseModel):
    probands: int
    matches: int
    running: int
    """Now, whatever the filter."""
    waiting: int
    """Now, whatever the filter."""
    judgements: int
    questionnaires: int
    finished: Share
    stand_ins: Share
    wait_median: float | None
    """Seconds."""
    wait_most: float | None
    """Nine of ten waited less, seconds."""


class Period(BaseModel):
    """What happened from `at` on for one hour, day or week."""

    at: datetime
    probands: int = 0
    matches: int = 0
    stand_ins: Share
    """Share of the matches in which a stand-in took a person's seat over."""
    finished: int = 0
    skipped: int = 0
    expired: int = 0
    open: int = 0


class Bin(BaseModel):
    low: float
    high: float
    count: int


class Stage(BaseModel):
    """How many got at least so far."""

    name: str
    persons: int


class Lack(BaseModel):
    """What the next step still lacks."""

    kind: str
    about: str
    reason: str


class RoundNow(BaseModel):
    """The round that runs, or else the last one."""

    id: int
    name: str
    game: str
    status: str
    phase: str
    step: int
    population: int
    waiting: list[Lack]
    since: datetime
    answer: str | None
    """The minimal strategy that a round which is over has found."""
    simulated: bool
    """Whether programs judged instead of people."""


class Overview(BaseModel):
    updated_at: datetime
    since: datetime
    until: datetime
    unit: Unit
    totals: Totals
    periods: list[Period]
    waits: list[Bin]
    stages: list[Stage]
    round: RoundNow | None


class Rated(BaseModel):
    """Where ratings come from."""

    computed_at: datetime
    log_position: int
    judgements: int
    software: str


Ends = tuple[float, float]
"""A 95 % interval."""


class JudgedHuman(BaseModel):
    """How often seats were judged human; the interval knows that answers of one judge resemble each other."""

    share: float | None
    interval: Ends
    judgements: int
    judges: int


class Humans(JudgedHuman):
    """The yardstick: how often real humans are judged human."""

    expert_judgements: int
    expert_detections: int


class HumanPoint(BaseModel):
    """Where real humans stand in the space of the strategies: plain means of what was said about them."""

    detection: Share
    fun: float | None
    challenge: float | None


class Judges(BaseModel):
    """How good the judges are together; Brier score 0.25 and area 0.5 are those of a coin."""

    brier: float | None
    auc: float | None
    auc_interval: Ends | None
    judgements: int
    without_sureness: int


class Intervals(BaseModel):
    detection: Ends
    fun: Ends
    challenge: Ends


class Difference(BaseModel):
    """Share judged human, program minus humans."""

    estimate: float | None
    se: float | None
    interval: Ends


class Equivalence(BaseModel):
    """Two one-sided tests of a difference within ±margin."""

    margin: float
    p: float | None
    equivalent: bool


class Plain(BaseModel):
    """Means of what was said, without weights and smoothing; null where nothing was said."""

    detection: float | None
    fun: float | None
    challenge: float | None


class WithinMatch(Difference):
    """The difference from the humans whom the same judges judged after the same matches, with its test."""

    p: float | None
    equivalent: bool


class Rating(BaseModel):
    """The statistics of one strategy. What ratings of older versions do not have is null."""

    judgements: int
    detection: float
    fun: float
    challenge: float
    believability: float
    intervals: Intervals
    weight: float
    difficulty: float | None
    difficulty_se: float | None
    judged_human: JudgedHuman
    difference_from_humans: Difference
    equivalence: Equivalence
    e_told_apart: float | None
    e_equivalent: float | None
    pairs: int
    expert_judgements: int
    expert_detections: int
    plain: Plain | None = None
    within_match: WithinMatch | None = None
    told_apart: bool | None = None
    """By e-BH, so that of all strategies so called at most 5 % are called so wrongly."""
    shown_equivalent: bool | None = None
    """In the same way."""


class StrategyRow(BaseModel):
    """A strategy with its statistics (null before its first judgement) and its place in the rounds."""

    strategy: str
    generation: int
    """The first step of the round that had it in its population; 0 for the start."""
    origin: str
    parents: list[str]
    plays: bool
    """Whether it is in the population that plays now."""
    rating: Rating | None
    known: bool
    """Whether judgements narrow the share judged human down to half of what is possible."""


class Strategies(BaseModel):
    rated: Rated | None
    humans: Humans | None
    human_point: HumanPoint | None
    judges: Judges | None
    margin: float | None
    strategies: list[StrategyRow]


class Course(BaseModel):
    """Judgements of a strategy in one period."""

    at: datetime
    artificial: Share
    fun: float | None
    challenge: float | None


class Relative(BaseModel):
    strategy: str
    round: str
    round_id: int
    step: int
    origin: str


class OpenAnswer(BaseModel):
    at: datetime
    match: int
    person: str
    question: dict[str, str]
    text: str


class PlayedMatch(BaseModel):
    match: int
    at: datetime
    ended: bool
    game: str
    opponents: list[str]
    won: bool | None


class ElementOf(BaseModel):
    name: str
    meaning: str


class StrategyPage(BaseModel):
    strategy: str
    elements: list[ElementOf]
    words: str | None
    prolog: str | None
    row: StrategyRow
    rated: Rated | None
    humans: Humans | None
    human_point: HumanPoint | None
    ancestors: list[Relative]
    memberships: list[Relative]
    children: list[Relative]
    unit: Unit
    course: list[Course]
    answers: list[OpenAnswer]
    matches: list[PlayedMatch]


class Item(BaseModel):
    """An item of the Rasch model: a strategy, or "human".

    `infit` and `outfit` are averaged over each person's posterior, so that 1 is exactly what the model expects; those
    at the estimate are the conventional ones, for which the limits 0.5 and 1.5 were made.
    """

    item: str
    difficulty: float
    se: float
    infit: float
    outfit: float
    trials: int
    ones: int
    perfect: bool
    robust_se: float | None = None
    infit_at_estimate: float | None = None
    outfit_at_estimate: float | None = None


class MapBin(BaseModel):
    """Persons and items between two abilities, in logits."""

    low: float
    high: float
    persons: int
    items: list[str]


class Reliability(BaseModel):
    eap: float
    wle: float
    items: float


class Rasch(BaseModel):
    ability_mean: float
    ability_sd: float
    items: list[Item]
    reliability: Reliability
    map: list[MapBin]
    parts: list[list[str]] = []
    """Items by connected part; difficulties of different parts are hardly comparable."""


class Group(BaseModel):
    """Persons with a similar pattern of detections; `detection` by strategy."""

    group: int
    persons: int
    detection: dict[str, float]


class Criteria(BaseModel):
    """What super experts must show, as the study has set it."""

    rule: str = "bounds"
    probability: float | None = None
    stay: bool = False
    least_judgements: int
    margin: float
    outfit_low: float
    outfit_high: float
    least_d_prime: float


class PersonsOverview(BaseModel):
    rated: Rated | None
    criteria: Criteria | None
    experts: int
    persons: int
    rasch: Rasch | None
    groups: list[Group]


class Mean(BaseModel):
    """A mean with its 95 % interval, null where there is nothing to compute it from."""

    mean: float | None
    low: float | None
    high: float | None


class AttributeRow(BaseModel):
    """Those who give the same answer in their profile: how they judge, and how they fall into the groups."""

    value: str
    text: dict[str, str]
    """In every language; empty where the value speaks for itself."""
    persons: int
    experts: int
    detected: Share
    """Programs judged artificial."""
    not_accused: Share
    """Humans not judged artificial."""
    ability: Mean
    groups: list[int]


class AttributeReport(BaseModel):
    """The rated persons by one attribute of their profile."""

    attribute: str
    text: dict[str, str]
    rows: list[AttributeRow]


class PersonRow(BaseModel):
    person: str
    weight: float
    judgements: int
    ability: float | None
    se: float | None
    infit: float | None
    outfit: float | None
    d_prime: float | None
    criterion: float | None
    hits: int
    program_seats: int
    false_alarms: int
    human_seats: int
    super_expert: bool
    criteria: dict[str, bool]
    group: int | None
    infit_at_estimate: float | None = None
    outfit_at_estimate: float | None = None
    expert_probability: float | None = None
    """That d′ exceeds the least one of a super expert."""


class PersonsPart(BaseModel):
    """One page of the persons' table."""

    total: int
    page: int
    pages: int
    rows: list[PersonRow]


class Learnt(BaseModel):
    """The share right had all who began gone on, with its standard error."""

    right: float | None
    se: float | None


class Lesson(BaseModel):
    """How many judged rightly at their n-th judgement, programs and humans apart; plain, and without drop-out."""

    number: int
    programs: Share
    humans: Share
    programs_learnt: Learnt | None
    humans_learnt: Learnt | None


class WeightPoint(BaseModel):
    number: int
    at: datetime
    match: int
    seat_truth: str
    right: bool
    overall: float


class Flag(BaseModel):
    name: str
    evidence: str
    state: str
    decided_by: str | None


class Judged(BaseModel):
    """Everything that a person has judged of one strategy, or of humans."""

    truth: str
    judgements: int
    right: int
    weight: float


class PersonPage(BaseModel):
    person: str
    since: datetime
    rating: PersonRow | None
    rated: Rated | None
    asked: list[str]
    """The criteria that a super expert must meet by the rule of the study."""
    left_out: bool
    """Whether ratings leave this person out."""
    history: list[WeightPoint]
    judged: list[Judged]
    flags: list[Flag]
    matches: list[PlayedMatch]
    email: str | None
    """For admins alone."""
