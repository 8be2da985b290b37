/** Turns what was played (moves, what the piece's move did, the position they led to) into frames for the board. */

import type { Happening, Option as Known, Update } from "../../table/model";
import type { Field, Frame, Layout, Option, State, Step } from "./model";
import { endsTurn, isCall, isRoll, nextSeat, pieceOf, plain, readPosition } from "./notation";

export const readSteps = (events: readonly Happening[]): Step[] =>
  events.map(([how, piece, from, to]) => ({ piece: Number(piece), from: Number(from), to: Number(to), kind: how as Step["kind"] }));

/** One frame per move; without the position they led to, the last one is as far as the picture needs it. */
export function framesOf(update: Update, before: State): Frame[] {
  const after = update.after && readPosition(update.after.position);
  let state = before;
  const frames = update.moves.map((move, index) => {
    const seat = state.seat ?? 0;
    const steps = pieceOf(move) === null ? [] : readSteps(update.events);
    const last = index === update.moves.length - 1;
    state = last && after ? after : { ...follow(state, move, steps), lastTurns: endsTurn(move) && after ? after.lastTurns : state.lastTurns };
    return { ply: update.ply + index, move, seat, steps, state };
  });
  return frames.filter(({ move }) => !isCall(move));
}

/** The state after one move, as far as the picture needs it: the rules themselves are not repeated here. */
function follow(state: State, move: string, steps: readonly Step[]): State {
  if (endsTurn(move)) return { ...state, pieces: moved(state.pieces, steps), seat: nextSeat(state.seat ?? 0), points: 0, again: null };
  if (plain(move) === "again") return { ...state, again: "due" };
  if (plain(move) === "keep") return { ...state, again: null };
  if (!isRoll(move)) return state;
  const pips = Number(move);
  if (state.again === "due") return { ...state, points: 6 + pips, again: null };
  return { ...state, points: pips, again: pips === 6 ? "may" : null };
}

function moved(pieces: readonly Field[], steps: readonly Step[]): Field[] {
  const result = [...pieces];
  for (const step of steps) result[step.piece] = step.to;
  return result;
}

/** Options as the rules tell them. */
export function exactOptions(known: readonly Known[], state: State): Option[] {
  return known.flatMap(({ move, events }) => {
    const piece = pieceOf(move);
    return piece === null ? [] : [{ move, piece, from: state.pieces[piece]!, landing: state.pieces[piece]! + state.points, steps: readSteps(events) }];
  });
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
