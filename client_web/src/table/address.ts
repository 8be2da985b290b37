/**
 * Which move of a match an address names: `#move=6` is the sixth decision, as the counter beside the board says it; `#ply=11` is what
 * records call the same, where chance counts too.
 */

import type { Replay } from "./replay";

const WRITTEN = /^#(move|ply)=(\d{1,6})$/;

export function writeAddress(replay: Pick<Replay, "number">): void {
  history.replaceState(null, "", replay.number === 0 ? location.pathname + location.search : `#move=${replay.number}`);
}

/** Shows what the address names; nothing happens where it names nothing. */
export function followAddress(replay: Pick<Replay, "number" | "ply" | "jump" | "jumpToPly">, hash = location.hash): void {
  const [, unit, written] = WRITTEN.exec(hash) ?? [];
  if (unit === "move" && Number(written) !== replay.number) replay.jump(Number(written));
  if (unit === "ply" && Number(written) !== replay.ply) replay.jumpToPly(Number(written));
}
