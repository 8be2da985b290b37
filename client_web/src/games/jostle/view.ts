/** Jostle on a table: the board with its pieces, the die in the tray, and the choices as buttons beside it. */

import { drawnAt } from "../../table/svg";
import { t, tn } from "../../i18n";
import { html } from "../../table/dom";
import type { Moment, Option as Known, Played, Question, Seat, Update } from "../../table/model";
import type { Choice } from "../../table/tray";
import type { BoardView, Stage } from "../../table/view";
import { Board } from "./board";
import { Dice } from "./die";
import { exactOptions, framesOf, roughOptions } from "./frames";
import { type Frame, type Layout, type Option, type State, numberOf, scoresOf } from "./model";
import { endsTurn, isRoll, pieceOf, plain, readPosition } from "./notation";
import { pieceIcon } from "./pieces";
import { LAST_ROUND } from "./sounds";
import { Words, fieldName, shortFieldName, tellLastRound } from "./words";

export const createView = (stage: Stage): BoardView => new JostleView(stage);

const MOVE_NAMES: Readonly<Record<string, () => string>> = { again: () => t("roll again"), keep: () => t("keep the six"), pass: () => t("pass") };

export function nameMove(move: string): string {
  const piece = pieceOf(move);
  return piece === null ? (MOVE_NAMES[plain(move)]?.() ?? move) : t("piece {n}", { n: numberOf(piece) });
}

const SIX_KEYS: Readonly<Record<string, string>> = { r: "again", k: "keep" };

class JostleView implements BoardView {
  readonly #layout: Layout;
  readonly #board: Board;
  readonly #dice: Dice;
  readonly #words: Words;
  #state: State | null = null;
  #options: readonly Option[] = [];
  #legal: readonly string[] = [];
  #performance = 0;

