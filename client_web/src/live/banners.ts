/** Troubles told above the tray, one line per kind: the connection, the plea to move. */

import type { Announcer } from "../table/announcer";
import { html } from "../table/dom";

type Kind = "connection" | "asked";

export class Banners {
  readonly #lines = new Map<Kind, HTMLElement>();
  readonly #timers = new Map<Kind, number>();

  constructor(
    private readonly host: HTMLElement,
    private readonly announcer: Announcer,
  ) {}

  show(kind: Kind, text: string): void {
    let line = this.#lines.get(kind);
    if (!line) {
      line = html("p", { class: "banner", "data-banner": kind });
      this.#lines.set(kind, line);
      this.host.append(line);
    }
    if (line.hidden || line.textContent === "") this.announcer.sayNow(text);
    line.textContent = text;
    line.hidden = false;
  }

  hide(kind: Kind): void {
    clearInterval(this.#timers.get(kind));
    const line = this.#lines.get(kind);
    if (line) line.hidden = true;
  }

  /** A line whose seconds run down. */
  countDown(kind: Kind, milliseconds: number, words: (seconds: number) => string): void {
    clearInterval(this.#timers.get(kind));
    const ends = performance.now() + milliseconds;
    const tick = (): void => this.show(kind, words(Math.max(0, Math.ceil((ends - performance.now()) / 1000))));
    tick();
    this.#timers.set(kind, window.setInterval(tick, 500));
  }
}
