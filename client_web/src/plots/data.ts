// Generated from server/dashboards/schemas.py by `python -m server.dashboards.typescript`; do not edit.

/** Of judges of the same seat: Krippendorff's alpha on verdicts, intraclass correlation on stated probabilities. */
export interface Agreement {
  readonly seats: number;
  readonly alpha: number | null;
  readonly icc: number | null;
}

/** The rated persons by one attribute of their profile. */
export interface AttributeReport {
  readonly attribute: string;
  readonly text: Readonly<Record<string, string>>;
  readonly rows: AttributeRow[];
}

/** Those who give the same answer in their profile: how they judge, and how they fall into the groups. */
export interface AttributeRow {
  readonly value: string;
  readonly text: Readonly<Record<string, string>>;
  readonly persons: number;
  readonly experts: number;
  readonly detected: Share;
  readonly not_accused: Share;
  readonly ability: Mean;
  readonly groups: number[];
}

export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Brier = miscalibration − resolution + uncertainty. */
export interface Calibration {
  readonly bins: CalibrationBin[];
  readonly miscalibration: number;
  readonly resolution: number;
  readonly uncertainty: number;
}

/** Judgements that stated about this probability of "artificial", and how many of them were of programs. */
export interface CalibrationBin {
  readonly stated: number;
  readonly artificial: JudgedHuman;
}

/** What a careful reader asks of the judgements; `lab/checks.py`. */
export interface Checks {
  readonly roc: RocPoint[];
  readonly calibration: Calibration | null;
  readonly agreement: Agreement;
  readonly slopes: SlopeTest | null;
  readonly slope_persons: number;
  readonly dependences: Dependence[];
  readonly shrunk: ShrunkDifficulty[];
}

/** Judgements of a strategy in one period. */
export interface Course {
  readonly at: string;
  readonly artificial: Share;
  readonly fun: number | null;
  readonly challenge: number | null;
}

/** What super experts must show, as the study has set it. */
export interface Criteria {
  readonly rule: string;
  readonly probability: number | null;
  readonly stay: boolean;
  readonly least_judgements: number;
  readonly margin: number;
  readonly outfit_low: number;
  readonly outfit_high: number;
  readonly least_d_prime: number;
}

/** Yen's Q3 of two items. */
export interface Dependence {
  readonly first: string;
  readonly second: string;
  readonly persons: number;
  readonly q3: number;
  readonly above_mean: number;
}

/** Share judged human, program minus humans. */
export interface Difference {
  readonly estimate: number | null;
  readonly se: number | null;
  readonly interval: [number, number];
}

export interface ElementOf {
  readonly name: string;
  readonly meaning: string;
}

/** Two one-sided tests of a difference within ±margin. */
export interface Equivalence {
  readonly margin: number;
  readonly p: number | null;
  readonly equivalent: boolean;
}

export interface Flag {
  readonly name: string;
  readonly evidence: string;
  readonly state: string;
  readonly decided_by: string | null;
}

/** Persons with a similar pattern of detections; `detection` by strategy. */
export interface Group {
  readonly group: number;
  readonly persons: number;
  readonly detection: Readonly<Record<string, number>>;
}

/** Where real humans stand in the space of the strategies: plain means of what was said about them. */
export interface HumanPoint {
  readonly detection: Share;
  readonly fun: number | null;
  readonly challenge: number | null;
}

/** The yardstick: how often real humans are judged human. */
export interface Humans {
  readonly share: number | null;
  readonly interval: [number, number];
  readonly judgements: number;
  readonly judges: number;
  readonly expert_judgements: number;
  readonly expert_detections: number;
}

export interface Intervals {
  readonly detection: [number, number];
  readonly fun: [number, number];
  readonly challenge: [number, number];
}

/** An item of the Rasch model: a strategy, or "human". `infit` and `outfit` are averaged over each person's posterior, so that 1 is exactly what the model expects; those at the estimate are the conventional ones, for which the limits 0.5 and 1.5 were made. */
export interface Item {
  readonly item: string;
  readonly difficulty: number;
  readonly se: number;
  readonly infit: number;
  readonly outfit: number;
  readonly trials: number;
  readonly ones: number;
  readonly perfect: boolean;
  readonly robust_se: number | null;
  readonly infit_at_estimate: number | null;
  readonly outfit_at_estimate: number | null;
}

/** Everything that a person has judged of one strategy, or of humans. */
export interface Judged {
  readonly truth: string;
  readonly judgements: number;
  readonly right: number;
  readonly weight: number;
}

/** How often seats were judged human; the interval knows that answers of one judge resemble each other. */
export interface JudgedHuman {
  readonly share: number | null;
  readonly interval: [number, number];
  readonly judgements: number;
  readonly judges: number;
}

