/** Where a replay stops: at the decisions of seats. */

import type { ReplayFrame, ReplayRecord } from "../python_calls";
import { CHANCE, type Moment, type Played } from "./model";

export interface Stops {
  readonly start: Moment;
  /** The decisions, one after another; what chance did comes with the decision after it. */
  readonly stops: readonly Played[];
}

/** The ply of a decision: what chance did before it is shown with it. */
export const plyOf = ({ update }: Played): number => update.ply + Math.max(0, update.seats.findLastIndex((seat) => seat !== CHANCE));

export function stopsOf({ start, frames }: Pick<ReplayRecord, "start" | "frames">): Stops {
  const lastChoice = frames.findLastIndex(({ seat }) => seat !== CHANCE);
  const ends = frames.flatMap(({ seat }, index) => (seat === CHANCE || index === lastChoice ? [] : [index]));
  if (frames.length > 0) ends.push(frames.length - 1); // what chance does at the very end comes with the last decision
  const first = momentBefore(start, frames, 0);
  let from = 0;
  let before = first;
  const stops = ends.map((end) => {
    const played = frames.slice(from, end + 1);
    const after = momentBefore(frames[end]!, frames, end + 1);
    const stop = { before, update: { ply: from, moves: played.map(({ move }) => move), seats: played.map(({ seat }) => seat), events: played.flatMap(({ events }) => events), after } };
    [from, before] = [end + 1, after];
    return stop;
  });
  return { start: first, stops };
}

/** A position with what the frame after it tells: who acted there. */
function momentBefore({ position, shown }: Pick<ReplayFrame, "position" | "shown">, frames: readonly ReplayFrame[], next: number): Moment {
  const seat = frames[next]?.seat ?? CHANCE;
  return { position, shown, acting: seat === CHANCE ? [] : [seat], over: next >= frames.length };
}
