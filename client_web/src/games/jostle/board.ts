/**
 * The board as a whole: it shows a state, performs a move step by step, offers moves and previews them. It has
 * one shape, which is scaled into whatever room there is.
 */

import { type Geometry, columnsOf, lay } from "./geometry";
import { drawGround } from "./ground";
import { type Field, type Layout, type Option, type PieceId, STACK, type Step, seatOf } from "./model";
import { type Motion, createMotion, easeInOut, easeOut } from "../../table/motion";
import { drawPiece } from "./pieces";
import { drawMarkers, drawPreview, travel, wayOf } from "./preview";
import { PUT, type Sounds } from "../../table/sounds";
import { BACK, HOP, JOSTLE, SWITCH } from "./sounds";
import { path, svg } from "../../table/svg";

const HOP_MS = 150;
const LONGEST_WALK = 1150;

export interface BoardOptions {
  readonly motion?: Motion;
  readonly sounds?: Sounds;
}

export class Board {
  readonly element: SVGSVGElement;
  readonly motion: Motion;
  readonly #geometry: Geometry;
  #places: Field[] = Array.from({ length: 9 }, () => STACK);
  readonly #pieces: SVGGElement[];
  readonly #layers = {
    ground: svg("g"),
    trail: svg("g", { class: "trail" }),
    ways: svg("g", { class: "ways" }),
    markers: svg("g", { class: "markers" }),
    pieces: svg("g", { class: "pieces" }),
    ghosts: svg("g", { class: "ghosts" }),
    tags: svg("g", { class: "markers" }),
    flashes: svg("g", { class: "flashes" }),
  };
  readonly #sounds: Sounds | undefined;
  #performance = 0;
  #offered: readonly Option[] = [];
  #onPick: ((option: Option) => void) | null = null;
  #onPoint: ((option: Option | null) => void) | null = null;

  constructor(
    host: HTMLElement,
    readonly layout: Layout,
    { motion = createMotion(), sounds }: BoardOptions = {},
  ) {
    this.motion = motion;
    this.#sounds = sounds;
    this.#geometry = lay(layout, columnsOf(layout));
    this.#pieces = this.#places.map((_, piece) => drawPiece(piece));
    this.#layers.pieces.append(...this.#pieces);
    this.element = svg("svg", { class: "board", role: "presentation", "aria-hidden": "true", focusable: "false" }, ...Object.values(this.#layers));
    host.append(this.element);
    this.element.addEventListener("click", (event) => this.#pick(event));
    this.element.addEventListener("pointerover", (event) => this.#point(event));
    this.element.addEventListener("pointerleave", () => this.#onPoint?.(null));
    this.element.setAttribute("viewBox", path`0 0 ${this.#geometry.width} ${this.#geometry.height}`);
    this.element.dataset["columns"] = String(this.#geometry.columns);
    this.#layers.ground.append(drawGround(layout, this.#geometry));
    this.#rest();
  }

  get geometry(): Geometry {
    return this.#geometry;
  }

  get places(): readonly Field[] {
    return this.#places;
  }

  /** Shows pieces where they are; `steps` leave the trail of how they got there. */
  show(pieces: readonly Field[], steps: readonly Step[] = []): void {
    this.#performance += 1;
    this.#places = [...pieces];
    this.#trail(steps);
    this.#rest();
  }

  /** Performs what a move does, one step after the other; ends early when another state is shown. */
  async perform(steps: readonly Step[]): Promise<void> {
    this.#trail([]);
    const start = steps[0];
    if (start) this.#layers.pieces.append(this.#pieces[start.piece]!);
    const performance = ++this.#performance;
    for (const step of steps) {
      await STEPS[step.kind].call(this, step);
      if (performance !== this.#performance) return this.#rest(); // another state was shown meanwhile
      this.#places[step.piece] = step.to;
    }
    this.#rest();
    this.#trail(steps);
  }

  /** Lets the player pick a move by pointing at a piece or at the field it would land on. */
  offer(options: readonly Option[], onPick: (option: Option) => void, onPoint: (option: Option | null) => void): void {
    this.#offered = options;
    this.#onPick = onPick;
    this.#onPoint = onPoint;
    this.#drawOffer();
  }

  withdraw(): void {
    this.#offered = [];
    this.#onPick = null;
    this.#onPoint = null;
    this.preview(null);
    this.#drawOffer();
  }

  preview(option: Option | null): void {
    const { ways, ghosts } = option ? drawPreview(option, this.#geometry) : { ways: [], ghosts: [] };
    this.#layers.ways.replaceChildren(...ways);
    this.#layers.ghosts.replaceChildren(...ghosts);
    this.element.classList.toggle("previewing", option !== null);
    this.#pieces.forEach((element, piece) => element.classList.toggle("pointed", option?.piece === piece));
  }

  /** Marks the seat whose turn it is. */
  turn(seat: number | null): void {
    this.#pieces.forEach((element, piece) => element.classList.toggle("at-turn", seatOf(piece) === seat));
    if (seat === null) delete this.element.dataset["turn"];
    else this.element.dataset["turn"] = String(seat);
  }

  #rest(): void {
    this.#pieces.forEach((_, piece) => {
      const { x, y } = this.#geometry.rest(piece, this.#places[piece]!);
      this.#put(piece, x, y, 0);
    });
  }

  /** Puts a piece's foot at a point and lifts its body above it. */
  #put(piece: PieceId, x: number, y: number, lift: number): void {
    const element = this.#pieces[piece]!;
    element.setAttribute("transform", path`translate(${x} ${y})`);
    element.lastElementChild!.setAttribute("transform", path`translate(0 ${-lift})`);
  }

  #trail(steps: readonly Step[]): void {
    this.#layers.trail.replaceChildren(
      ...steps.map((step) => svg("path", { class: `way seat-${seatOf(step.piece)}`, d: wayOf(step, this.#geometry) })),
    );
  }

  #drawOffer(): void {
    const movable = new Map(this.#offered.map((option) => [option.piece, option.move]));
    this.#pieces.forEach((element, piece) => {
      const move = movable.get(piece);
      element.classList.toggle("movable", move !== undefined);
      if (move === undefined) delete element.dataset["move"];
      else element.dataset["move"] = move;
    });
    const { rings, tags } = drawMarkers(this.#offered, this.#geometry);
    this.#layers.markers.replaceChildren(...rings);
    this.#layers.tags.replaceChildren(...tags);
  }

  #at(event: Event): Option | undefined {
    const hit = event.target instanceof Element ? event.target.closest<SVGGElement>("[data-move]") : null;
    return this.#offered.find((option) => option.move === hit?.dataset["move"]);
  }

  #pick(event: Event): void {
    const option = this.#at(event);
    if (option) this.#onPick?.(option);
  }

  #point(event: Event): void {
    this.#onPoint?.(this.#at(event) ?? null);
  }

  /** Field by field, as one counts with a finger. */
  async walk(step: Step): Promise<void> {
    const fields = Math.max(1, step.to - step.from);
    const duration = Math.min(LONGEST_WALK, HOP_MS * fields + 60);
    let reached = 0;
    await this.motion.run(duration, (part) => {
      const place = part * fields;
      const hop = place % 1;
      const { x, y } = travel(step, this.#geometry, (Math.floor(place) + easeInOut(hop)) / fields);
      this.#put(step.piece, x, y, part === 1 ? 0 : 0.26 * 4 * hop * (1 - hop));
      if (Math.floor(place) > reached) {
        reached = Math.floor(place);
        this.#sounds?.play(HOP, reached / fields);
      }
    });
    this.#sounds?.play(PUT);
    await this.#flash(step.to, "landing");
  }

  async carry(step: Step): Promise<void> {
    this.#sounds?.play(SWITCH);
    void this.#flash(step.from, "special");
    await this.motion.pause(160);
    await this.motion.run(640, (part) => {
      const { x, y } = travel(step, this.#geometry, easeInOut(part));
      this.#put(step.piece, x, y, 0.35 * Math.sin(Math.PI * part));
    });
    await this.#flash(step.to, "special");
  }

  async slideBack(step: Step): Promise<void> {
    this.#sounds?.play(BACK);
    void this.#flash(step.from, "special");
    await this.motion.pause(200);
    await this.motion.run(560, (part) => {
      const { x, y } = travel(step, this.#geometry, easeInOut(part));
      this.#put(step.piece, x, y, 0);
    });
    await this.#flash(step.to, "landing");
  }

  /** The displaced piece totters, then is pushed back along the track, over whatever stands there. */
  async jostle(step: Step): Promise<void> {
    const { x, y } = this.#geometry.rest(step.piece, step.from);
    this.#sounds?.play(JOSTLE);
    void this.#flash(step.from, "bump");
    await this.motion.run(200, (part) => this.#put(step.piece, x + 0.11 * Math.sin(part * Math.PI * 4) * (1 - part), y, 0.05));
    this.#layers.pieces.append(this.#pieces[step.piece]!);
    const fields = Math.abs(step.to - step.from);
    await this.motion.run(Math.min(820, 260 + 110 * fields), (part) => {
      const at = travel(step, this.#geometry, easeOut(part));
      this.#put(step.piece, at.x, at.y, 0.2 * Math.sin(Math.PI * easeOut(part)));
    });
    await this.motion.pause(90);
  }

  async #flash(field: Field, kind: "landing" | "special" | "bump"): Promise<void> {
    if (field === STACK) return;
    const { x, y } = this.#geometry.field(field);
    const ring = svg("circle", { class: `flash flash-${kind}`, cx: x, cy: y, r: 0.4 });
    this.#layers.flashes.append(ring);
    await this.motion.run(260, (part) => {
      ring.setAttribute("r", String(0.4 + 0.25 * easeOut(part)));
      ring.setAttribute("opacity", String(1 - part));
    });
    ring.remove();
  }
}

type Performer = (this: Board, step: Step) => Promise<void>;

const STEPS: Readonly<Record<Step["kind"], Performer>> = {
  move: Board.prototype.walk,
  switch: Board.prototype.carry,
  back: Board.prototype.slideBack,
  jostle: Board.prototype.jostle,
};
