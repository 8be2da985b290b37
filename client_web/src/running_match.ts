/** The way back to the match that somebody is in the middle of, with its clock, on every page but the match's own. */

interface RunningMatch {
  readonly match: string;
  readonly begins: boolean;
  readonly your_move: boolean;
  readonly left_ms: number;
}

/** How often the server is asked how the match stands, while the page is looked at. */
const ASK_MS = 10_000;
const TICK_MS = 250;

const whenOf = ({ begins, your_move }: RunningMatch): string => (begins ? "begins" : your_move ? "own" : "others");

function clockOf(milliseconds: number): string {
  const seconds = Math.ceil(Math.max(0, milliseconds) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

async function ask(): Promise<RunningMatch | null> {
  const response = await fetch("/api/matches/running", { headers: { accept: "application/json" } });
  return response.ok ? ((await response.json()) as RunningMatch | null) : null;
}

export function showRunningMatch(): void {
  const line = document.querySelector<HTMLElement>("#running-match");
  if (!line || document.querySelector("#match, #lobby")) return;
  const clock = line.querySelector<HTMLElement>("[data-clock]")!;
  let ends = 0;
  let asking = 0;
  let ticking = 0;
  const stop = (): void => {
    line.hidden = true;
    clearInterval(asking);
    clearInterval(ticking);
  };
  const refresh = async (): Promise<void> => {
    if (document.hidden) return;
    const running = await ask().catch(() => null);
    if (running === null) return stop(); // over, or nobody can say
    ends = performance.now() + running.left_ms;
    line.querySelector("a")!.setAttribute("href", `/matches/${running.match}`);
    for (const words of line.querySelectorAll<HTMLElement>("[data-when]")) words.hidden = words.dataset["when"] !== whenOf(running);
    clock.textContent = clockOf(running.left_ms);
    line.hidden = false;
    if (ticking) return;
    ticking = window.setInterval(() => (clock.textContent = clockOf(ends - performance.now())), TICK_MS);
    asking = window.setInterval(() => void refresh(), ASK_MS);
    document.addEventListener("visibilitychange", () => line.hidden || void refresh());
  };
  void refresh();
}
