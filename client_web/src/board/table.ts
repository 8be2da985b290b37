/**
 * A table to play or watch at: board, die, players, words and sounds together. Frames are shown one after another; a question
 * is put only when everything before it has been seen.
 */

import { t } from "../i18n";
import { Announcer } from "./announcer";
import { Board } from "./board";
import { html } from "./dom";
import { type Frame, type Layout, type Option, type Question, START_STATE, type Seat, type State, scoresOf } from "./model";
import { type Motion, createMotion } from "./motion";
import { endsTurn, isRoll, pieceOf } from "./notation";
import { type Sounds, createSounds } from "./sounds";
import { Seats } from "./seats";
import { tools } from "./tools";
import { Tray } from "./tray";
import { colourOf, tellFrame, tellLastRound, tellOption, tellResult, tellState } from "./words";

export interface TableOptions {
  readonly layout: Layout;
  readonly you: Seat | null;
  readonly motion?: Motion;
  readonly sounds?: Sounds;
  /** A watching table has no tray of choices and no keyboard of its own. */
  readonly watching?: boolean;
}

export class Table {
  readonly board: Board;
  readonly seats: Seats;
  readonly tray: Tray;
  readonly announcer = new Announcer();
  readonly motion: Motion;
  readonly sounds: Sounds;
  readonly element: HTMLElement;
  /** Below the players: connection troubles, the last round. */
  readonly banners = html("div", { class: "banners" });
  state: State = START_STATE;
  #queue: Promise<void> = Promise.resolve();
  #generation = 0;
  #asked = 0;
  #answer: ((move: string) => void) | null = null;
  #options: readonly Option[] = [];
  readonly #lastRound = html("p", { class: "last-round", hidden: true });

  constructor(
    host: HTMLElement,
    private readonly options: TableOptions,
  ) {
    const { layout, you } = options;
    this.motion = options.motion ?? createMotion();
    this.sounds = options.sounds ?? createSounds();
    const room = html("div", { class: "board-room" });
    this.seats = new Seats(you);
    this.tray = new Tray(this.motion, this.sounds, layout, {
      answer: (move) => this.#settle(move),
      point: (option) => this.#point(option),
    });
    const side = html("div", { class: "table-side" }, this.seats.element, this.banners, this.tray.element);
    if (!options.watching) side.append(tools(this.sounds, this.motion), this.announcer.log);
    this.element = html("section", { class: options.watching ? "table watching" : "table", "aria-label": t("Game table") }, room, side, this.announcer.element);
    this.banners.append(this.#lastRound);
    host.append(this.element);
    this.board = new Board(room, layout, { motion: this.motion, sounds: this.sounds });
    if (!options.watching) document.addEventListener("keydown", (event) => this.#key(event));
    this.show(START_STATE);
  }

  /** Shows a state at once; what was queued for showing is dropped. */
  show(state: State): void {
    this.#generation += 1;
    this.#queue = Promise.resolve();
    this.withdraw();
    this.state = state;
    this.board.show(state.pieces);
    this.tray.dice.show(diceOf(state), state.seat);
    this.#refresh(state);
  }

  /** Shows a move after everything that came before it; resolves when it has been seen. */
  play(frame: Frame): Promise<void> {
    return this.#enqueue(() => this.#perform(frame));
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
    this.sounds.play("turn");
    this.tray.ask(question);
    this.#asked += 1;
    this.element.dataset["asked"] = String(this.#asked);
    this.element.classList.add("your-turn");
    if (question.kind === "piece") this.#offer(question.options);
    this.announcer.say(this.#questionInWords(question));
    return new Promise((resolve) => {
      this.#answer = (move) => resolve(move === "" ? null : move);
    });
  }

  /** Replaces the options of the open question by better-known ones. */
  improve(options: readonly Option[]): void {
    if (this.#answer === null || this.#options.length === 0) return;
    this.tray.improve(options);
    this.#offer(options);
  }

  /** Takes the open question back, unanswered. */
  withdraw(): void {
    this.#settle("");
  }

  end(winners: readonly Seat[]): void {
    this.seats.show(scoresOf(this.state.pieces, this.options.layout), null, winners);
    this.seats.clock(null);
    this.board.turn(null);
    this.element.classList.add("ended");
    const result = tellResult(winners, this.options.you);
    this.tray.status(result);
    this.announcer.note(t("The game is over.") + " " + result);
    this.sounds.play("over");
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const generation = this.#generation;
    this.#queue = this.#queue.then(() => (generation === this.#generation ? work() : undefined));
    return this.#queue;
  }

  async #perform(frame: Frame): Promise<void> {
    const generation = this.#generation;
    this.#turn(frame.seat);
    if (isRoll(frame.move)) {
      // Words come when the die lies: they would give the roll away.
      if (!this.motion.still) this.tray.status(t("{colour} rolls the die …", { colour: colourOf(frame.seat) }));
      await this.tray.dice.roll(Number(frame.move), frame.seat, this.state.again === "due");
      this.#tell(frame);
      await this.motion.pause(220);
      return this.#arrive(frame, generation);
    }
    this.#tell(frame);
    if (frame.steps.length > 0) {
      await this.board.perform(frame.steps);
      await this.motion.pause(160);
    } else {
      await this.motion.pause(500);
    }
    this.#arrive(frame, generation);
  }

  #tell(frame: Frame): void {
    const words = tellFrame(frame, this.options.layout);
    if (!this.options.watching || pieceOf(frame.move) !== null) this.tray.status(words);
    this.announcer.note(words, frame.seat);
  }

  /** The frame has been seen: its state is the table's. */
  #arrive(frame: Frame, generation: number): void {
    if (generation !== this.#generation) return;
    const before = this.state;
    this.state = frame.state;
    if (frame.steps.length > 0) this.board.show(frame.state.pieces, frame.steps); // its trail stays until the next move
    this.#refresh(frame.state, endsTurn(frame.move));
    if (before.lastTurns === null && frame.state.lastTurns !== null) this.#announceLastRound(frame.state.lastTurns);
  }

  #refresh(state: State, turnOver = false): void {
    this.seats.show(scoresOf(state.pieces, this.options.layout), state.seat);
    this.#turn(state.seat);
    if (turnOver) this.tray.dice.show([], state.seat);
    this.#lastRound.hidden = state.lastTurns === null || state.seat === null;
    if (state.lastTurns !== null) this.#lastRound.textContent = tellLastRound(state.lastTurns);
  }

  #turn(seat: Seat | null): void {
    this.board.turn(seat);
    this.element.dataset["turn"] = seat === null ? "" : String(seat);
  }

  #announceLastRound(turns: number): void {
    this.announcer.note(`${t("All goals are taken.")} ${tellLastRound(turns)}`);
    this.sounds.play("lastRound");
  }

