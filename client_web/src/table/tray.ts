/** Below the board: one sentence that says what is going on, the buttons of whoever is asked, and what a game puts beside them. */

import { t } from "../i18n";
import { html } from "./dom";

const ARROWS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A move that can be chosen with a button. */
export interface Choice {
  readonly move: string;
  readonly content: readonly (Node | string)[];
  readonly className?: string;
  /** The key on the keyboard that chooses it, too. */
  readonly key?: string;
  /** Told when the button is looked at, and when it is not any more. */
  point?(on: boolean): void;
}

export class Tray {
  readonly element: HTMLElement;
  /** For what a game wants to have here besides. */
  readonly aside = html("div", { class: "tray-aside" });
  readonly #status = html("p", { class: "tray-status" });
  readonly #choices = html("div", { class: "tray-choices", role: "group", tabindex: "-1", "aria-label": t("Your choice") });
  readonly #buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly answer: (move: string) => void) {
    this.element = html("div", { class: "tray-panel" }, this.aside, this.#status, this.#choices);
    this.#choices.addEventListener("keydown", (event) => this.#walk(event));
  }

  status(text: string): void {
    this.#status.textContent = text;
  }

  /** Marks that the player is asked, whether here or on the board. */
  ask(text: string): void {
    this.clear();
    this.element.classList.add("asking");
    this.status(text);
  }

  offer(choices: readonly Choice[], ...others: Node[]): void {
    this.#choices.replaceChildren(...others, ...choices.map((choice) => this.#button(choice)));
    // The group takes the focus, not its first button: nothing is suggested by being first.
    if (isFree(document.activeElement) || this.element.contains(document.activeElement)) this.#choices.focus({ preventScroll: true });
  }

  /** Better knowledge of the same choices, while the buttons stay. */
  describe({ move, content, point }: Choice): void {
    const button = this.#buttons.get(move);
    if (!button) return;
    button.replaceChildren(...content);
    button.onpointerenter = button.onfocus = () => point?.(true);
    button.onpointerleave = button.onblur = () => point?.(false);
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

  /** Shows which choice is being looked at elsewhere. */
  mark(marked: string | null): void {
    for (const [move, button] of this.#buttons) button.classList.toggle("pointed", marked === move);
  }

  #button(choice: Choice): HTMLButtonElement {
    const { move, className = "", key } = choice;
    const button = html("button", { type: "button", class: `button ${className}`, "data-answer": move, ...(key === undefined ? {} : { "aria-keyshortcuts": key }) });
    button.addEventListener("click", () => this.answer(move));
    this.#buttons.set(move, button);
    this.describe(choice);
    return button;
  }

  #walk(event: KeyboardEvent): void {
    const step = ARROWS[event.key];
    const buttons = [...this.#buttons.values()].filter((button) => !button.hidden);
    if (step === undefined || buttons.length === 0 || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
    buttons[next]!.focus();
  }
}

/** Whether nobody minds if the focus goes elsewhere: it is on nothing in particular. */
export const isFree = (active: Element | null): boolean => active === null || active === document.body || active === document.documentElement || active.id === "main";
