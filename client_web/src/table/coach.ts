/**
 * Explains a game while it is played for the first time: its goal on the board before it begins, and every rule when it first happens. The
 * game waits while somebody reads, but for nobody who has gone on. It ends by itself, and can be skipped at any time.
 */

import { t } from "../i18n";
import { html } from "./dom";
import type { Lesson } from "./game";
import { happens } from "./lessons";
import type { Moment, Question, Update } from "./model";
import type { Table } from "./table";

/** So long people look at a lesson before they read it, and so long they read a letter, at the leisurely pace. */
const LOOK_MS = 4_000;
const LETTER_MS = 160;

const memory = (game: string): string => `grintu.coached.${game}`;

export const wasCoached = (game: string): boolean => localStorage.getItem(memory(game)) !== null;

/** The next game is coached again. */
export function forgetCoaching(game: string): void {
  localStorage.removeItem(memory(game));
}

export class Coach {
  readonly element = html("section", { class: "coach", "aria-label": t("Introduction"), hidden: true });
  #left: readonly Lesson[];
  #goOn: (() => void) | null = null;

  constructor(private readonly table: Table) {
    this.#left = (table.game.card.lessons ?? []).filter(({ when }) => when !== "");
    table.tray.element.before(this.element);
    table.element.dataset["coached"] = "yes";
  }

  /** What the game is about, shown on the board, which then goes back to where the game begins. */
  async begin(start: Moment): Promise<void> {
    for (const lesson of this.#take(({ when }) => when === "start")) {
      const { before, update } = lesson;
      this.table.show(update.after, update.moves.length > 0 ? { update, before } : null);
      await this.#tell(lesson);
    }
    this.table.show(start);
  }

  /** After something was shown: what was new in it. */
  async after({ events, after }: Update): Promise<void> {
    const happened = events.map((event) => event.join(" "));
    const position = after ? [after.position] : [];
    for (const lesson of this.#take(({ when }) => happens(when, "event", happened) || happens(when, "position", position))) await this.#tell(lesson);
  }

  /** Before a question: what may be chosen for the first time. It stands beside the question. */
  offers({ legal }: Pick<Question, "legal">): void {
    const [first] = this.#take(({ when }) => happens(when, "offer", legal), 1);
    if (first) void this.#tell(first);
  }

  /** Nothing more is explained, neither now nor in the next game. */
  end(): void {
    this.#left = [];
    this.#close();
    delete this.table.element.dataset["coached"];
    localStorage.setItem(memory(this.table.game.card.reference), "yes");
  }

  /** The lessons whose time has come; each comes once. */
  #take(due: (lesson: Lesson) => boolean, most = Infinity): readonly Lesson[] {
    const taken = this.#left.filter(due).slice(0, most);
    this.#left = this.#left.filter((lesson) => !taken.includes(lesson));
    return taken;
  }

  /** Resolves when the player goes on, or had time to read; the words stay until something takes their place. */
  async #tell({ heading, text }: Lesson): Promise<void> {
    const all = this.#left.length === 0;
    const goOn = html("button", { type: "button", class: "button" }, t("Go on"));
    const skip = html("button", { type: "button", class: "button quiet" }, t("Skip the introduction"));
    this.element.replaceChildren(html("h2", {}, heading), html("p", {}, text), html("div", { class: "coach-buttons" }, goOn, ...(all ? [] : [skip])));
    this.element.hidden = false;
    this.table.announcer.say(`${heading}. ${text}`);
    const gone = new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    goOn.addEventListener("click", () => (all ? this.end() : this.#close()));
    skip.addEventListener("click", () => this.end());
    const reading = (LOOK_MS + LETTER_MS * text.length) / this.table.motion.speed; // whoever wants less motion does not read faster
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, reading))]);
  }

  #close(): void {
    this.element.hidden = true;
    this.#goOn?.();
    this.#goOn = null;
  }
}
