/** A card table for two: the own hand below, the other's above, the trick in the middle, and what the tricks so far were worth. */

import { t, tn } from "../../i18n";
import { html } from "../../table/dom";
import { CHANCE, type Happening, type Moment, type Played, type Question, type Seat, type Update } from "../../table/model";
import { easeOut } from "../../table/motion";
import { PUT } from "../../table/sounds";
import { isFree } from "../../table/tray";
import type { BoardView, Stage } from "../../table/view";
import { type Card, HIDDEN, NUMBER_OF_TRICKS, type State, readPosition, scoresOf, takerOf, without } from "./notation";

export const createView = (stage: Stage): BoardView => new TricksView(stage);

const EMPTY: State = { hands: [[], []], tricks: [], laid: null };
const LAY = "lay";
const LAY_MS = 360;
const LOOK_MS = 900;

/** What lies before a seat in the middle: nothing, a card, or one that is still face down. */
interface Laid {
  readonly card: Card;
  readonly hidden: boolean;
}

class TricksView implements BoardView {
  readonly shape = "table of tricks";
  readonly #element = html("div", { class: "card-table" });
  readonly #near: Seat;
  readonly #hands: readonly HTMLElement[];
  readonly #laid: readonly HTMLElement[];
  readonly #tricks = html("ol", { class: "tricks-won", "aria-label": t("Tricks") });
  #state: State = EMPTY;
  #before: (Laid | null)[] = [null, null];
  #legal: readonly string[] = [];
  #sealed: Card | null = null;
  #performance = 0;

