/** Reads the exact text of a position, `4,-1,-1/1,-1,-1/3,-1,-1 r !2 6?`, as games/jostle writes it. */

import type { Seat, State } from "./model";

const LETTERS = ["r", "g", "b"];
const OVER = "-";

export class NotationError extends Error {}

export function readPosition(text: string): State {
  const [board, letter, ...tokens] = text.trim().split(/\s+/);
  const pieces = (board ?? "").split(/[/,]/).map(Number);
  const seat = LETTERS.indexOf(letter ?? "");
  if (pieces.length !== 9 || pieces.some(Number.isNaN) || (seat < 0 && letter !== OVER)) {
    throw new NotationError(`a position has nine fields and a seat (r, g, b or -), not ${JSON.stringify(text)}`);
  }
  const last = tokens.find((token) => token.startsWith("!"));
  const points = tokens.find((token) => /^\d/.test(token));
  return {
    text: text.trim(),
    pieces,
    seat: letter === OVER ? null : seat,
    points: points ? Number.parseInt(points, 10) : 0,
    again: points?.endsWith("?") ? "may" : points?.endsWith("+") ? "due" : null,
    lastTurns: last ? Number(last.slice(1)) : null,
  };
}

export const pieceOf = (move: string): number | null => (/^p\d$/.test(move) ? Number(move.slice(1)) : null);
export const isRoll = (move: string): boolean => /^[1-6]$/.test(move);
export const nextSeat = (seat: Seat): Seat => (seat + 1) % LETTERS.length;
/** Whether the turn passes to the next seat after this move. */
export const endsTurn = (move: string): boolean => move === "pass" || pieceOf(move) !== null;
