// Generated from server/live/wire.py by `python -m server.live.typescript`; do not edit.

export const MAX_FRAME = 4096;
export const MOST_LOGS = 400;
export const BEAT_SECONDS = 3;

/** I am still here. Who falls silent is not seated. */
export interface Beat {
  type: "beat";
}

/** I want to play. Repeating it changes nothing; after a reload it keeps the time already waited. */
export interface Join {
  type: "join";
}

/** I do not want to wait any longer; answered with `Left`. */
export interface Leave {
  type: "leave";
}

export type LobbyClientMessage = Join | Beat | Leave;

/** You are out of the queue; the server closes the socket. */
export interface Left {
  type: "left";
}

/** Your message was refused and changed nothing. `ply` is the server's: a client that is behind can say `Hello`. */
export interface Problem {
  type: "error";
  code: "bad_message" | "too_fast" | "wrong_turn" | "wrong_ply" | "illegal_move" | "not_started" | "match_over" | "replaced" | "not_seated" | "session_expired" | "consent_missing" | "busy";
  message: string;
  ply?: number | null;
}

/** Your match is ready: open `/matches/{match}` (or its socket). Also answers `Join` if a match of yours is on. */
export interface Seated {
  type: "seated";
  match: string;
}

/** You are in the queue; answers `Join` and every `Beat`. */
export interface Waiting {
  type: "waiting";
  waited_ms: number;
  /** The longest that anybody waits, the same for everyone whatever the outcome. */
  at_most_ms: number;
}

export type LobbyServerMessage = Waiting | Seated | Left | Problem;

/** Send me the match from this ply on: 0 at first and after a reload, the known ply after a lost connection. */
export interface Hello {
  type: "hello";
  ply?: number;
}

/** A batch of the interaction log, kept with consent only and without an answer. A number that was stored before is not stored again. What is longer than a frame, or has no socket any more, goes to the log's own address instead. */
export interface Log {
  type: "log";
  number: number;
  events: LoggedEvent[];
}

/** One thing that happened in the browser; `t` is milliseconds since the page opened. */
export interface LoggedEvent {
  t: number;
  kind: "pointer" | "down" | "up" | "click" | "key" | "pause" | "focus" | "blur" | "hidden" | "visible" | "scroll";
  x?: number | null;
  y?: number | null;
  key?: string | null;
  target?: string | null;
  ms?: number | null;
}

/** My move for exactly this ply. A repeated one changes nothing and is answered with `State` from there. */
export interface Play {
  type: "play";
  ply: number;
  move: string;
}

/** What each member of the panel would do at this ply, where another seat is to act; in the order of the panel. Sent for every ply at which another seat has a real choice; `None` where the member could not be computed. There is no answer. */
export interface Propose {
  type: "propose";
  ply: number;
  choices: (string | null)[];
}

export type MatchClientMessage = Hello | Play | Propose | Log;

/** To a seat that has exceeded its clock, and to nobody else: move now, or a stand-in plays for you to the end. */
export interface Asked {
  type: "asked";
  ply: number;
  ms: number;
}

/** The match is over. Sent after the last `Moves`, and after `State` to whoever comes later. */
export interface Ended {
  type: "ended";
  ply: number;
  scores: number[];
  winners: number[];
  /** The dice seed in hexadecimal; games.dice derives every die from it. */
  seed: string;
  /** Address of the page that checks the dice. */
  verify: string;
  /** Where to go from here: the questionnaire's door. */
  next: string;
}

/** What has just been committed. If `ply` is not the client's own, it says `Hello` with its own ply. */
export interface Moves {
  type: "moves";
  /** The ply of the first of `moves`. */
  ply: number;
  moves: string[];
  /** Text of the position after the moves. */
  position: string;
  to_act: number;
  legal: string[];
  last_turns: number | null;
  /** The move clock of the seat to act, freshly wound. */
  clock_ms: number;
  /** What the seat's move did, in order, for the animation; empty for games that do not tell. */
  steps: [number, number, number, string][];
}

/** A strategy that may or may not sit at this table, and the seed of its decisions. */
export interface PanelMember {
  strategy: string;
  seed: string;
}

/** To a seat whose grace time or clock is over: a stand-in plays on. Then the socket closes. */
export interface Replaced {
  type: "replaced";
}

/** Everything that this seat may know; the answer to `Hello`. */
export interface State {
  type: "state";
  match: string;
  game: string;
  /** Name of the layout, "standard" for the standard one. */
  layout: string;
  you: number;
  /** SHA-256 of the dice seed in hexadecimal; the seed itself comes with `Ended`. */
  commitment: string;
  panel: PanelMember[];
  /** The ply of the first of `moves`: what the client said it knows, or 0 if that was more than there is. */
  since: number;
  moves: string[];
  /** Moves played so far: since + len(moves). */
  ply: number;
  /** Text of the position at `ply`. */
  position: string;
  /** The seat to act; -1 before the first die, -2 when the match is over. */
  to_act: number;
  /** Legal moves of the seat to act. */
  legal: string[];
  /** Turns left of the last round, once it has begun. */
  last_turns: number | null;
  /** Time until the first die falls; 0 once it has. */
  starts_ms: number;
  /** Time left on the move clock of the seat to act; 0 also if it has run out. */
  clock_ms: number;
  /** The whole move clock. */
  clock_total_ms: number;
  /** If this seat has been asked to move (see `Asked`): how long until a stand-in takes over. */
  asked_ms: number | null;
}

export type MatchServerMessage = State | Moves | Asked | Replaced | Ended | Problem;
