/**
 * What a table is fed with: plain data, the same whether it comes from the referee, the Python worker or a book.
 * The rules live in Python (games/); nothing here decides what is legal.
 */

/** From 0 in turn order. */
export type Seat = number;
export const CHANCE: Seat = -1;

/** One thing that a move does: how, with which piece, from where, to where, in the words of the game. */
export type Happening = readonly [how: string, piece: string, source: string, target: string];

/** A square board: pieces as (cell, sign, seat), and the moves of whoever looks as (move, from, to). */
export interface GridPicture {
  readonly columns: number;
  readonly rows: number;
  readonly pieces: readonly (readonly [cell: string, sign: string, seat: Seat])[];
  readonly moves: readonly (readonly [move: string, source: string, target: string])[];
}

/** What a board draws besides the position's text, as far as the game's board asks for it. */
export interface Shown {
  readonly grid: GridPicture | null;
  readonly facts: readonly string[];
}

/** A position as the one who looks may know it. */
export interface Moment {
  /** Its exact text. */
  readonly position: string;
  readonly shown: Shown;
  /** The seats that choose now; none before the start, while chance acts, and when it is over. */
  readonly acting: readonly Seat[];
  readonly over: boolean;
}

/** Moves that were played together, chance included, as the one who looks saw them, and where they led. */
export interface Update {
  /** The ply of the first move. */
  readonly ply: number;
  readonly moves: readonly string[];
  /** Who made each move; CHANCE for chance. */
  readonly seats: readonly Seat[];
  /** What the moves did, in order. */
  readonly events: readonly Happening[];
  /** Null for an own move that is shown before the referee has told where it leads. */
  readonly after: Moment | null;
}

/** What was played, and where. */
export interface Played {
  readonly update: Update;
  readonly before: Moment;
}

/** A legal move and what it would do. */
export interface Option {
  readonly move: string;
  readonly events: readonly Happening[];
}

/** What a seat is asked: one of the legal moves. */
export interface Question {
  readonly moment: Moment;
  readonly legal: readonly string[];
  /** What they would do, as far as it is known already. */
  readonly options: readonly Option[] | null;
}

/** What is left to be shown of an update whose first move was shown when it was made. */
export function rest(update: Update, shown: Update): Update {
  const known = shown.moves.length;
  return {
    ply: update.ply + known,
    moves: update.moves.slice(known),
    seats: update.seats.slice(known),
    events: update.events.slice(shown.events.length),
    after: update.after,
  };
}

/** Who made the moves that were played after a moment: first those who were to act, in their order, then chance. */
export const seatsOf = (moves: readonly string[], before: Moment): Seat[] => moves.map((_, index) => before.acting[index] ?? CHANCE);
