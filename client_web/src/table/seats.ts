/** The players: mark, name, score, whose turn it is, and the move clock of those who are to act. */

import { t, tn } from "../i18n";
import { html } from "./dom";
import type { OpenGame } from "./game";
import type { Seat } from "./model";

const WARN_SECONDS = 10;

export class Seats {
  readonly element = html("ol", { class: "seats", "aria-label": t("Players") });
  readonly #seats: { item: HTMLLIElement; score: HTMLElement; bar: HTMLElement; seconds: HTMLElement }[];
  #clocked: readonly Seat[] = [];
  #clockEnds = 0;
  #clockTotal = 1;
  #ticker = 0;

  constructor(game: OpenGame, you: Seat | null) {
    this.#seats = game.card.seats.map((_, seat) => {
      const score = html("span", { class: "seat-score" });
      const bar = html("span", { class: "clock-bar" });
      const seconds = html("span", { class: "clock-seconds", "aria-hidden": "true" });
      const name = html("span", { class: "seat-name" }, game.name(seat));
      if (seat === you) name.append(" ", html("span", { class: "seat-you" }, t("you")));
      const item = html("li", { class: `seat seat-${seat}` }, game.mark(seat), name, seconds, score, html("span", { class: "clock", "aria-hidden": "true" }, bar));
      if (seat === you) item.classList.add("you");
      return { item, score, bar, seconds };
    });
    this.element.append(...this.#seats.map(({ item }) => item));
  }

  /** Scores are shown where there are some. */
  show(scores: readonly number[] | null, turn: readonly Seat[], winners: readonly Seat[] = []): void {
    this.#seats.forEach(({ item, score }, seat) => {
      const points = scores?.[seat];
      score.hidden = points === undefined;
      if (points !== undefined) {
        score.textContent = String(points);
        score.setAttribute("aria-label", tn("{n} point", "{n} points", points));
        score.title = tn("{n} point", "{n} points", points);
      }
      item.classList.toggle("winner", winners.includes(seat));
    });
    this.turn(turn);
  }

  turn(seats: readonly Seat[]): void {
    this.#seats.forEach(({ item }, seat) => {
      item.classList.toggle("at-turn", seats.includes(seat));
      if (seats.includes(seat)) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  /** Starts the countdown of seats, or ends it (none). */
  clock(seats: readonly Seat[], milliseconds = 0, total = milliseconds): void {
    clearInterval(this.#ticker);
    this.#clocked = total > 0 ? seats : [];
    this.#clockEnds = performance.now() + milliseconds;
    this.#clockTotal = total || 1;
    this.#tick();
    if (this.#clocked.length > 0) this.#ticker = window.setInterval(() => this.#tick(), 200);
  }

  /** A seat has chosen while others still think. */
  stop(seat: Seat): void {
    this.#clocked = this.#clocked.filter((each) => each !== seat);
    this.#tick();
  }

  #tick(): void {
    const left = Math.max(0, this.#clockEnds - performance.now());
    this.#seats.forEach(({ item, bar, seconds }, seat) => {
      const runs = this.#clocked.includes(seat);
      item.classList.toggle("clocked", runs);
      item.classList.toggle("hurry", runs && left < WARN_SECONDS * 1000);
      bar.style.scale = `${runs ? left / this.#clockTotal : 0} 1`;
      seconds.textContent = runs ? t("{n} s", { n: Math.ceil(left / 1000) }) : "";
    });
  }
}
