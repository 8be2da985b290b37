/** Any game: what holds now as a list of facts, what was played, and the legal moves as buttons. */

import { t } from "../../i18n";
import { html } from "../../table/dom";
import { CHANCE, type Moment, type Played, type Question, type Update } from "../../table/model";
import { PUT } from "../../table/sounds";
import type { BoardView, Stage } from "../../table/view";
import { byName, readTerm, readable } from "./terms";

export const createView = (stage: Stage): BoardView => new FactsView(stage);

export function nameMove(move: string): string {
  const { name, parts } = readTerm(move);
  return [readable(name), ...parts].join(" ");
}

/** With more moves than this they can be searched. */
const MANY = 12;
const KEYS = 9;

class FactsView implements BoardView {
  readonly shape = "list of facts";
  readonly #list = html("dl", { class: "facts", "aria-label": t("What holds now") });
  readonly #filter = html("input", { type: "search", class: "facts-filter", placeholder: t("Search the moves"), "aria-label": t("Search the moves") });
  #facts: readonly string[] = [];
  #legal: readonly string[] = [];

  constructor(private readonly stage: Stage) {
    stage.room.append(html("div", { class: "facts-room", tabindex: "0" }, this.#list));
    this.#filter.addEventListener("input", () => this.#offer());
  }

  place(): DOMRect {
    return this.stage.room.getBoundingClientRect();
  }

  show({ shown, position }: Moment): void {
    this.#draw(factsOf(shown.facts, position), false);
  }

  async perform(update: Update): Promise<void> {
    const words = this.#inWords(update);
    if (words) {
      this.stage.tray.status(words);
      this.stage.note(words, update.seats.find((seat) => seat !== CHANCE));
    }
    if (update.moves.length > 0) this.stage.sounds.play(PUT);
    if (update.after) this.#draw(factsOf(update.after.shown.facts, update.after.position), true);
    if (update.moves.length > 0) await this.stage.motion.pause(500);
  }

  ask({ legal }: Question): string {
    this.#legal = legal;
    this.#filter.value = "";
    this.stage.tray.ask(t("Your move: choose one."));
    this.#offer();
    return `${t("Your move.")} ${t("You can choose: {places}.", { places: legal.map(nameMove).join(", ") })}`;
  }

  improve(): void {
    // What a move does is seen when it is made.
  }

  withdraw(): void {
    this.#legal = [];
  }

  seal(move: string): void {
    this.stage.tray.status(t("You have chosen {move}. The others have not chosen yet.", { move: nameMove(move) }));
  }

  describe({ shown, position }: Moment): string {
    const groups = byName(factsOf(shown.facts, position));
    return [...groups].map(([name, terms]) => `${readable(name)}: ${terms.map(({ parts }) => this.#parts(parts)).join("; ")}.`).join(" ");
  }

  tell({ update }: Played): string {
    return this.#inWords(update);
  }

  key(key: string): boolean {
    const move = this.#legal.length <= KEYS ? this.#legal[Number(key) - 1] : undefined;
    return move !== undefined && this.stage.tray.press(move);
  }

  #inWords({ moves, seats }: Update): string {
    const told = moves.map((move, index) => {
      const seat = seats[index] ?? CHANCE;
      return t("{colour}: {move}.", { colour: seat === CHANCE ? t("Chance") : this.stage.game.name(seat), move: nameMove(move) });
    });
    return told.join(" ");
  }

  /** Parts that name a seat are read as people call it. */
  #parts(parts: readonly string[]): string {
    const { letters } = this.stage.game.card;
    return parts.map((part) => (letters.includes(part) ? this.stage.game.name(letters.indexOf(part)) : part)).join(" · ") || t("yes");
  }

  /** What is new since the last moment stands out. */
  #draw(facts: readonly string[], compare: boolean): void {
    const known = new Set(this.#facts);
    this.#facts = facts;
    this.#list.replaceChildren(
      ...[...byName(facts)].map(([name, terms]) => {
        const values = terms.map(({ text, parts }) => html("dd", compare && !known.has(text) ? { class: "fresh" } : {}, this.#parts(parts)));
        return html("div", {}, html("dt", {}, readable(name)), ...values);
      }),
    );
  }

  #offer(): void {
    const many = this.#legal.length > MANY;
    const typing = document.activeElement === this.#filter;
    const wanted = this.#filter.value.trim().toLowerCase();
    const moves = this.#legal.filter((move) => nameMove(move).toLowerCase().includes(wanted));
    const keyed = this.#legal.length <= KEYS;
    const choices = moves.map((move) => {
      const key = String(this.#legal.indexOf(move) + 1);
      return { move, content: keyed ? [nameMove(move), " ", html("kbd", { "aria-hidden": "true" }, key)] : [nameMove(move)], ...(keyed ? { key } : {}) };
    });
    this.stage.tray.offer(choices, ...(many ? [this.#filter] : []));
    if (typing) this.#filter.focus();
  }
}

/** Without facts the position's text is what there is. */
const factsOf = (facts: readonly string[], position: string): readonly string[] => (facts.length > 0 ? facts : [position]);
