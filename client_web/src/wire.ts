// Generated from server/live/wire/messages.py by `python -m server.live.wire.typescript`; do not edit.

export const MAX_FRAME = 16384;
export const MOST_LOGS = 400;
export const BEAT_SECONDS = 3;

/** I am still here. Who falls silent is not seated. */
export interface Beat {
  type: "beat";
}

/** I want to play this game. Repeating it changes nothing; after a reload it keeps the time already waited. */
export interface Join {
  type: "join";
  game: string;
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
  code: "bad_message" | "too_fast" | "wrong_turn" | "wrong_ply" | "illegal_move" | "sealed" | "not_offered" | "not_started" | "match_over" | "replaced" | "not_seated" | "session_expired" | "consent_missing" | "busy";
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
  kind: "pointer" | "down" | "up" | "click" | "key" | "pause" | "focus" | "blur" | "hidden" | "visible" | "scroll" | "board";
  x?: number | null;
  y?: number | null;
  width?: number | null;
  height?: number | null;
  key?: string | null;
  target?: string | null;
  ms?: number | null;
}

/** My move for exactly this ply. A repeated one changes nothing and is answered with `State` from there, or with `Sealed` while others still choose. */
export interface Play {
  type: "play";
  ply: number;
  move: string;
}

/** What each member of the panel would do at this ply in another seat, which acts; in the order of the panel. Sent for every ply and every other seat that has a real choice, if there is a panel; `None` where the member could not be computed. There is no answer. */
export interface Propose {
  type: "propose";
  ply: number;
  seat: number;
  choices: (string | null)[];
}

/** What this seat looks at. The first one of a seat is kept with the match; there is no answer. */
export interface Screen {
  type: "screen";
  /** How the board is drawn, in its view's own words; every replay of the match is drawn the same way. */
  board_shape: string;
  language: "en" | "de";
  device: "phone" | "tablet" | "desktop";
  viewport_width: number;
  viewport_height: number;
  /** What the device is mainly operated with. */
  input: "mouse" | "touch" | "none";
}

export type MatchClientMessage = Hello | Screen | Play | Propose | Log;

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
  /** Where to go from here: the questionnaire's door. */
  next: string;
}

/** What has just been committed. If `ply` is not the client's own, it says `Hello` with its own ply. A match that begins with a choice begins with an empty one. */
export interface Moves {
  type: "moves";
  /** The ply of the first of `moves`. */
  ply: number;
  /** As this seat sees them. */
  moves: string[];
  /** Text of this seat's view of the position after the moves. */
  position: string;
  acting: number[];
  over: boolean;
  /** Your legal moves, as in `State`. */
  legal: string[];
  shown: Shown;
  /** The move clock of those who choose, freshly wound. */
  clock_ms: number;
  /** What the moves did on the board, in order, as far as this seat sees it; empty for games that do not tell. */
  events: [string, string, string, string][];
}

/** A player that may or may not sit at this table, as a text `kind:body`, and the seed of its decisions. */
export interface PanelMember {
  player: string;
  seed: string;
}

/** To a seat whose grace time or clock is over: a stand-in plays on. Then the socket closes. */
export interface Replaced {
  type: "replaced";
}

/** To a seat that has chosen while others still choose, and to nobody else: this counts, and is opened with the others'. */
export interface Sealed {
  type: "sealed";
  ply: number;
  move: string;
}

/** What the game's board draws besides the position's text (npc.shown). */
export interface Shown {
  grid: ShownGrid | null;
  facts: string[];
}

/** A square board: pieces as (cell, sign, seat), and what the seat may do as (move, from, to). */
export interface ShownGrid {
  columns: number;
  rows: number;
  pieces: [string, string, number][];
  moves: [string, string, string][];
}

/** Everything that this seat may know; the answer to `Hello`. */
export interface State {
  type: "state";
  match: string;
  /** The reference of the rules. Those of the library are at hand; others come from `/games/sources/{reference}`. */
  game: string;
  /** What the game's board has to know once, or null. */
  setup: unknown;
  you: number;
  /** SHA-256 of the dice seed in hexadecimal; the seed is told when the own answers are in. */
  commitment: string;
  /** Empty where nothing is to be proposed. */
  panel: PanelMember[];
  /** The ply of the first of `moves`: what the client said it knows, or 0 if that was more than there is. */
  since: number;
  /** As this seat sees them. */
  moves: string[];
  /** Moves played so far: since + len(moves). */
  ply: number;
  /** Text of this seat's view of the position at `ply`. */
  position: string;
  /** The seats that choose now; empty before the start and when the match is over. */
  acting: number[];
  over: boolean;
  /** What this seat has chosen at this ply while others still choose. */
  sealed: string | null;
  /** Your legal moves; empty if you do not choose now, also where there is no choice and the server moves. */
  legal: string[];
  shown: Shown;
  /** Time until the match begins; 0 once it has. */
  starts_ms: number;
  /** Time left on the move clock of those who choose; 0 also if it has run out. */
  clock_ms: number;
  /** The whole move clock. */
  clock_total_ms: number;
  /** How fast moves are shown, the same on every seat: 1 is leisurely. */
  animation_speed: number;
  /** If this seat has been asked to move (see `Asked`): how long until a stand-in takes over. */
  asked_ms: number | null;
}

export type MatchServerMessage = State | Moves | Sealed | Asked | Replaced | Ended | Problem;
