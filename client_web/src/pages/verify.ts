// Checks in this browser what chance did in a finished match: the fingerprint, and everything that follows from the seed.

import { html } from "../table/dom";
import { t, tn } from "../i18n";
import { recallCommitment } from "../live/commitments";
import { showEngine } from "../live/engine";
import { python } from "../python";

interface DiceRecord {
  match: string;
  game: string;
  commitment: string;
  seed: string;
  moves: string[];
}

const card = document.querySelector<HTMLElement>("#verify")!;
const verdict = document.querySelector<HTMLElement>("#verdict")!;
const findings = document.querySelector<HTMLElement>("#findings")!;
const record = JSON.parse(card.dataset["dice"]!) as DiceRecord;

async function fingerprint(seed: string): Promise<string> {
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function find(good: boolean, text: string): boolean {
  findings.append(html("li", { class: good ? "good" : "bad" }, text));
  return good;
}

async function check(): Promise<boolean> {
  const same = (await fingerprint(record.seed)) === record.commitment;
  let fair = find(same, same ? t("The seed has the fingerprint that was promised.") : t("The seed does not have the fingerprint that was promised."));
  const seen = recallCommitment(record.match);
  if (seen !== null) {
    const kept = seen === record.commitment;
    fair = find(kept, kept ? t("It is the fingerprint that this browser saw before the match.") : t("It is not the fingerprint that this browser saw before the match.")) && fair;
  }
  const { fair: drawn, dice, reason } = await python.call("npc.replays.check_dice", [record.game, record.seed, record.commitment, record.moves], 30_000);
  const words = dice === 0 ? t("Chance had no part in this match.") : tn("{n} draw is exactly what the seed gives.", "All {n} draws are exactly what the seed gives.", dice);
  return find(drawn, drawn ? words : reason) && fair;
}

showEngine(document.querySelector<HTMLElement>("#engine")!);
try {
  const fair = await check();
  verdict.textContent = fair ? t("Chance was fair.") : t("Chance was not fair.");
  card.dataset["verdict"] = fair ? "fair" : "unfair";
} catch {
  verdict.textContent = t("The draws could not be checked in this browser.");
  card.dataset["verdict"] = "unknown";
}