  constructor(private readonly stage: Stage) {
    this.#near = stage.you ?? 0;
    this.#hands = [0, 1].map((seat) => html("div", { class: `hand seat-${seat}`, role: "group", tabindex: "-1", "aria-label": this.#handName(seat) }));
    this.#laid = [0, 1].map((seat) => html("div", { class: `laid seat-${seat}` }));
    const [near, far] = [this.#near, 1 - this.#near];
    this.#element.append(this.#hands[far]!, html("div", { class: "card-middle" }, this.#laid[far]!, this.#laid[near]!), this.#tricks, this.#hands[near]!);
    stage.room.append(this.#element);
    this.#hands[near]!.addEventListener("keydown", (event) => this.#walk(event));
  }

  place(): DOMRect {
    return this.#element.getBoundingClientRect();
  }

  show(moment: Moment): void {
    this.#performance += 1;
    this.#sealed = null;
    this.#rest(readPosition(moment.position));
  }

  async perform(update: Update): Promise<void> {
    const performance = ++this.#performance;
    const lays = update.events.filter(([how]) => how === LAY);
    const opening = lays.length > 1 || this.#state.laid !== null || this.#before.some((laid) => laid?.hidden);
    if (lays.length > 0 && !opening) this.#before = [null, null]; // the trick before is cleared away
    for (const event of lays) {
      await this.#lay(event);
      if (performance !== this.#performance) return;
    }
    this.#tell(update);
    this.#sealed = null;
    if (lays.length > 0) await this.stage.motion.pause(LOOK_MS);
    if (performance === this.#performance && update.after) this.#rest(readPosition(update.after.position));
  }

  ask({ legal }: Question): string {
    this.#legal = legal;
    this.#drawHands();
    const worth = this.#state.tricks.length + 1;
    this.stage.tray.ask(tn("Which card for {n} point?", "Which card for {n} points?", worth));
    if (isFree(document.activeElement)) this.#hands[this.#near]!.focus({ preventScroll: true });
    return `${tn("Which card for {n} point?", "Which card for {n} points?", worth)} ${t("You hold {cards}.", { cards: legal.join(", ") })}`;
  }

  improve(): void {
    // A card does nothing but lie there.
  }

  withdraw(): void {
    this.#legal = [];
    this.#drawHands();
  }

  seal(move: string): void {
    this.#sealed = move;
    this.#before = [null, null];
    this.#before[this.#near] = { card: move, hidden: true };
    this.#draw();
    this.stage.tray.status(t("You have chosen. {colour} has not yet.", { colour: this.stage.game.name(1 - this.#near) }));
    this.stage.say(t("You have laid {card} face down.", { card: move }));
  }

  describe(moment: Moment): string {
    const state = readPosition(moment.position);
    const hands = state.hands.map((hand, seat) => {
      const colour = this.stage.game.name(seat);
      return hand.includes(HIDDEN) ? tn("{colour} holds {n} card.", "{colour} holds {n} cards.", hand.length, { colour }) : t("{colour} holds {cards}.", { colour, cards: hand.join(", ") || t("nothing") });
    });
    const tricks = state.tricks.map((trick, index) => this.#trickInWords(trick, index));
    return [...hands, ...tricks].join(" ");
  }

  tell({ update, before }: Played): string {
    return this.#inWords(update, readPosition(before.position).tricks.length);
  }

  key(key: string): boolean {
    const card = this.#legal[Number(key) - 1];
    if (card === undefined) return false;
    this.stage.answer(card);
    return true;
  }

  scores(moment: Moment): readonly number[] {
    return scoresOf(readPosition(moment.position));
  }

  #handName(seat: Seat): string {
    return seat === this.stage.you ? t("Your hand") : t("The hand of {colour}", { colour: this.stage.game.name(seat) });
  }

  #trickInWords(trick: readonly [Card, Card], index: number): string {
    const colour = this.stage.game.name(takerOf(trick));
    return tn("{colour} takes {cards} for {n} point.", "{colour} takes {cards} for {n} points.", index + 1, { colour, cards: trick.join(" – ") });
  }

  #inWords({ moves, seats, after }: Update, tricksBefore: number): string {
    const lays = moves.flatMap((move, index) => ((seats[index] ?? CHANCE) === CHANCE ? [] : [t("{colour} lays {card}.", { colour: this.stage.game.name(seats[index]!), card: move })]));
    const dealt = seats.includes(CHANCE) && lays.length === 0 ? [t("The cards are dealt.")] : [];
    const taken = after ? readPosition(after.position).tricks.slice(tricksBefore).map((trick, index) => this.#trickInWords(trick, tricksBefore + index)) : [];
    return [...dealt, ...lays, ...taken].join(" ");
  }

  #tell(update: Update): void {
    const words = this.#inWords(update, this.#state.tricks.length);
    if (!words) return;
    this.stage.tray.status(words);
    const seats = update.seats.filter((seat) => seat !== CHANCE);
    this.stage.note(words, seats.length === 1 ? seats[0] : undefined);
  }

  /** A state at rest: in the middle lies what is laid, else the trick before. */
  #rest(state: State): void {
    this.#state = state;
    const last = state.tricks.at(-1);
    this.#before = state.laid !== null ? [{ card: state.laid, hidden: false }, null] : [0, 1].map((seat) => (last ? { card: last[seat]!, hidden: false } : null));
    this.#draw();
  }

  async #lay([, card, source]: Happening): Promise<void> {
    const seat = Math.max(0, this.stage.game.card.letters.indexOf(source));
    this.#before[seat] = { card, hidden: false };
    this.#state = { ...this.#state, hands: this.#state.hands.map((hand, each) => (each === seat && this.#state.laid !== card ? without(hand, card) : hand)) };
    this.#sealed = seat === this.#near ? null : this.#sealed;
    this.#draw();
    this.stage.sounds.play(PUT);
    const from = seat === this.#near ? 1 : -1;
    const shown = this.#laid[seat]!.firstElementChild as HTMLElement | null;
    await this.stage.motion.run(LAY_MS, (part) => shown?.style.setProperty("translate", `0 ${from * 4 * (1 - easeOut(part))}rem`));
  }

  #draw(): void {
    this.#drawHands();
    const both = this.#before.every((laid) => laid !== null && !laid.hidden);
    const taker = both ? takerOf([this.#before[0]!.card, this.#before[1]!.card]) : null;
    this.#laid.forEach((place, seat) => {
      const laid = this.#before[seat];
      place.classList.toggle("takes", taker === seat);
      place.replaceChildren(laid ? (laid.hidden ? back() : face(laid.card)) : html("span", { class: "playing-card nothing" }));
    });
    const slots = Array.from({ length: NUMBER_OF_TRICKS }, (_, index) => this.#slot(index));
    this.#tricks.replaceChildren(...slots);
  }

  #slot(index: number): HTMLElement {
    const trick = this.#state.tricks[index];
    const worth = html("span", { class: "trick-worth" }, tn("{n} point", "{n} points", index + 1));
    if (!trick) return html("li", index === this.#state.tricks.length ? { class: "now" } : {}, worth);
    const taker = takerOf(trick);
    const cards = html("span", { class: "trick-cards" }, ...trick.flatMap((card, seat) => [...(seat ? ["–"] : []), html("span", { class: seat === taker ? "higher" : "" }, card)]));
    return html("li", { class: `taken seat-${taker}`, "aria-label": this.#trickInWords(trick, index) }, this.stage.game.mark(taker), cards, worth);
  }

  #drawHands(): void {
    this.#hands.forEach((place, seat) => {
      const sealed = seat === this.#near ? this.#sealed : null;
      const hidden = seat === 0 ? this.#state.laid : null;
      const cards = (this.#state.hands[seat] ?? []).filter((card) => card === HIDDEN || (card !== sealed && card !== hidden));
      place.replaceChildren(...cards.map((card) => (card === HIDDEN ? back() : seat === this.#near && this.#legal.includes(card) ? this.#choice(card) : face(card))));
    });
  }

  #choice(card: Card): HTMLElement {
    const key = String(this.#legal.indexOf(card) + 1);
    const button = html("button", { type: "button", class: "playing-card", "data-answer": card, "aria-keyshortcuts": key, "aria-label": t("card {card}", { card }), "data-rank": card }, rank(card));
    button.addEventListener("click", () => this.stage.answer(card));
    return button;
  }

  #walk(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const cards = [...this.#hands[this.#near]!.querySelectorAll("button")];
    if (step === 0 || cards.length === 0) return;
    event.preventDefault();
    const at = cards.indexOf(document.activeElement as HTMLButtonElement);
    cards[at < 0 ? (step > 0 ? 0 : cards.length - 1) : (at + step + cards.length) % cards.length]!.focus();
  }
}

const rank = (card: Card): HTMLElement => html("span", { class: "rank" }, card);
const face = (card: Card): HTMLElement => html("span", { class: "playing-card", role: "img", "aria-label": t("card {card}", { card }), "data-rank": card }, rank(card));
const back = (): HTMLElement => html("span", { class: "playing-card back", role: "img", "aria-label": t("a card face down") });
