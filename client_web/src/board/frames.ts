/** Turns what was committed (moves, the steps of the piece's move, the position they led to) into frames for the table. */

import type { Field, Frame, Layout, Option, State, Step } from "./model";
import { endsTurn, isRoll, nextSeat, pieceOf, readPosition } from "./notation";

/** Piece, from, to, how: a step as it travels. */
export type WireStep = readonly [number, number, number, string];

/** A seat's move and what chance did after it, as the referee and the practice game tell it. */
export interface Update {
  readonly ply: number;
  readonly moves: readonly string[];
  readonly position: string;
  readonly steps: readonly WireStep[];
}

export const readSteps = (steps: readonly WireStep[]): Step[] =>
  steps.map(([piece, from, to, how]) => ({ piece, from, to, kind: how as Step["kind"] }));

export function framesOf(update: Update, before: State): Frame[] {
  const after = readPosition(update.position);
  let state = before;
  return update.moves.map((move, index) => {
    const seat = state.seat ?? 0;
    const steps = pieceOf(move) === null ? [] : readSteps(update.steps);
    const last = index === update.moves.length - 1;
    state = last ? after : { ...follow(state, move, steps), lastTurns: endsTurn(move) ? after.lastTurns : state.lastTurns };
    return { ply: update.ply + index, move, seat, steps, state };
  });
}

/** The state after one move, as far as the picture needs it: the rules themselves are not repeated here. */
function follow(state: State, move: string, steps: readonly Step[]): State {
  if (endsTurn(move)) return { ...state, pieces: moved(state.pieces, steps), seat: nextSeat(state.seat ?? 0), points: 0, again: null };
  if (move === "again") return { ...state, again: "due" };
  if (move === "keep") return { ...state, again: null };
  if (!isRoll(move)) return state;
  const pips = Number(move);
  if (state.again === "due") return { ...state, points: 6 + pips, again: null };
  return { ...state, points: pips, again: pips === 6 ? "may" : null };
}

export function moved(pieces: readonly Field[], steps: readonly Step[]): Field[] {
  const result = [...pieces];
  for (const step of steps) result[step.piece] = step.to;
  return result;
}

/** Options as far as they can be told without the rules: the landing and its special field, not who is jostled. */
export function roughOptions(state: State, legal: readonly string[], layout: Layout): Option[] {
  return legal.flatMap((move) => {
    const piece = pieceOf(move);
    if (piece === null) return [];
    const from = state.pieces[piece]!;
    const landing = from + state.points;
    const steps: Step[] = [{ kind: "move", piece, from, to: landing }];
    const pair = layout.switches.find((ends) => ends.includes(landing));
    const back = layout.backs.find(([field]) => field === landing);
    if (pair) steps.push({ kind: "switch", piece, from: landing, to: pair[0] === landing ? pair[1] : pair[0] });
    if (back) steps.push({ kind: "back", piece, from: landing, to: back[1] });
    return [{ move, piece, from, landing, steps }];
  });
}
