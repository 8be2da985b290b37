/** Frames of a match for replaying: asked from the worker if it runs, else from the server, which has the same function. */

import { readSteps } from "./board/frames";
import type { Frame, Layout } from "./board/model";
import { readPosition } from "./board/notation";
import { python } from "./python";
import type { ReplayRecord } from "./python_calls";

export interface Recording {
  readonly layout: Layout;
  readonly frames: readonly Frame[];
}

function readRecord(record: ReplayRecord): Recording {
  const frames = record.frames.map(({ ply, move, seat, steps, position }) => ({ ply, move, seat, steps: readSteps(steps), state: readPosition(position) }));
  return { layout: record.layout, frames };
}

export async function recordingOfMoves(game: string, moves: readonly string[]): Promise<Recording> {
  if (python.state.kind === "ready") return readRecord(await python.call("npc.replays.of_moves", [game, [...moves]]));
  const query = new URLSearchParams({ game, moves: moves.join(",") });
  const response = await fetch(`/api/replay?${query.toString()}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return readRecord((await response.json()) as ReplayRecord);
}

/** A game play book from the disk; the error names the line that cannot be replayed. */
export async function recordingOfBook(text: string): Promise<Recording> {
  return readRecord(await python.call("npc.replays.of_book", [text]));
}
