// The practice page: a table, a game, another game.

import { t } from "../i18n";
import { showEngine, startEngine } from "../live/engine";
import { Coach, forgetCoaching, wasCoached } from "../table/coach";
import { html } from "../table/dom";
import { openGame } from "../table/game";
import type { Moment } from "../table/model";
import { playPractice } from "../table/practice";
import { recordingOfMoves } from "../table/recordings";
import { Table } from "../table/table";

const host = document.querySelector<HTMLElement>("#table")!;
const reference = host.dataset["game"]!;
const level = host.dataset["level"]!;
const YOU = 0;
const coachAgain = document.querySelector<HTMLButtonElement>("#coach") ?? html("button");

const MEMORY = `grintu.practice.${reference}.${level}`;

/** The game that was being played here before the page was loaded again. */
function keptGame(): { seed: string; moves: string[] } {
  return JSON.parse(sessionStorage.getItem(MEMORY) ?? "null") ?? { seed: crypto.randomUUID(), moves: [] };
}

async function play(start: Moment): Promise<void> {
  const game = await openGame(reference);
  host.replaceChildren();
  const table = new Table(host, game, { you: YOU });
  table.show(start);
  table.tray.status(t("The game begins …"));
  const { seed, moves } = keptGame();
  table.announcer.remember(`practice ${seed}`);
  const coach = (game.card.lessons ?? []).length > 0 && !wasCoached(reference) ? new Coach(table) : null;
  coachAgain.hidden = coach !== null;
  if (moves.length === 0) await coach?.begin(start);
  try {
    const end = await playPractice(table, seed, level, moves, (played) => sessionStorage.setItem(MEMORY, JSON.stringify({ seed, moves: played })), coach);
    if (!end.over) return;
    sessionStorage.removeItem(MEMORY);
    coach?.end();
    table.end(end.scores, end.winners);
    const again = html("button", { type: "button", class: "button primary" }, t("Play again"));
    again.addEventListener("click", () => void play(start));
    const who = end.players.flatMap((name, seat) => (name === null ? [] : [html("li", {}, `${game.name(seat)}: ${name}`)]));
    const panel = html(
      "div",
      { class: "end-panel" },
      ...(who.length === 0 ? [] : [html("p", {}, who.length > 1 ? t("Your opponents were programs with these strategies:") : t("Your opponent was a program with this strategy:")), html("ul", {}, ...who)]),
      again,
      html("a", { class: "button", href: host.dataset["lobby"]! }, t("Play a real match")),
    );
    table.tray.element.after(panel);
    again.focus({ preventScroll: true });
  } catch (error) {
    sessionStorage.removeItem(MEMORY); // whatever was kept cannot be played on
    table.tray.status(t("The game could not go on. Reload the page to start anew."));
    throw error;
  }
}

coachAgain.addEventListener("click", () => {
  forgetCoaching(reference);
  sessionStorage.removeItem(MEMORY); // what is explained begins with the game
  location.reload();
});
document.querySelector<HTMLSelectElement>("#level")?.addEventListener("change", ({ target }) => {
  const address = new URL(location.href);
  address.searchParams.set("game", reference);
  address.searchParams.set("level", (target as HTMLSelectElement).value);
  location.assign(address);
});
showEngine(document.querySelector<HTMLElement>("#engine")!);
startEngine();
const { start } = await recordingOfMoves(reference, []);
void play(start);
