/**
 * How people used the board before a move, drawn over the replay: the way of the pointer, and clicks. Every board of a game has one
 * shape, so what was recorded on another screen fits.
 */

import { t, tn } from "../i18n";
import { decimal } from "../plots/format";
import { html } from "./dom";
import type { OpenGame } from "./game";
import { svg } from "./svg";

/** As the server tells it: times in ms since the match began, places in hundredths of a percent of the board. */
export interface Trace {
  readonly seat: number;
  readonly points: readonly (readonly [number, number, number])[];
  readonly clicks: readonly (readonly [number, number, number])[];
  readonly pauses: readonly (readonly [number, number])[];
}

/** What of a trace lies between two moments; a pause counts where it ends. */
export function between({ seat, points, clicks, pauses }: Trace, from: number, to: number): Trace {
  const within = (at: number): boolean => from < at && at <= to;
  return { seat, points: points.filter(([at]) => within(at)), clicks: clicks.filter(([at]) => within(at)), pauses: pauses.filter(([at, ms]) => within(at + ms)) };
}

export class TraceLayer {
  readonly #picture = svg("svg", { class: "traces", viewBox: "0 0 10000 10000", preserveAspectRatio: "none", "aria-hidden": "true" });

  constructor(
    private readonly room: HTMLElement,
    private readonly place: () => DOMRect,
  ) {
    room.append(this.#picture);
    new ResizeObserver(() => this.#fit()).observe(room);
  }

  show(traces: readonly Trace[]): void {
    this.#fit();
    this.#picture.replaceChildren(
      ...traces.flatMap(({ seat, points, clicks }) => [
        svg("polyline", { class: `trace seat-${seat}`, points: points.map(([, x, y]) => `${x},${y}`).join(" ") }),
        ...clicks.map(([, x, y]) => svg("path", { class: `trace-click seat-${seat}`, d: `M ${x} ${y} h 0.01` })),
      ]),
    );
  }

  #fit(): void {
    const [board, room] = [this.place(), this.room.getBoundingClientRect()];
    Object.assign(this.#picture.style, { left: `${board.x - room.x}px`, top: `${board.y - room.y}px`, width: `${board.width}px`, height: `${board.height}px` });
  }
}

/** When nothing happened, on a line of time from one moment to another. */
function pauseLine({ seat, pauses }: Trace, from: number, to: number): HTMLElement {
  const line = html("span", { class: `pauses seat-${seat}`, "aria-hidden": "true" });
  for (const [at, ms] of pauses) {
    const mark = html("i", { title: t("{seconds} s", { seconds: decimal(ms / 1000, 1) }) });
    const [begin, end] = [Math.max(at, from), Math.min(at + ms, to)];
    Object.assign(mark.style, { left: `${(100 * (begin - from)) / (to - from)}%`, width: `${(100 * Math.max(0, end - begin)) / (to - from)}%` });
    line.append(mark);
  }
  return line;
}

/** The same in words, and the pauses on a line of time. */
export function tellTraces(game: OpenGame, traces: readonly Trace[], from: number, to: number): HTMLElement {
  return html("ul", { class: "plain" }, ...traces.map((trace) => {
    const { seat, points, clicks, pauses } = trace;
    const longest = Math.max(0, ...pauses.map(([, ms]) => ms));
    const words = [
      tn("{n} point of the pointer's path", "{n} points of the pointer's path", points.length),
      tn("{n} click", "{n} clicks", clicks.length),
      pauses.length === 0 ? t("no pause") : tn("{n} pause, the longest {seconds} s", "{n} pauses, the longest {seconds} s", pauses.length, { seconds: decimal(longest / 1000, 1) }),
    ];
    return html("li", {}, game.mark(seat), ` ${game.name(seat)}: ${words.join("; ")}`, ...(to > from ? [pauseLine(trace, from, to)] : []));
  }));
}
