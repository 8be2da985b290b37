/**
 * A table to play or watch at: the game's board, the players, words and sounds together. Updates are shown one after another; a
 * question is put only when everything before it has been seen.
 */

import { t } from "../i18n";
import { Announcer } from "./announcer";
import { html } from "./dom";
import type { OpenGame } from "./game";
import type { Moment, Option, Played, Question, Seat, Update } from "./model";
import { type Motion, createMotion } from "./motion";
import { Seats } from "./seats";
import { OVER, type Sounds, TURN, createSounds } from "./sounds";
import { tools } from "./tools";
import { Tray } from "./tray";
import type { BoardView } from "./view";
import { tellResult, tellTurn } from "./words";

export interface TableOptions {
  readonly you: Seat | null;
  /** A pace that is given and not chosen. */
  readonly motion?: Motion;
  readonly sounds?: Sounds;
  /** A watching table asks nobody and has no keyboard of its own. */
  readonly watching?: boolean;
}

export class Table {
  readonly view: BoardView;
  readonly seats: Seats;
  readonly tray = new Tray((move) => this.#settle(move));
  readonly announcer = new Announcer();
  readonly motion: Motion;
  readonly sounds: Sounds;
  readonly element: HTMLElement;
  /** Below the players: connection troubles, what a game has to say for longer. */
  readonly banners = html("div", { class: "banners" });
  readonly #notice = html("p", { class: "notice", hidden: true });
  #moment: Moment | null = null;
  #queue: Promise<void> = Promise.resolve();
  #generation = 0;
  #asked = 0;
  #answer: ((move: string | null) => void) | null = null;

  constructor(
    host: HTMLElement,
    readonly game: OpenGame,
    private readonly options: TableOptions,
  ) {
    const { you, watching = false } = options;
    this.motion = options.motion ?? createMotion();
    this.sounds = options.sounds ?? createSounds();
    const room = html("div", { class: "board-room" });
    this.seats = new Seats(game, you);
    const side = html("div", { class: "table-side" }, this.seats.element, this.banners, this.tray.element);
    if (!watching) side.append(tools(this.sounds, options.motion ? null : this.motion), this.announcer.log);
    this.element = html("section", { class: watching ? "table watching" : "table", "aria-label": t("Game table"), "data-board": game.card.board }, room, side, this.announcer.element);
    this.banners.append(this.#notice);
    host.append(this.element);
    this.view = game.board.createView({
      game,
      you,
      watching,
      room,
      tray: this.tray,
      motion: this.motion,
      sounds: this.sounds,
      note: (text, seat) => this.announcer.note(text, seat),
      say: (text) => this.announcer.say(text),
      notice: (text) => this.#show(text),
      turn: (seats) => this.#turn(seats),
      answer: (move) => this.#settle(move),
    });
    if (!watching) document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The moment that is shown, or on its way to be. */
  get moment(): Moment | null {
    return this.#moment;
  }

  /** Shows a moment at once; what was queued for showing is dropped. */
  show(moment: Moment, last: Played | null = null): void {
    this.#generation += 1;
    this.#queue = Promise.resolve();
    this.withdraw();
    this.#moment = moment;
    this.view.show(moment, last);
    this.#refresh(moment);
  }

  /** Shows what was played after everything that came before it; resolves when it has been seen. */
  play(update: Update): Promise<void> {
    return this.#enqueue(async () => {
      const generation = this.#generation;
      await this.view.perform(update);
      if (generation !== this.#generation || !update.after) return;
      this.#moment = update.after;
      this.#refresh(update.after);
    });
  }

  /** Waits until everything queued so far has been shown. */
  seen(): Promise<void> {
    return this.#enqueue(() => Promise.resolve());
  }

  /** Asks the player, after everything queued; resolves with the move, or null if the question was withdrawn. */
  async ask(question: Question): Promise<string | null> {
    const generation = this.#generation;
    await this.seen();
    if (generation !== this.#generation) return null;
    this.sounds.play(TURN);
    this.announcer.say(this.view.ask(question));
    this.#asked += 1;
    this.element.dataset["asked"] = String(this.#asked);
    this.element.classList.add("your-turn");
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** More is known about the moves of the open question. */
  improve(options: readonly Option[]): void {
    if (this.#answer !== null) this.view.improve(options);
  }

  /** The player has chosen; the choice is told when all have chosen. Shown after everything queued. */
  seal(move: string): void {
    void this.#enqueue(() => {
      this.view.seal(move);
      return Promise.resolve();
    });
  }

  /** Takes the open question back, unanswered. */
  withdraw(): void {
    this.#settle(null);
  }

  end(scores: readonly number[], winners: readonly Seat[]): void {
    this.seats.show(scores, [], winners);
    this.seats.clock([]);
    this.#turn([]);
    this.#show(null);
    this.element.classList.add("ended");
    const result = tellResult(this.game, winners, this.options.you);
    this.tray.status(result);
    this.announcer.note(t("The game is over.") + " " + result);
    this.sounds.play(OVER);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const generation = this.#generation;
    this.#queue = this.#queue.then(() => (generation === this.#generation ? work() : undefined));
    return this.#queue;
  }

  #turnAt(moment: Moment): readonly Seat[] {
    return this.view.turn?.(moment) ?? moment.acting;
  }

  #refresh(moment: Moment): void {
    this.seats.show(this.view.scores?.(moment) ?? null, this.#turnAt(moment));
    this.#turn(this.#turnAt(moment));
  }

  #turn(seats: readonly Seat[]): void {
    this.seats.turn(seats);
    this.element.dataset["turn"] = seats.join(" ");
  }

  #show(notice: string | null): void {
    this.#notice.hidden = notice === null;
    this.#notice.textContent = notice;
  }

  #settle(move: string | null): void {
    const answer = this.#answer;
    this.#answer = null;
    this.view.withdraw();
    this.tray.clear();
    this.element.classList.remove("your-turn");
    answer?.(move);
  }

  #key(event: KeyboardEvent): void {
    const target = event.target;
    if (!this.element.isConnected || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    const key = event.key.toLowerCase();
    if (key === "b") return this.#readOut();
    if (this.view.key?.(key)) event.preventDefault();
  }

  #readOut(): void {
    const moment = this.#moment;
    if (moment) this.announcer.say(`${this.view.describe(moment)} ${tellTurn(this.game, this.#turnAt(moment), moment.over)}`);
  }
}
