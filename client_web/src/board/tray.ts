/** Below the board: the die, one sentence that says what is going on, and the buttons of whoever is asked. */

import { t, tn } from "../i18n";
import { Dice } from "./die";
import { html } from "./dom";
import { type Layout, type Option, type Question, numberOf } from "./model";
import type { Motion } from "./motion";
import { tokenIcon } from "./pieces";
import type { Sounds } from "./sounds";
import { fieldName, shortFieldName, tellOption } from "./words";

const ARROWS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export interface TrayEvents {
  answer(move: string): void;
  point(option: Option | null): void;
}

export class Tray {
  readonly dice: Dice;
  readonly element: HTMLElement;
  readonly #status = html("p", { class: "tray-status" });
  readonly #choices = html("div", { class: "tray-choices", role: "group", tabindex: "-1", "aria-label": t("Your choice") });
  readonly #buttons = new Map<string, HTMLButtonElement>();

  constructor(
    motion: Motion,
    sounds: Sounds,
    private readonly layout: Layout,
    private readonly events: TrayEvents,
  ) {
    this.dice = new Dice(motion, sounds);
    this.element = html("div", { class: "tray-panel" }, this.dice.element, this.#status, this.#choices);
    this.#choices.addEventListener("keydown", (event) => this.#walk(event));
  }

  status(text: string): void {
    this.#status.textContent = text;
  }

  ask(question: Question): void {
    this.clear();
    const buttons = question.kind === "six" ? this.#sixButtons() : this.#pieceButtons(question.options);
    this.#choices.append(...buttons);
    this.element.classList.add("asking");
    this.status(
      question.kind === "six" ? t("A six! Roll once more?") : tn("Your move: {n} point. Which piece?", "Your move: {n} points. Which piece?", question.points),
    );
    // The group takes the focus, not its first button: no piece is suggested by being first.
    const active = document.activeElement;
    if (active === null || active === document.body || active === document.documentElement || this.element.contains(active) || active.id === "main") {
      this.#choices.focus({ preventScroll: true });
    }
  }

  /** Better knowledge of the same options: their words and previews, while the buttons stay. */
  improve(options: readonly Option[]): void {
    for (const option of options) {
      const button = this.#buttons.get(option.move);
      if (button) this.#describe(button, option);
    }
  }

  clear(): void {
    this.#buttons.clear();
    this.#choices.replaceChildren();
    this.element.classList.remove("asking");
  }

  /** Presses the button of a move as if it had been clicked; false if there is none. */
  press(move: string): boolean {
    const button = this.#buttons.get(move);
    button?.click();
    return button !== undefined;
  }

  mark(option: Option | null): void {
    for (const [move, button] of this.#buttons) button.classList.toggle("pointed", option?.move === move);
  }

  #sixButtons(): HTMLButtonElement[] {
    return [
      this.#button("again", t("Roll again"), "R", "primary"),
      this.#button("keep", t("Keep the six"), "K", ""),
    ];
  }

  #button(move: string, text: string, key: string, kind: string): HTMLButtonElement {
    const button = html("button", { type: "button", class: `button ${kind}`, "data-answer": move, "aria-keyshortcuts": key }, text, " ", html("kbd", { "aria-hidden": "true" }, key));
    button.addEventListener("click", () => this.events.answer(move));
    this.#buttons.set(move, button);
    return button;
  }

  #pieceButtons(options: readonly Option[]): HTMLButtonElement[] {
    return options.map((option) => {
      const number = numberOf(option.piece);
      const button = html("button", { type: "button", class: "button choice-piece", "data-answer": option.move, "aria-keyshortcuts": String(number) });
      this.#describe(button, option);
      button.addEventListener("click", () => this.events.answer(option.move));
      this.#buttons.set(option.move, button);
      return button;
    });
  }

  #describe(button: HTMLButtonElement, option: Option): void {
    const end = option.steps.findLast((step) => step.piece === option.piece)?.to ?? option.landing;
    const jostled = option.steps.filter((step) => step.kind === "jostle");
    button.replaceChildren(
      tokenIcon(Math.floor(option.piece / 3), numberOf(option.piece)),
      html("span", { class: "choice-to" }, `→ ${fieldName(end, this.layout)}`),
      html("span", { class: "choice-to-short" }, `→ ${shortFieldName(end, this.layout)}`),
      html("span", { class: "visually-hidden" }, tellOption(option, this.layout)),
      ...(jostled.length > 0 ? [html("span", { class: "choice-jostles" }, ...jostled.map((step) => tokenIcon(Math.floor(step.piece / 3), numberOf(step.piece))), "↩")] : []),
    );
    const point = (on: boolean): void => this.events.point(on ? option : null);
    button.onpointerenter = () => point(true);
    button.onpointerleave = () => point(false);
    button.onfocus = () => point(true);
    button.onblur = () => point(false);
  }

  #walk(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    const buttons = [...this.#buttons.values()];
    if (step === undefined || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
    buttons[next]!.focus();
  }
}
