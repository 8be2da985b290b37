/**
 * Reads the exact text of a position, `4,-1,-1/1,-1,-1/3,-1,-1 r !2 6?`, as games/jostle writes it; or as the same game is described in
 * facts, `(at 0 4) (control red) (points 3)`.
 */

import type { Seat } from "../../table/model";
import type { State } from "./model";

const LETTERS = ["r", "g", "b"];
const OVER = "-";

export class NotationError extends Error {}

export function readPosition(text: string): State {
  return text.startsWith("(") ? readFacts(text.trim()) : readFields(text);
}

function readFields(text: string): State {
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

const SEATS = ["red", "green", "blue"];

function readFacts(text: string): State {
  const told = (fact: RegExp): string | undefined => fact.exec(text)?.[1];
  const pieces = Array.from({ length: 9 }, (_, piece) => Number(told(new RegExp(`\\(at ${piece} (-?\\d+)\\)`))));
  if (pieces.some(Number.isNaN)) throw new NotationError(`nine facts like (at 0 4) tell where the pieces stand, not ${JSON.stringify(text)}`);
  const control = told(/\(control (\w+)\)/);
  const deciding = /(^|\s)deciding(\s|$)/.test(text);
  const again = !deciding ? null : text.includes("(again dice)") ? "due" : "may";
  const last = told(/\(left (\d)\)/);
  return {
    text,
    pieces,
    seat: control === undefined ? null : SEATS.indexOf(control),
    points: deciding ? 6 : Number(told(/\(points (\d+)\)/) ?? 0),
    again,
    lastTurns: last === undefined || control === undefined ? null : Number(last),
  };
}

/** A move in the words of games/jostle, whichever way it is written; the described game also says that the die is rolled. */
export function plain(move: string): string {
  const [, word, what] = /^\((\w+) (\w+)\)$/.exec(move) ?? [];
  return word === "move" ? `p${what}` : (word ?? move);
}

export const pieceOf = (move: string): number | null => (/^p\d$/.test(plain(move)) ? Number(plain(move).slice(1)) : null);
/** Whether the move only has the die rolled, which needs no picture of its own. */
export const isCall = (move: string): boolean => plain(move) === "roll";
export const isRoll = (move: string): boolean => /^[1-6]$/.test(move);
export const nextSeat = (seat: Seat): Seat => (seat + 1) % LETTERS.length;
/** Whether the turn passes to the next seat after this move. */
export const endsTurn = (move: string): boolean => plain(move) === "pass" || pieceOf(move) !== null;
