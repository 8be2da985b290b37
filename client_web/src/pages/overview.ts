// The study at a glance: figures and plots that follow the study while the page is open.
import { t } from "../i18n";
import { drawn, pictures } from "../plots/overview";
import type { Overview } from "../plots/data";
import { type Figure, mount, pageData } from "../plots/figure";
import { count, decimal, percent, timeOfDay } from "../plots/format";

const EVERY_MS = 10_000;

const TEXTS: Record<string, (overview: Overview) => string> = {
  probands: ({ totals }) => count(totals.probands),
  matches: ({ totals }) => count(totals.matches),
  judgements: ({ totals }) => count(totals.judgements),
  running: ({ totals }) => count(totals.running),
  waiting: ({ totals }) => count(totals.waiting),
  finished: ({ totals }) => percent(totals.finished.share),
  stand_ins: ({ totals }) => percent(totals.stand_ins.share, 1),
  wait_median: ({ totals }) => (totals.wait_median === null ? "–" : `${decimal(totals.wait_median, 1)} s`),
};

const data = pageData<Overview>();
const figures: Figure<Overview>[] = [mount("probands", pictures.probands, data), mount("matches", pictures.matches, data), mount("questionnaires", pictures.questionnaires, data), mount("stand-ins", pictures.standIns, data), mount("waits", pictures.waits, data), mount("stages", pictures.stages, data)];
const live = document.querySelector<HTMLInputElement>("#live");
const updated = document.querySelector<HTMLElement>("#updated");

function show(overview: Overview): void {
  for (const [name, text] of Object.entries(TEXTS)) {
    for (const place of document.querySelectorAll(`[data-total="${name}"]`)) place.textContent = text(overview);
  }
  if (drawn(overview)) for (const figure of figures) figure.show(overview);
  if (updated) updated.textContent = t("Updated at {time}", { time: timeOfDay(overview.updated_at) });
}

async function follow(): Promise<void> {
  if (!live?.checked || document.hidden) return;
  try {
    const answer = await fetch(`/api/research/overview${location.search}`, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    show((await answer.json()) as Overview);
  } catch {
    if (updated) updated.textContent = t("The server does not answer; trying again.");
  }
}

show(data);
setInterval(() => void follow(), EVERY_MS);
document.addEventListener("visibilitychange", () => void follow());
live?.addEventListener("change", () => void follow());
