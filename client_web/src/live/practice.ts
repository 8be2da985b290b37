/** The practice game: the page holds the history, Python (in the worker or, until it has come, on the server) plays it on. */

import { framesOf, moved, readSteps } from "../board/frames";
import { type Frame, type Option, type State } from "../board/model";
import { nextSeat, pieceOf, readPosition } from "../board/notation";
import type { Table } from "../board/table";
import { python } from "../python";
import type { Practice, PracticeOption } from "../python_calls";

/** A moment in which a program seems to think; long enough to see that the die lies. */
const THINKING = { least: 250, more: 450 };

export async function advance(seed: string, moves: readonly string[]): Promise<Practice> {
  if (python.state.kind === "ready") return python.call("npc.practice.advance", [seed, [...moves]]);
  const query = new URLSearchParams({ seed, moves: moves.join(",") });
  const response = await fetch(`/api/practice?${query.toString()}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Practice;
}

/** Plays one game; gives the last answer, which names the opponents' strategies. */
export async function playPractice(table: Table, seed: string): Promise<Practice> {
  const moves: string[] = [];
  let progress = await advance(seed, moves);
  let state: State = table.state;
  for (;;) {
    for (const update of progress.updates) {
      const known = moves.length - update.ply; // the visitor's own move has been shown already
      for (const frame of framesOf(update, state).slice(known)) {
        if (frame.seat !== progress.you && !/^\d/.test(frame.move)) await table.motion.pause(THINKING.least + Math.random() * THINKING.more);
        await table.play(frame);
        moves.push(frame.move);
      }
      state = readPosition(update.position);
    }
    if (progress.over) return progress;
    const options = optionsOf(progress.options, state);
    const question = state.again === "may" ? ({ kind: "six", seat: progress.you } as const) : ({ kind: "piece", seat: progress.you, points: state.points, options } as const);
    const move = await table.ask(question);
    if (move === null) return progress;
    moves.push(move);
    // Shown at once; `state` stays the one before it, which is where the next update starts.
    const [next] = await Promise.all([advance(seed, moves), table.play(ownFrame(move, moves.length - 1, state, options))]);
    progress = next;
    if (progress.updates.length === 0) {
      state = readPosition(progress.position);
      if (progress.over) table.show(state);
    }
  }
}

export function optionsOf(options: readonly PracticeOption[], state: State): Option[] {
  return options.map(({ move, steps }) => {
    const piece = pieceOf(move)!;
    return { move, piece, from: state.pieces[piece]!, landing: state.pieces[piece]! + state.points, steps: readSteps(steps) };
  });
}

/** The player's own move, shown at once: its steps are known from the options. */
export function ownFrame(move: string, ply: number, state: State, options: readonly Option[]): Frame {
  const seat = state.seat ?? 0;
  const option = options.find((each) => each.move === move);
  const steps = option?.steps ?? [];
  const after: State =
    option || move === "pass"
      ? { ...state, pieces: moved(state.pieces, steps), seat: nextSeat(seat), points: 0, again: null }
      : { ...state, again: move === "again" ? "due" : null };
  return { ply, move, seat, steps, state: after };
}