/** How good the judges are together; Brier score 0.25 and area 0.5 are those of a coin. */
export interface Judges {
  readonly brier: number | null;
  readonly auc: number | null;
  readonly auc_interval: [number, number] | null;
  readonly judgements: number;
  readonly without_sureness: number;
}

/** What the next step still lacks. */
export interface Lack {
  readonly kind: string;
  readonly about: string;
  readonly reason: string;
}

/** The share right had all who began gone on, with its standard error. */
export interface Learnt {
  readonly right: number | null;
  readonly se: number | null;
}

/** How many judged rightly at their n-th judgement, programs and humans apart; plain, and without drop-out. */
export interface Lesson {
  readonly number: number;
  readonly programs: Share;
  readonly humans: Share;
  readonly programs_learnt: Learnt | null;
  readonly humans_learnt: Learnt | null;
}

/** Persons and items between two abilities, in logits. */
export interface MapBin {
  readonly low: number;
  readonly high: number;
  readonly persons: number;
  readonly items: string[];
}

/** A mean with its 95 % interval, null where there is nothing to compute it from. */
export interface Mean {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** How many judgements were tested, and how many were left out because the judge had met the strategy before. */
export interface Meetings {
  readonly tested: number;
  readonly left_out: number;
}

/** The crossed mixed model. `spreads` by name; `judges` is how many of them it was fitted to. */
export interface Mixed {
  readonly humans: number | null;
  readonly spreads: Readonly<Record<string, number>>;
  readonly judges: number;
  readonly strategies: Readonly<Record<string, MixedStrategy>>;
}

/** Of the crossed mixed model: the share that new judges would call human, and how far that is from new people. `latent` is the distance on the judges' inner scale, in standard deviations of what they perceive. */
export interface MixedStrategy {
  readonly estimate: number | null;
  readonly se: number | null;
  readonly interval: [number, number];
  readonly share: number | null;
  readonly p: number | null;
  readonly latent: number | null;
  readonly latent_se: number | null;
}

export interface OpenAnswer {
  readonly at: string;
  readonly match: number;
  readonly person: string;
  readonly question: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Overview {
  readonly updated_at: string;
  readonly since: string;
  readonly until: string;
  readonly unit: Unit;
  readonly totals: Totals;
  readonly periods: Period[];
  readonly waits: Bin[];
  readonly stages: Stage[];
  readonly round: RoundNow | null;
}

/** What happened from `at` on for one hour, day or week. */
export interface Period {
  readonly at: string;
  readonly probands: number;
  readonly matches: number;
  readonly stand_ins: Share;
  readonly finished: number;
  readonly skipped: number;
  readonly expired: number;
  readonly open: number;
}

export interface PersonPage {
  readonly person: string;
  readonly since: string;
  readonly rating: PersonRow | null;
  readonly rated: Rated | null;
  readonly asked: string[];
  readonly left_out: boolean;
  readonly history: WeightPoint[];
  readonly judged: Judged[];
  readonly flags: Flag[];
  readonly matches: PlayedMatch[];
  readonly email: string | null;
}

export interface PersonRow {
  readonly person: string;
  readonly weight: number;
  readonly judgements: number;
  readonly ability: number | null;
  readonly se: number | null;
  readonly infit: number | null;
  readonly outfit: number | null;
  readonly d_prime: number | null;
  readonly criterion: number | null;
  readonly hits: number;
  readonly program_seats: number;
  readonly false_alarms: number;
  readonly human_seats: number;
  readonly super_expert: boolean;
  readonly criteria: Readonly<Record<string, boolean>>;
  readonly group: number | null;
  readonly infit_at_estimate: number | null;
  readonly outfit_at_estimate: number | null;
  readonly expert_probability: number | null;
}

export interface PersonsOverview {
  readonly rated: Rated | null;
  readonly criteria: Criteria | null;
  readonly experts: number;
  readonly persons: number;
  readonly rasch: Rasch | null;
  readonly groups: Group[];
}

/** One page of the persons' table. */
export interface PersonsPart {
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly rows: PersonRow[];
}

/** Means of what was said, without weights and smoothing; null where nothing was said. */
export interface Plain {
  readonly detection: number | null;
  readonly fun: number | null;
  readonly challenge: number | null;
}

export interface PlayedMatch {
  readonly match: number;
  readonly at: string;
  readonly ended: boolean;
  readonly game: string;
  readonly opponents: string[];
  readonly won: boolean | null;
}

export interface Rasch {
  readonly ability_mean: number;
  readonly ability_sd: number;
  readonly items: Item[];
  readonly reliability: Reliability;
  readonly map: MapBin[];
  readonly parts: string[][];
}

/** Where ratings come from. */
export interface Rated {
  readonly computed_at: string;
  readonly log_position: number;
  readonly judgements: number;
  readonly software: string;
}

/** The statistics of one strategy. What ratings of older versions do not have is null. */
export interface Rating {
  readonly judgements: number;
  readonly detection: number;
  readonly fun: number;
  readonly challenge: number;
  readonly believability: number;
  readonly intervals: Intervals;
  readonly weight: number;
  readonly difficulty: number | null;
  readonly difficulty_se: number | null;
  readonly judged_human: JudgedHuman;
  readonly difference_from_humans: Difference;
  readonly equivalence: Equivalence;
  readonly e_told_apart: number | null;
  readonly e_equivalent: number | null;
  readonly pairs: number;
  readonly expert_judgements: number;
  readonly expert_detections: number;
  readonly plain: Plain | null;
  readonly within_match: WithinMatch | null;
  readonly told_apart: boolean | null;
  readonly shown_equivalent: boolean | null;
}

export interface Relative {
  readonly strategy: string;
  readonly round: string;
  readonly round_id: number;
  readonly step: number;
  readonly origin: string;
}

export interface Reliability {
  readonly eap: number;
  readonly wle: number;
  readonly items: number;
}

/** Everything from this stated probability on counts as "artificial": hits and false alarms then. */
export interface RocPoint {
  readonly from_probability: number;
  readonly hits: number;
  readonly false_alarms: number;
}

/** The round that runs, or else the last one. */
export interface RoundNow {
  readonly id: number;
  readonly name: string;
  readonly game: string;
  readonly status: string;
  readonly phase: string;
  readonly step: number;
  readonly population: number;
  readonly waiting: Lack[];
  readonly since: string;
  readonly answer: string | null;
  readonly simulated: boolean;
}

/** A share with its 95 % interval; `share` is null where nothing was counted. */
export interface Share {
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
  readonly of: number;
}

export interface ShrunkDifficulty {
  readonly strategy: string;
  readonly difficulty: number;
  readonly se: number;
}

/** Rasch against the two-parameter model; a small p speaks against Rasch. `slopes` by item. */
export interface SlopeTest {
  readonly chi_squared: number;
  readonly df: number;
  readonly p: number;
  readonly slopes: Readonly<Record<string, number>>;
}

/** How many got at least so far. */
export interface Stage {
  readonly name: string;
  readonly persons: number;
}

/** The main analysis and the checks of a game's ratings. What ratings of older versions do not have is null. */
export interface Statistics {
  readonly rated: Rated | null;
  readonly margin: number | null;
  readonly meetings: Meetings | null;
  readonly which: string | null;
  readonly humans: Humans | null;
  readonly mixed: Mixed | null;
  readonly judges: Judges | null;
  readonly rasch: Rasch | null;
  readonly checks: Checks | null;
  readonly strategies: Readonly<Record<string, Rating>>;
}

export interface Strategies {
  readonly rated: Rated | null;
  readonly humans: Humans | null;
  readonly human_point: HumanPoint | null;
  readonly judges: Judges | null;
  readonly margin: number | null;
  readonly strategies: StrategyRow[];
}

export interface StrategyPage {
  readonly strategy: string;
  readonly elements: ElementOf[];
  readonly words: string | null;
  readonly prolog: string | null;
  readonly row: StrategyRow;
  readonly rated: Rated | null;
  readonly humans: Humans | null;
  readonly human_point: HumanPoint | null;
  readonly ancestors: Relative[];
  readonly memberships: Relative[];
  readonly children: Relative[];
  readonly unit: Unit;
  readonly course: Course[];
  readonly answers: OpenAnswer[];
  readonly matches: PlayedMatch[];
}

/** A strategy with its statistics (null before its first judgement) and its place in the rounds. */
export interface StrategyRow {
  readonly strategy: string;
  readonly generation: number;
  readonly origin: string;
  readonly parents: string[];
  readonly plays: boolean;
  readonly rating: Rating | null;
  readonly known: boolean;
}

export interface Totals {
  readonly probands: number;
  readonly matches: number;
  readonly running: number;
  readonly waiting: number;
  readonly judgements: number;
  readonly questionnaires: number;
  readonly finished: Share;
  readonly stand_ins: Share;
  readonly wait_median: number | null;
  readonly wait_most: number | null;
}

/** What Postgres calls them. */
export type Unit = "hour" | "day" | "week";

export interface WeightPoint {
  readonly number: number;
  readonly at: string;
  readonly match: number;
  readonly seat_truth: string;
  readonly right: boolean;
  readonly overall: number;
}

/** The difference from the humans whom the same judges judged after the same matches, with its test. */
export interface WithinMatch {
  readonly estimate: number | null;
  readonly se: number | null;
  readonly interval: [number, number];
  readonly p: number | null;
  readonly equivalent: boolean;
}
