// The lobby page: waits, loads the engine meanwhile, and becomes the match page when a table is found.

import { showEngine, startEngine } from "../live/engine";
import { Lobby } from "../live/lobby";
import { Notice } from "../live/notice";
import { startMatch } from "../live/start";
import { recordingOfMoves } from "../table/recordings";
import { Replay } from "../table/replay";

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

/** A short game among programs, to watch while waiting; fetched when somebody wants it. */
async function showExample(place: HTMLElement, game: string): Promise<void> {
  const response = await fetch(`/api/practice/example?${new URLSearchParams({ game }).toString()}`, { headers: { accept: "application/json" } });
  if (!response.ok) return place.replaceChildren(((await response.json()) as { message: string }).message);
  const { moves } = (await response.json()) as { moves: string[] };
  example = new Replay(place, await recordingOfMoves(game, moves), { small: true });
  void example.play();
}

let example: Replay | null = null;
const game = find<HTMLElement>("#lobby").dataset["game"]!;
const unfolded = find<HTMLDetailsElement>("#lobby-example");
unfolded.addEventListener("toggle", () => void showExample(unfolded.querySelector("div")!, game), { once: true });
const notice = new Notice(find("#lobby-notice"));
showEngine(find("#engine"));
startEngine();
new Lobby(
  game,
  { status: find("#lobby-status"), clock: find("#lobby-clock"), bar: find("#lobby-bar"), leave: find("#lobby-leave") },
  (match) => {
    example?.pause();
    notice.give();
    void becomeMatch(match);
  },
);
