/** Starts the match that a page carries in `#match`; shared by the match page and by the lobby that turns into one. */

import { showEngine, startEngine } from "./engine";
import { InteractionLog } from "./interactions";
import { Match } from "./match";

export function startMatch(): void {
  const host = document.querySelector<HTMLElement>("#match")!;
  const id = host.dataset["match"]!;
  const token = document.querySelector<HTMLInputElement>("input[name=csrf_token]")?.value ?? "";
  const log = host.dataset["logs"] === "yes" ? new InteractionLog(id, token) : null;
  const line = document.querySelector<HTMLElement>("#engine");
  if (line) showEngine(line);
  startEngine();
  new Match(host, id, log);
}