  #offer(options: readonly Option[]): void {
    this.#options = options;
    this.board.offer(options, (option) => this.tray.press(option.move), (option) => this.#point(option));
  }

  #point(option: Option | null): void {
    const known = option && (this.#options.find(({ move }) => move === option.move) ?? option);
    this.board.preview(known);
    this.tray.mark(known);
  }

  #settle(move: string): void {
    const answer = this.#answer;
    this.#answer = null;
    this.#options = [];
    this.board.withdraw();
    this.tray.clear();
    this.element.classList.remove("your-turn");
    answer?.(move);
  }

  #questionInWords(question: Question): string {
    if (question.kind === "six") return t("You rolled a six. Press R to roll again or K to keep it.");
    const options = question.options.map((option) => tellOption(option, this.options.layout)).join(" ");
    return `${t("Your move with {points}.", { points: question.points })} ${options}`;
  }

  #key(event: KeyboardEvent): void {
    const target = event.target;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    const key = event.key.toLowerCase();
    if (key === "b") return this.announcer.say([...tellState(this.state, this.options.layout), this.#turnInWords()].join(" "));
    const move = this.#moveOfKey(key);
    if (move !== null && this.tray.press(move)) event.preventDefault();
  }

  #moveOfKey(key: string): string | null {
    if (key === "r") return "again";
    if (key === "k") return "keep";
    const number = Number(key);
    if (this.options.you === null || !(number >= 1 && number <= 3)) return null;
    return `p${this.options.you * 3 + number - 1}`;
  }

  #turnInWords(): string {
    return this.state.seat === null ? t("The game is over.") : t("It is {colour}'s turn.", { colour: colourOf(this.state.seat) });
  }
}

function diceOf(state: State): number[] {
  if (state.points > 6) return [6, state.points - 6];
  if (state.again === "due") return [6];
  return state.points > 0 ? [state.points] : [];
}
