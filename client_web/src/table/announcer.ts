/** Says what happens: a log that can be read back, and a line that screen readers speak. */

import { t } from "../i18n";
import { html } from "./dom";

const KEPT_LINES = 60;
const MEMORY = "grintu.told";

export class Announcer {
  readonly log = html("ol", { class: "table-log", tabindex: "0", "aria-label": t("What has happened") });
  readonly #polite = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  readonly #urgent = html("p", { class: "visually-hidden", role: "alert" });
  readonly element = html("div", { class: "visually-hidden" }, this.#polite, this.#urgent);
  #pending: string[] = [];
  #timer = 0;
  /** What the lines are about; null if they need not outlive the page. */
  #about: string | null = null;

  /** Lines that come close together are spoken as one, so that none cuts another off. */
  say(text: string): void {
    this.#pending.push(text);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#polite.textContent = this.#pending.join(" ");
      this.#pending = [];
    }, 120);
  }

  sayNow(text: string): void {
    this.#urgent.textContent = "";
    requestAnimationFrame(() => (this.#urgent.textContent = text));
  }

  /** Says it and keeps it in the log. */
  note(text: string, seat?: number): void {
    this.say(text);
    this.#append(text, seat);
    if (this.#about !== null) sessionStorage.setItem(MEMORY, JSON.stringify([this.#about, this.#lines()]));
  }

  /** Keeps the lines of a match over a reload, and shows those that were kept. */
  remember(about: string): void {
    if (this.#about === about) return;
    this.#about = about;
    const [kept, lines] = JSON.parse(sessionStorage.getItem(MEMORY) ?? "[null, []]") as [string | null, [string, number | null][]];
    if (kept === about) for (const [text, seat] of lines) this.#append(text, seat ?? undefined);
  }

  #lines(): [string, number | null][] {
    return [...this.log.children].map((line) => [line.textContent ?? "", line.className === "" ? null : Number(line.className.slice("seat-".length))]);
  }

  #append(text: string, seat?: number): void {
    this.log.append(html("li", seat === undefined ? {} : { class: `seat-${seat}` }, text));
    while (this.log.childElementCount > KEPT_LINES) this.log.firstElementChild!.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  clear(): void {
    this.log.replaceChildren();
  }
}
