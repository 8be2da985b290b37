/** Says what happens: a log that can be read back, and a line that screen readers speak. */

import { t } from "../i18n";
import { html } from "./dom";

const KEPT_LINES = 60;

export class Announcer {
  readonly log = html("ol", { class: "table-log", tabindex: "0", "aria-label": t("What has happened") });
  readonly #polite = html("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  readonly #urgent = html("p", { class: "visually-hidden", role: "alert" });
  readonly element = html("div", { class: "visually-hidden" }, this.#polite, this.#urgent);
  #pending: string[] = [];
  #timer = 0;

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
    this.log.append(html("li", seat === undefined ? {} : { class: `seat-${seat}` }, text));
    while (this.log.childElementCount > KEPT_LINES) this.log.firstElementChild!.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  clear(): void {
    this.log.replaceChildren();
  }
}
