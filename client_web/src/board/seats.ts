/** The three players: shape, colour, score, whose turn it is, and the move clock of whoever is to act. */

import { t, tn } from "../i18n";
import { html } from "./dom";
import type { Seat } from "./model";
import { tokenIcon } from "./pieces";
import { colourOf } from "./words";

const WARN_SECONDS = 10;

export class Seats {
  readonly element = html("ol", { class: "seats", "aria-label": t("Players") });
  readonly #seats: { item: HTMLLIElement; score: HTMLElement; bar: HTMLElement; seconds: HTMLElement }[];
  #clockSeat: Seat | null = null;
  #clockEnds = 0;
  #clockTotal = 1;
  #ticker = 0;

  constructor(you: Seat | null) {
    this.#seats = [0, 1, 2].map((seat) => {
      const score = html("span", { class: "seat-score" }, "0");
      const bar = html("span", { class: "clock-bar" });
      const seconds = html("span", { class: "clock-seconds", "aria-hidden": "true" });
      const name = html("span", { class: "seat-name" }, colourOf(seat));
      if (seat === you) name.append(" ", html("span", { class: "seat-you" }, t("you")));
      const item = html("li", { class: `seat seat-${seat}` }, tokenIcon(seat), name, seconds, score, html("span", { class: "clock", "aria-hidden": "true" }, bar));
      if (seat === you) item.classList.add("you");
      return { item, score, bar, seconds };
    });
    this.element.append(...this.#seats.map(({ item }) => item));
  }

  show(scores: readonly number[], turn: Seat | null, winners: readonly Seat[] = []): void {
    this.#seats.forEach(({ item, score }, seat) => {
      const points = scores[seat] ?? 0;
      score.textContent = String(points);
      score.setAttribute("aria-label", tn("{n} point", "{n} points", points));
      score.title = tn("{n} point", "{n} points", points);
      item.classList.toggle("at-turn", seat === turn);
      item.classList.toggle("winner", winners.includes(seat));
      if (seat === turn) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  /** Starts the countdown of a seat, or ends it (null). */
  clock(seat: Seat | null, milliseconds = 0, total = milliseconds): void {
    clearInterval(this.#ticker);
    this.#clockSeat = total > 0 ? seat : null;
    this.#clockEnds = performance.now() + milliseconds;
    this.#clockTotal = total || 1;
    this.#tick();
    if (this.#clockSeat !== null) this.#ticker = window.setInterval(() => this.#tick(), 200);
  }

  #tick(): void {
    const left = Math.max(0, this.#clockEnds - performance.now());
    this.#seats.forEach(({ item, bar, seconds }, seat) => {
      const runs = seat === this.#clockSeat;
      item.classList.toggle("clocked", runs);
      item.classList.toggle("hurry", runs && left < WARN_SECONDS * 1000);
      bar.style.scale = `${runs ? left / this.#clockTotal : 0} 1`;
      seconds.textContent = runs ? t("{n} s", { n: Math.ceil(left / 1000) }) : "";
    });
  }
}
