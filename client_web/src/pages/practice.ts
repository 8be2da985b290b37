// The practice page: a table, a game, another game.

import { html } from "../board/dom";
import { STANDARD_LAYOUT } from "../board/model";
import { Table } from "../board/table";
import { colourOf } from "../board/words";
import { t } from "../i18n";
import { showEngine, startEngine } from "../live/engine";
import { playPractice } from "../live/practice";

const host = document.querySelector<HTMLElement>("#table")!;
const YOU = 0;

async function play(): Promise<void> {
  host.replaceChildren();
  const table = new Table(host, { layout: STANDARD_LAYOUT, you: YOU });
  table.tray.status(t("The die is rolled …"));
  try {
    const end = await playPractice(table, crypto.randomUUID());
    if (!end.over) return;
    table.end(end.winners);
    const again = html("button", { type: "button", class: "button primary" }, t("Play again"));
    again.addEventListener("click", () => void play());
    const who = end.strategies.flatMap((name, seat) => (name === null ? [] : [html("li", {}, `${colourOf(seat)}: ${name}`)]));
    const panel = html(
      "div",
      { class: "end-panel" },
      html("p", {}, t("Your opponents were programs with these strategies:")),
      html("ul", {}, ...who),
      again,
      html("a", { class: "button", href: "/lobby" }, t("Play a real match")),
    );
    table.tray.element.after(panel);
    again.focus({ preventScroll: true });
  } catch (error) {
    table.tray.status(t("The game could not go on. Reload the page to start anew."));
    throw error;
  }
}

showEngine(document.querySelector<HTMLElement>("#engine")!);
startEngine();
void play();
