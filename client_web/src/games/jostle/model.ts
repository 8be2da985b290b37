/**
 * What the board is fed with: plain data, the same whether it comes from the Python worker, the referee or a book.
 * The rules live in Python (games/jostle); nothing here decides what is legal.
 */

import type { Seat } from "../../table/model";

/** A field of the track, or STACK. */
export type Field = number;
export const STACK: Field = -1;

/** 0 to 8: three pieces per seat. */
export type PieceId = number;
const PIECES_PER_SEAT = 3;

export const seatOf = (piece: PieceId): Seat => Math.floor(piece / PIECES_PER_SEAT);
/** A player's own number of a piece: 1, 2 or 3, which is also its key on the keyboard. */
export const numberOf = (piece: PieceId): number => (piece % PIECES_PER_SEAT) + 1;
export const piecesOf = (seat: Seat): PieceId[] => [0, 1, 2].map((index) => seat * PIECES_PER_SEAT + index);

export interface Layout {
  /** Number of fields, START included. */
  readonly fields: number;
  /** Goal field and its points, in the order of the track. */
  readonly goals: readonly (readonly [Field, number])[];
  readonly switches: readonly (readonly [Field, Field])[];
  /** Field and the field it sends back to. */
  readonly backs: readonly (readonly [Field, Field])[];
}

/** One thing a move does, in the order in which it happens. */
export interface Step {
  readonly kind: "move" | "switch" | "back" | "jostle";
  readonly piece: PieceId;
  readonly from: Field;
  readonly to: Field;
}

/** A legal move of a piece, with everything it would do. */
export interface Option {
  readonly move: string;
  readonly piece: PieceId;
  readonly from: Field;
  readonly landing: Field;
  readonly steps: readonly Step[];
}

/** A position as it is written in its text, see notation.ts. */
export interface State {
  /** The text itself, for asking Python about it; empty for a state between two positions. */
  readonly text: string;
  /** The field of each piece by its id. */
  readonly pieces: readonly Field[];
  /** Whose turn it is; null when the game is over. */
  readonly seat: Seat | null;
  /** Points to move with; 0 while the die is still to fall. */
  readonly points: number;
  /** After a six: "may" roll again, or the second roll is "due". */
  readonly again: "may" | "due" | null;
  /** Turns left in the last round, or null before it has begun. */
  readonly lastTurns: number | null;
}

/** One move of a match, chance included, with what it did and what it led to. */
export interface Frame {
  readonly ply: number;
  /** "1".."6", "again", "keep", "p0".."p8" or "pass". */
  readonly move: string;
  /** Whose turn it was. */
  readonly seat: Seat;
  readonly steps: readonly Step[];
  readonly state: State;
}

/** The points of the goals that each seat's pieces stand on. */
export function scoresOf(pieces: readonly Field[], layout: Layout): number[] {
  const worth = new Map(layout.goals);
  return [0, 1, 2].map((seat) => piecesOf(seat).reduce((sum, piece) => sum + (worth.get(pieces[piece]!) ?? 0), 0));
}
