/** Matches for replaying: asked from the worker if it runs, else from the server, which has the same function. */

import { python } from "../python";
import type { ReplayRecord } from "../python_calls";
import { type OpenGame, openGame } from "./game";
import { movesInAddress } from "./moves";
import { type Stops, stopsOf } from "./stops";

export interface Recording extends Stops {
  readonly game: OpenGame;
}

async function readRecord(record: ReplayRecord): Promise<Recording> {
  return { game: await openGame(record.game), ...stopsOf(record) };
}

export async function recordingOfMoves(game: string, moves: readonly string[]): Promise<Recording> {
  if (python.state.kind === "ready") return readRecord(await python.call("npc.replays.of_moves", [game, [...moves]]));
  const query = new URLSearchParams({ game, moves: movesInAddress(moves) });
  const response = await fetch(`/api/replay?${query.toString()}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return readRecord((await response.json()) as ReplayRecord);
}

/** A game play book from the disk; the error names the line that cannot be replayed. */
export async function recordingOfBook(text: string): Promise<Recording> {
  return readRecord(await python.call("npc.replays.of_book", [text]));
}
