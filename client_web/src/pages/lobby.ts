// The lobby page: waits, loads the engine meanwhile, and becomes the match page when a table is found.

import { showEngine, startEngine } from "../live/engine";
import { Lobby } from "../live/lobby";
import { startMatch } from "../live/start";

const find = <E extends Element>(selector: string): E => document.querySelector<E>(selector)!;

async function becomeMatch(id: string): Promise<void> {
  const address = `/matches/${id}`;
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!response.ok || !page.querySelector("#match")) throw new Error(`no match page: ${response.status}`);
    document.title = page.title;
    const main = document.importNode(page.querySelector("main")!, true);
    find("main").replaceWith(main);
    history.replaceState(null, "", address);
    startMatch();
    main.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  }
}

showEngine(find("#engine"));
startEngine();
new Lobby(
  find<HTMLElement>("#lobby").dataset["game"]!,
  { status: find("#lobby-status"), clock: find("#lobby-clock"), bar: find("#lobby-bar"), leave: find("#lobby-leave") },
  (match) => void becomeMatch(match),
);
