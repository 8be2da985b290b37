// The status page's self-check: the same seeded computation in this browser and on the server must give the same digest.
import { language, numbers, t } from "../i18n";
import { describe, python, PythonError, type PythonState } from "../python";

const root = document.querySelector<HTMLElement>("#self-check");

function show(name: string, text: string): void {
  const element = root?.querySelector<HTMLElement>(`[data-show="${name}"]`);
  if (element) element.textContent = text;
}

function showState(state: PythonState): void {
  if (!root) return;
  root.dataset.state = state.kind;
  show("state", describe(state));
  const bar = root.querySelector("progress");
  if (bar) bar.hidden = state.kind !== "loading";
  if (bar && state.kind === "loading") {
    bar.max = state.progress.total;
    bar.value = state.progress.loaded;
  }
  if (state.kind === "ready") {
    show("python", state.python);
    show("archive", state.archive);
    show("start", t("{seconds} s", { seconds: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(state.milliseconds / 1000) }));
  }
  if (state.kind === "failed") show("verdict", state.detail);
}

/** The server computes its digest when it is first asked, so the page does not wait for it. */
async function expectedDigest(): Promise<string> {
  const response = await fetch("/api/self-check");
  if (!response.ok) return "";
  const { digest } = (await response.json()) as { digest: string };
  show("expected", digest);
  return digest;
}

async function check(): Promise<void> {
  if (!root) return;
  const { seed = "", playouts = "0" } = root.dataset;
  const expected = expectedDigest();
  python.watch(showState);
  try {
    const started = performance.now();
    const result = await python.call("npc.selfcheck.self_check", [seed, Number(playouts)], 60_000);
    const digest = await expected;
    root.dataset.result = result.digest === digest ? "equal" : "different";
    root.dataset.ms = String(Math.round(performance.now() - started));
    show("digest", result.digest);
    show("moves", numbers.format(result.moves));
    show("verdict", result.digest === digest ? t("This browser and the server compute the same.") : t("This browser computes something else than the server."));
  } catch (error) {
    root.dataset.result = "failed";
    if (error instanceof PythonError && python.state.kind !== "failed") show("verdict", error.message);
  }
}

void check();
