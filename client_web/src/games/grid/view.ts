/**
 * Any square board with pieces. Squares are buttons in a grid: a click or Enter puts a piece, or takes one and puts it down; a piece
 * can also be dragged; arrows go from square to square. What was played last stays marked.
 */

import { language, t } from "../../i18n";
import { html } from "../../table/dom";
import type { GameCard } from "../../table/game";
import { CHANCE, type GridPicture, type Happening, type Moment, type Played, type Question, type Seat, type Update } from "../../table/model";
import { easeInOut, easeOut } from "../../table/motion";
import { PUT } from "../../table/sounds";
import { svg } from "../../table/svg";
import { icon } from "../../table/tokens";
import { isFree } from "../../table/tray";
import type { BoardView, Stage } from "../../table/view";
import { Hands, type Piece, after, cellAfter, cellName, columnName, piecesOf, placeOf, rowsOf } from "./cells";
import { drawSign, isDrawn, signName } from "./signs";

export const createView = (stage: Stage): BoardView => new GridView(stage);

/** Where the pieces themselves are the seats' signs, they also mark the seats. */
export function mark(seat: Seat, { letters, setup }: GameCard): SVGSVGElement {
  const sign = (setup as Setup | null)?.pieces?.find((piece) => piece.seat === seat)?.sign ?? letters[seat] ?? "";
  return icon(drawSign(shortSign(sign, letters), seat));
}

/** A sign that is a seat's whole name is drawn as its first letter: its colour says the rest. */
const shortSign = (sign: string, letters: readonly string[]): string => (!isDrawn(sign) && letters.includes(sign) ? sign.slice(0, 1) : sign);

/** What a game may say of its board once. */
interface Setup {
  readonly chequered?: boolean;
  readonly pieces?: readonly { readonly sign: string; readonly seat: Seat; readonly names: Readonly<Record<string, string>> }[];
}

const EMPTY: GridPicture = { columns: 0, rows: 0, pieces: [], moves: [] };
const MOVE_MS = 320;
const PUT_MS = 220;
/** More than so much at once is another scene, which is shown as it is. */
const MOST_EVENTS = 12;
/** So far a pointer may stray in pixels and still click. */
const STRAY = 6;

/** What a game may say about its board once: how many squares a side of the smaller boards has that it consists of. */
interface GridSetup {
  readonly block?: number;
}

const startsBlock = (index: number, block: number | undefined): boolean => block !== undefined && index > 0 && index % block === 0;

interface Square {
  readonly button: HTMLButtonElement;
  readonly picture: SVGSVGElement;
}

class GridView implements BoardView {
  readonly shape = "grid";
  readonly #element = html("div", { class: "grid-board" });
  readonly #squares = new Map<string, Square>();
  readonly #setup: Setup;
  #grid: GridPicture = EMPTY;
  #pieces = new Map<string, Piece>();
  #last = new Set<string>();
  #hands: Hands | null = null;
  #held: string | null = null;
  #at = "a1";
  #performance = 0;