  constructor(private readonly stage: Stage) {
    this.#layout = stage.game.card.setup as Layout;
    this.#words = new Words(this.#layout, (seat) => stage.game.name(seat));
    this.#board = new Board(stage.room, this.#layout, { motion: stage.motion, sounds: stage.sounds });
    this.#dice = new Dice(stage.motion, stage.sounds);
    stage.tray.aside.append(this.#dice.element);
  }

  get shape(): string {
    return `serpentine of ${this.#board.geometry.columns} columns`;
  }

  place(): DOMRect {
    return drawnAt(this.#board.element);
  }

  show(moment: Moment, last: Played | null): void {
    this.#performance += 1;
    const state = readPosition(moment.position);
    const frame = last && framesOf(last.update, readPosition(last.before.position)).at(-1);
    this.#state = state;
    this.#board.show(state.pieces, frame?.steps);
    if (frame) this.#dice.show(diceOf(last!), frame.seat);
    else this.#dice.show(diceIn(state), state.seat);
    this.#settle(state);
  }

  async perform(update: Update): Promise<void> {
    const performance = ++this.#performance;
    for (const frame of framesOf(update, this.#state!)) {
      await this.#perform(frame);
      if (performance !== this.#performance) return;
      this.#arrive(frame);
    }
  }

  ask({ moment, legal, options }: Question): string {
    const state = readPosition(moment.position);
    this.#legal = legal;
    if (legal.some((move) => plain(move) === "again")) return this.#askSix();
    this.#options = options ? exactOptions(options, state) : roughOptions(state, legal, this.#layout);
    this.stage.tray.ask(tn("Your move: {n} point. Which piece?", "Your move: {n} points. Which piece?", state.points));
    this.stage.tray.offer(this.#options.map((option) => this.#choice(option)));
    this.#offer();
    return `${t("Your move with {points}.", { points: state.points })} ${this.#options.map((option) => this.#words.option(option)).join(" ")}`;
  }

  improve(known: readonly Known[]): void {
    if (this.#options.length === 0 || !this.#state) return;
    this.#options = exactOptions(known, this.#state);
    for (const option of this.#options) this.stage.tray.describe(this.#choice(option));
    this.#offer();
  }

  withdraw(): void {
    this.#options = [];
    this.#board.withdraw();
  }

  seal(): void {
    throw new Error("nobody chooses at the same time in this game");
  }

  describe(moment: Moment): string {
    return this.#words.state(readPosition(moment.position));
  }

  tell({ update, before }: Played): string {
    const frame = framesOf(update, readPosition(before.position)).at(-1);
    return frame ? this.#words.frame(frame) : "";
  }

  key(key: string): boolean {
    const number = Number(key);
    const piece = number >= 1 && number <= 3 ? `p${(this.stage.you ?? 0) * 3 + number - 1}` : undefined;
    const move = SIX_KEYS[key] ?? piece;
    return move !== undefined && this.stage.tray.press(this.#written(move));
  }

  scores(moment: Moment): readonly number[] {
    return scoresOf(readPosition(moment.position).pieces, this.#layout);
  }

  /** The die is rolled within a turn, so a turn begins before anybody chooses. */
  turn(moment: Moment): readonly Seat[] {
    const { seat } = readPosition(moment.position);
    this.#board.turn(seat);
    return seat === null ? [] : [seat];
  }

  async #perform(frame: Frame): Promise<void> {
    const { motion, tray } = this.stage;
    this.stage.turn([frame.seat]);
    this.#board.turn(frame.seat);
    if (isRoll(frame.move)) {
      // Words come when the die lies: they would give the roll away.
      if (!motion.still) tray.status(t("{colour} rolls the die …", { colour: this.stage.game.name(frame.seat) }));
      await this.#dice.roll(Number(frame.move), frame.seat, this.#state?.again === "due");
      this.#tell(frame);
      return motion.pause(220);
    }
    this.#tell(frame);
    if (frame.steps.length === 0) return motion.pause(500);
    await this.#board.perform(frame.steps);
    return motion.pause(160);
  }

  #tell(frame: Frame): void {
    const words = this.#words.frame(frame);
    if (!this.stage.watching || pieceOf(frame.move) !== null) this.stage.tray.status(words);
    this.stage.note(words, frame.seat);
  }

  /** The frame has been seen: its state is the board's. */
  #arrive(frame: Frame): void {
    const before = this.#state;
    this.#state = frame.state;
    if (frame.steps.length > 0) this.#board.show(frame.state.pieces, frame.steps); // its trail stays until the next move
    if (endsTurn(frame.move)) this.#dice.show([], frame.state.seat);
    this.#settle(frame.state);
    if (before?.lastTurns === null && frame.state.lastTurns !== null) {
      this.stage.note(`${t("All goals are taken.")} ${tellLastRound(frame.state.lastTurns)}`);
      this.stage.sounds.play(LAST_ROUND);
    }
  }

  #settle(state: State): void {
    this.#board.turn(state.seat);
    this.stage.turn(state.seat === null ? [] : [state.seat]);
    this.stage.notice(state.lastTurns === null || state.seat === null ? null : tellLastRound(state.lastTurns));
  }

  /** A move as the game writes it. */
  #written(move: string): string {
    return this.#legal.find((legal) => plain(legal) === move) ?? move;
  }

  #askSix(): string {
    this.stage.tray.ask(t("A six! Roll once more?"));
    this.stage.tray.offer([sixChoice(this.#written("again"), t("Roll again"), "R"), sixChoice(this.#written("keep"), t("Keep the six"), "K")]);
    return t("You rolled a six. Press R to roll again or K to keep it.");
  }

  #offer(): void {
    this.#board.offer(this.#options, (option) => this.stage.tray.press(option.move), (option) => this.#point(option));
  }

  #point(option: Option | null): void {
    const known = option && (this.#options.find(({ move }) => move === option.move) ?? option);
    this.#board.preview(known);
    this.stage.tray.mark(known?.move ?? null);
  }

  #choice(option: Option): Choice {
    const end = option.steps.findLast((step) => step.piece === option.piece)?.to ?? option.landing;
    const jostled = option.steps.filter((step) => step.kind === "jostle");
    return {
      move: option.move,
      className: "choice-piece",
      key: String(numberOf(option.piece)),
      content: [
        pieceIcon(option.piece),
        html("span", { class: "choice-to" }, `→ ${fieldName(end, this.#layout)}`),
        html("span", { class: "choice-to-short" }, `→ ${shortFieldName(end, this.#layout)}`),
        html("span", { class: "visually-hidden" }, this.#words.option(option)),
        ...(jostled.length > 0 ? [html("span", { class: "choice-jostles" }, ...jostled.map((step) => pieceIcon(step.piece)), "↩")] : []),
      ],
      point: (on) => this.#point(on ? option : null),
    };
  }
}

const sixChoice = (move: string, text: string, key: string): Choice => ({ move, key, content: [text, " ", html("kbd", { "aria-hidden": "true" }, key)] });

/** The dice that lie there in a state. */
function diceIn(state: State): number[] {
  if (state.points > 6) return [6, state.points - 6];
  if (state.again === "due") return [6];
  return state.points > 0 ? [state.points] : [];
}

/** The dice that were rolled on the way to a decision. */
function diceOf({ update, before }: Played): number[] {
  const rolls = update.moves.filter(isRoll).map(Number);
  return readPosition(before.position).again === "due" ? [6, ...rolls] : rolls;
}
