/** The practice game: the page holds the history, Python (in the worker or, until it has come, on the server) plays it on. */

import { python } from "../python";
import type { Practice, PracticeUpdate } from "../python_calls";
import type { Coach } from "./coach";
import { type Moment, type Update, rest } from "./model";
import { movesInAddress } from "./moves";
import type { Table } from "./table";

/** A moment in which a program seems to think; long enough to see what was played before. */
const THINKING = { least: 250, more: 450 };

/** As long as a search may take on a slow phone. */
const SEARCHING_MS = 60_000;

/** Opponents of a level search, which only the worker does: such a game waits for it. */
async function advance(game: string, seed: string, moves: readonly string[], level: string): Promise<Practice> {
  if (level !== "") await python.start();
  if (python.state.kind === "ready") return python.call("npc.practice.advance", [game, seed, [...moves], null, level], level === "" ? undefined : SEARCHING_MS);
  const query = new URLSearchParams({ game, seed, moves: movesInAddress(moves) });
  const response = await fetch(`/api/practice?${query.toString()}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Practice;
}

/**
 * Plays one game on a table that shows where `moves` have led; gives the last answer, which names the opponents. Every decision is handed
 * to `keep` with all moves before it, so that the game can be taken up there again. A coach explains what happens.
 */
export async function playPractice(table: Table, seed: string, level: string, moves: string[], keep: (moves: readonly string[]) => void, coach: Coach | null = null): Promise<Practice> {
  const game = table.game.card.reference;
  let own: Update | null = null;
  let progress = await advance(game, seed, moves, level);
  if (moves.length > 0) table.show(momentOf(progress)); // taken up again: what was played has been seen
  const seen = moves.length > 0 ? progress.updates : [];
  for (;;) {
    for (const told of progress.updates) {
      const update = readUpdate(told, progress);
      const mine = own !== null && own.ply === update.ply; // it has been shown already
      const fresh = progress.updates !== seen;
      if (fresh && !mine && update.seats.some((seat) => seat >= 0 && seat !== progress.you)) await table.motion.pause(THINKING.least + Math.random() * THINKING.more);
      if (fresh) await table.play(mine ? rest(update, own!) : update);
      if (fresh) await coach?.after(update);
      moves.push(...told.moves.slice(moves.length - told.ply));
    }
    if (progress.over) return progress;
    keep(moves);
    const { legal, options } = progress;
    coach?.offers({ legal });
    const move = await table.ask({ moment: momentOf(progress), legal, options });
    if (move === null) return progress;
    own = { ply: moves.length, moves: [move], seats: [progress.you], events: options.find((option) => option.move === move)?.events ?? [], after: null };
    moves.push(move);
    [progress] = await Promise.all([advance(game, seed, moves, level), table.play(own)]); // shown at once
  }
}

const momentOf = ({ position, shown, acting, over }: Practice): Moment => ({ position, shown, acting, over });

function readUpdate({ ply, seen, seats, events, position, acting, shown }: PracticeUpdate, progress: Practice): Update {
  return { ply, moves: seen, seats, events, after: { position, shown, acting, over: progress.over && position === progress.position } };
}