  constructor(private readonly stage: Stage) {
    this.#setup = (stage.game.card.setup ?? {}) as Setup;
    this.#element.classList.toggle("plain", this.#setup.chequered === false);
    stage.room.append(this.#element);
    this.#element.addEventListener("keydown", (event) => this.#walk(event));
    this.#element.addEventListener("pointerdown", (event) => this.#drag(event));
  }

  place(): DOMRect {
    return (this.#element.querySelector(".grid-squares") ?? this.#element).getBoundingClientRect();
  }

  show({ shown }: Moment, last: Played | null): void {
    this.#performance += 1;
    this.#last = cellsOf(last?.update.events ?? []);
    this.#lay(shown.grid ?? EMPTY);
  }

  async perform(update: Update): Promise<void> {
    const performance = ++this.#performance;
    const seats = update.seats.filter((seat) => seat !== CHANCE);
    if (update.events.length > 0) this.#last = cellsOf(update.events);
    this.#tell(update);
    for (const event of update.events.length > MOST_EVENTS ? [] : update.events) {
      await this.#move(event, seats[0] ?? CHANCE);
      if (performance !== this.#performance) return;
    }
    if (update.after) this.#lay(update.after.shown.grid ?? EMPTY);
  }

  ask({ moment, legal }: Question): string {
    this.#hands = new Hands((moment.shown.grid ?? EMPTY).moves.filter(([move]) => legal.includes(move)));
    const sources = this.#hands.sources;
    this.#held = sources.length === 1 ? sources[0]! : null;
    this.stage.tray.ask(
      this.#hands.walker ? t("Your move: one step, with the arrow keys or by a click.")
      : sources.length > 0 ? t("Your move: choose a piece and where it goes.")
      : t("Your move: choose a square."),
    );
    this.#offerOthers(legal, moment.shown.grid ?? EMPTY);
    this.#mark();
    if (isFree(document.activeElement)) this.#squares.get(this.#at)?.button.focus({ preventScroll: true });
    return `${t("Your move.")} ${this.#reading()}`;
  }

  improve(): void {
    // The squares say everything that there is to choose.
  }

  withdraw(): void {
    this.#hands = null;
    this.#held = null;
    this.#mark();
  }

  seal(move: string): void {
    this.stage.tray.status(t("You have chosen {move}. The others have not chosen yet.", { move }));
  }

  describe({ shown }: Moment): string {
    const grid = shown.grid ?? EMPTY;
    const pieces = grid.pieces.map(([cell, sign, seat]) => t("{cell}: {piece}", { cell, piece: this.#pieceName({ sign, seat }) }));
    return pieces.length > 0 ? `${pieces.join(", ")}.` : t("The board is empty.");
  }

  tell({ update }: Played): string {
    return this.#inWords(update);
  }

  #inWords({ moves, seats }: Update): string {
    return moves.flatMap((move, index) => {
      const seat = seats[index] ?? CHANCE;
      return seat === CHANCE ? [] : [t("{colour}: {move}.", { colour: this.stage.game.name(seat), move })];
    }).join(" ");
  }

  #tell(update: Update): void {
    const words = this.#inWords(update);
    if (!words) return;
    this.stage.tray.status(words);
    this.stage.note(words, update.seats.find((seat) => seat !== CHANCE));
  }

  #pieceName({ sign, seat }: Piece): string {
    const said = this.#setup.pieces?.find((piece) => piece.sign === sign && piece.seat === seat)?.names;
    const name = said?.[language] ?? said?.["en"];
    if (name !== undefined) return seat < 0 ? name : `${this.stage.game.name(seat)} ${name}`;
    return seat < 0 ? signName(sign) : isDrawn(sign) ? this.stage.game.name(seat) : `${this.stage.game.name(seat)} ${signName(sign)}`;
  }

  /** Draws a picture; the squares stay while the board keeps its size. */
  #lay(grid: GridPicture): void {
    if (grid.columns !== this.#grid.columns || grid.rows !== this.#grid.rows) this.#build(grid);
    this.#grid = grid;
    this.#pieces = piecesOf(grid);
    this.#draw();
  }

  #build(grid: GridPicture): void {
    this.#squares.clear();
    const rows = rowsOf(grid);
    const lines = rows.map((cells) => {
      const squares = cells.map((cell) => html("div", { role: "gridcell" }, this.#square(cell)));
      return html("div", { role: "row" }, html("span", { class: "grid-name", "aria-hidden": "true" }, String(placeOf(cells[0]!)!.row + 1)), ...squares);
    });
    const names = Array.from({ length: grid.columns }, (_, column) => html("span", { class: "grid-name" }, columnName(column)));
    const board = html("div", { class: "grid-squares", role: "grid", "aria-label": t("Board") }, ...lines);
    this.#element.style.setProperty("--columns", String(grid.columns));
    this.#element.style.setProperty("--rows", String(grid.rows));
    this.#element.replaceChildren(board, html("div", { class: "grid-names", "aria-hidden": "true" }, html("span"), ...names));
    this.#at = cellName({ column: Math.floor((grid.columns - 1) / 2), row: Math.floor((grid.rows - 1) / 2) });
  }

  #square(cell: string): HTMLButtonElement {
    const place = placeOf(cell)!;
    const picture = svg("svg", { viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true" });
    const dark = (place.column + place.row) % 2 === 0;
    const block = (this.stage.game.card.setup as GridSetup | null)?.block;
    const looks = { square: true, dark, "block-left": startsBlock(place.column, block), "block-bottom": startsBlock(place.row, block) };
    const classes = Object.entries(looks).flatMap(([name, on]) => (on ? [name] : []));
    const button = html("button", { type: "button", class: classes.join(" "), "data-cell": cell, "data-name": `cell ${cell}`, tabindex: "-1" });
    button.append(picture);
    button.addEventListener("click", () => this.#choose(cell));
    button.addEventListener("focus", () => this.#goTo(cell, false));
    this.#squares.set(cell, { button, picture });
    return button;
  }

  #draw(): void {
    for (const [cell, { picture }] of this.#squares) {
      const piece = this.#pieces.get(cell);
      const content: SVGElement[] = piece ? [drawSign(shortSign(piece.sign, this.stage.game.card.letters), piece.seat)] : [];
      picture.replaceChildren(...content);
    }
    this.#mark();
  }

  /** What may be taken, where it may go, what was played last; in looks and in words. */
  #mark(): void {
    const targets = new Set(this.#hands?.targets(this.#held) ?? []);
    const sources = new Set(this.#held === null ? (this.#hands?.sources ?? []) : []);
    this.#element.classList.toggle("asking", this.#hands !== null);
    for (const [cell, { button }] of this.#squares) {
      const piece = this.#pieces.get(cell);
      const signs: Readonly<Record<string, boolean>> = {
        target: targets.has(cell),
        source: sources.has(cell),
        held: cell === this.#held,
        last: this.#last.has(cell),
      };
      for (const [name, on] of Object.entries(signs)) button.classList.toggle(name, on);
      const words = [
        cell,
        piece ? this.#pieceName(piece) : t("empty"),
        ...(signs["held"] ? [t("held")] : signs["target"] ? [t("you can go here")] : signs["source"] ? [t("you can take this")] : []),
        ...(signs["last"] ? [t("played last")] : []),
      ];
      button.setAttribute("aria-label", words.join(", "));
      button.setAttribute("aria-disabled", String(!signs["target"] && !signs["source"] && !signs["held"]));
      button.tabIndex = cell === this.#at && !this.stage.watching ? 0 : -1;
      button.disabled = this.stage.watching;
      if (signs["target"]) button.dataset["answer"] = this.#hands!.moves(this.#held, cell)[0];
      else delete button.dataset["answer"];
    }
  }

  #reading(): string {
    const hands = this.#hands!;
    const places = this.#held === null && hands.sources.length > 0 ? hands.sources : hands.targets(this.#held);
    return t("You can choose: {places}.", { places: places.join(", ") });
  }

  #choose(cell: string): void {
    const hands = this.#hands;
    if (!hands) return;
    const moves = hands.moves(this.#held, cell);
    if (moves.length === 1) return this.stage.answer(moves[0]!);
    if (moves.length > 1) return this.#askHow(moves);
    if (cell !== this.#held && hands.canHold(cell)) this.#hold(cell);
    else if (this.#held !== null) this.#hold(null);
  }

  #hold(cell: string | null): void {
    this.#held = cell;
    this.#mark();
    const targets = cell === null ? "" : this.#hands!.targets(cell).join(", ");
    this.stage.say(cell === null ? t("Put back.") : t("{cell} is held. It can go to {places}.", { cell, places: targets }));
  }

  /** Several moves look the same to the hands: they are chosen by their names. */
  #askHow(moves: readonly string[]): void {
    this.stage.tray.offer(moves.map((move) => ({ move, content: [move] })));
  }

  /** Moves that touch no square, such as passing. */
  #offerOthers(legal: readonly string[], grid: GridPicture): void {
    const onBoard = new Set(grid.moves.map(([move]) => move));
    const others = legal.filter((move) => !onBoard.has(move));
    if (others.length > 0) this.stage.tray.offer(others.map((move) => ({ move, content: [move] })));
  }

  #walk(event: KeyboardEvent): void {
    if (event.key === "Escape" && this.#held !== null) {
      event.preventDefault();
      return this.#hold(null);
    }
    const walker = this.#hands?.walker ?? null;
    const next = cellAfter(event.key, walker ?? this.#at, this.#grid);
    if (next === null || event.altKey || event.ctrlKey || event.metaKey || this.stage.watching) return;
    event.preventDefault();
    if (walker === null) return this.#goTo(next, true);
    const steps = this.#hands!.moves(walker, next);
    if (steps.length !== 1) return this.stage.say(t("There is no way."));
    this.#goTo(next, true);
    this.stage.answer(steps[0]!);
  }

  #goTo(cell: string, focus: boolean): void {
    const before = this.#squares.get(this.#at);
    const now = this.#squares.get(cell);
    if (before) before.button.tabIndex = -1;
    this.#at = cell;
    if (now) now.button.tabIndex = 0;
    if (focus) now?.button.focus();
  }

  /** A piece follows the pointer from its square to the one where it is let go; without straying it is a click. */
  #drag(event: PointerEvent): void {
    const cell = (event.target as Element).closest<HTMLElement>("[data-cell]")?.dataset["cell"];
    if (!cell || !this.#hands?.canHold(cell) || event.button !== 0) return;
    const { picture, button } = this.#squares.get(cell)!;
    const side = button.clientWidth || 1;
    let strayed = false;
    const move = (now: PointerEvent): void => {
      const [x, y] = [now.clientX - event.clientX, now.clientY - event.clientY];
      if (!strayed && Math.hypot(x, y) < STRAY) return;
      if (!strayed) this.#hold(cell);
      strayed = true;
      button.classList.add("dragged");
      picture.firstElementChild?.setAttribute("transform", `translate(${x / side} ${y / side})`);
    };
    const end = (now: PointerEvent): void => {
      listening.abort();
      button.classList.remove("dragged");
      picture.firstElementChild?.removeAttribute("transform");
      if (!strayed) return;
      const target = document.elementsFromPoint(now.clientX, now.clientY).find((element) => element instanceof HTMLElement && element.dataset["cell"] !== undefined && element !== button);
      const wanted = (target as HTMLElement | undefined)?.dataset["cell"];
      // The click that follows letting go is not another choice.
      this.#element.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      setTimeout(() => (wanted && this.#hands?.moves(cell, wanted).length ? this.#choose(wanted) : this.#hands && this.#hold(null)));
    };
    const listening = new AbortController();
    window.addEventListener("pointermove", move, { signal: listening.signal });
    window.addEventListener("pointerup", end, { signal: listening.signal });
    window.addEventListener("pointercancel", end, { signal: listening.signal });
  }

  /** One event: a piece goes from its source to its target, appears, or goes away. */
  async #move(event: Happening, seat: Seat): Promise<void> {
    const [, , source, target] = event;
    const [from, to] = [placeOf(source), placeOf(target)];
    const moving = this.#squares.get(source)?.picture.firstElementChild;
    if (from && to && moving) {
      const [x, y] = [to.column - from.column, from.row - to.row];
      this.#squares.get(source)!.button.classList.add("dragged");
      await this.stage.motion.run(MOVE_MS, (part) => moving.setAttribute("transform", `translate(${x * easeInOut(part)} ${y * easeInOut(part)})`));
      this.#squares.get(source)!.button.classList.remove("dragged");
    }
    this.#pieces = after(this.#pieces, event, seat);
    this.#draw();
    this.stage.sounds.play(PUT);
    const put = !from && this.#squares.get(target)?.picture.firstElementChild;
    if (put) await this.stage.motion.run(PUT_MS, (part) => put.setAttribute("transform", `scale(${0.4 + 0.6 * easeOut(part)})`));
    await this.stage.motion.pause(120);
  }
}

/** What a move touched; of another scene, nothing. */
const cellsOf = (events: readonly Happening[]): Set<string> => new Set((events.length > MOST_EVENTS ? [] : events).flatMap(([, , source, target]) => [source, target]).filter((cell) => placeOf(cell) !== null));
