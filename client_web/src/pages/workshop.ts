// Where researchers make games: the board of a draft before the first move, findings that lead to their place, files as texts.

import { type GameCard, gameOf } from "../table/game";
import type { Moment } from "../table/model";
import { Table } from "../table/table";

interface Preview {
  readonly card: GameCard;
  readonly start: Moment;
}

async function drawBoard(host: HTMLElement): Promise<void> {
  const { card, start } = JSON.parse(host.dataset["preview"]!) as Preview;
  new Table(host, await gameOf(card), { you: null, watching: true }).show(start);
}

/** Selects the line of a finding from its column on, and shows it. */
function goTo({ text, line, column }: DOMStringMap): void {
  const area = document.querySelector<HTMLTextAreaElement>(`#field-${text!}`);
  if (!area) return;
  const lines = area.value.split("\n");
  const at = Math.min(Number(line), lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, before) => sum + before.length + 1, 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start + Number(column) - 1, start + lines[at]!.length);
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, at - 3);
  area.scrollIntoView({ block: "center" });
}

for (const place of document.querySelectorAll<HTMLButtonElement>(".finding-place")) place.addEventListener("click", () => goTo(place.dataset));

const source = document.querySelector<HTMLTextAreaElement>("textarea[name=source]");
document.querySelector<HTMLInputElement>("#file")?.addEventListener("change", async ({ target }) => {
  const file = (target as HTMLInputElement).files?.[0];
  if (file && source) source.value = await file.text();
});

const host = document.querySelector<HTMLElement>("#preview");
if (host) await drawBoard(host);
// What was found is what the page was asked for; on a phone it stands below the texts.
if (document.querySelector("#result .findings, #result .preview, #result .alert")) document.querySelector("#result")?.scrollIntoView({ block: "nearest" });
