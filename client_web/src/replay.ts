/**
 * A match to look back at: step, play, speed, jump, a list of moves, and what others noted about them. Every stop is a seat's
 * decision; the dice before it are shown on the way.
 */

import { html } from "./board/dom";
import { START_STATE, type Frame, type Seat } from "./board/model";
import { createMotion } from "./board/motion";
import { isRoll } from "./board/notation";
import { tokenIcon } from "./board/pieces";
import { svg } from "./board/svg";
import { Table } from "./board/table";
import { tellFrame } from "./board/words";
import { t } from "./i18n";
import type { Recording } from "./replay_data";

export interface ReplayNote {
  readonly ply: number;
  readonly text: string;
  /** A verdict or a marked move stands out in the list; an explanation is shown only when its move is. */
  readonly kind: "explanation" | "verdict" | "mark" | "time";
}

export interface ReplayOptions {
  readonly you?: Seat | null;
  readonly notes?: readonly ReplayNote[];
  /** Without the list of moves and with small buttons: for beside a form. */
  readonly small?: boolean;
  /** The ply to begin at; that of a die leads to the move after it. */
  readonly ply?: number;
  /** Told whenever another move is shown. */
  onPly?(ply: number | null): void;
}

const PAUSE_BETWEEN = 350;

export class Replay {
  readonly element: HTMLElement;
  readonly #table: Table;
  readonly #stops: readonly number[];
  readonly #slider = html("input", { type: "range", min: "0", step: "1", "aria-label": t("Move") });
  readonly #counter = html("span", { class: "replay-counter num" });
  readonly #playButton = iconButton("play", t("Play"));
  readonly #list = html("ol", { class: "replay-moves", "aria-label": t("Moves") });
  readonly #notes = html("div", { class: "replay-notes", "aria-live": "polite" });
  #at = 0;
  #run = 0;
  #playing = false;
  #noted: readonly ReplayNote[];

  constructor(
    host: HTMLElement,
    readonly recording: Recording,
    private readonly options: ReplayOptions = {},
  ) {
    this.#stops = recording.frames.flatMap((frame, index) => (isRoll(frame.move) ? [] : [index]));
    this.#noted = options.notes ?? [];
    this.element = html("section", { class: options.small ? "replay small" : "replay", tabindex: "-1", "aria-label": t("Replay") });
    this.#table = new Table(this.element, { layout: recording.layout, you: options.you ?? null, motion: createMotion(1), watching: true });
    this.#slider.max = String(this.#stops.length);
    this.element.append(this.#controls());
    if (!options.small) this.element.append(this.#list);
    this.element.append(this.#notes);
    this.#drawList();
    this.#listen();
    host.replaceChildren(this.element);
    if (options.ply === undefined) this.jump(0);
    else this.jumpToPly(options.ply);
  }

  /** The ply of the move that is shown; null before the first one. */
  get ply(): number | null {
    return this.#stops[this.#at - 1] ?? null;
  }

  get length(): number {
    return this.#stops.length;
  }

  /** Shows the state after the `stop`-th decision at once; 0 is the beginning. */
  jump(stop: number): void {
    this.pause();
    this.#at = Math.max(0, Math.min(this.#stops.length, stop));
    const frame = this.#frameAt(this.#at);
    this.#table.show(frame?.state ?? START_STATE);
    if (frame) {
      this.#table.board.show(frame.state.pieces, frame.steps);
      this.#table.tray.status(tellFrame(frame, this.recording.layout));
      this.#table.tray.dice.show(this.#diceBefore(this.#at), frame.seat);
    } else {
      this.#table.tray.status(t("The beginning"));
    }
    this.#shown();
  }

  jumpToPly(ply: number): void {
    const stop = this.#stops.findIndex((at) => at >= ply);
    this.jump(stop < 0 ? this.#stops.length : stop + 1);
  }

  /** Plays the next decision with its dice; resolves when it has been seen. */
  async forward(): Promise<void> {
    if (this.#at >= this.#stops.length) return;
    const from = (this.#stops[this.#at - 1] ?? -1) + 1;
    const until = this.#stops[this.#at]!;
    this.#at += 1;
    this.#shown();
    for (const frame of this.recording.frames.slice(from, until + 1)) void this.#table.play(frame);
    await this.#table.seen();
    if (this.#at === this.#stops.length) this.#finish();
  }

  async play(): Promise<void> {
    const run = ++this.#run;
    this.#playing = true;
    this.#playButton.replaceChildren(icon("pause"));
    this.#playButton.setAttribute("aria-label", t("Pause"));
    if (this.#at >= this.#stops.length) this.#rewind();
    while (run === this.#run && this.#at < this.#stops.length) {
      await this.forward();
      if (run === this.#run) await this.#table.motion.pause(PAUSE_BETWEEN);
    }
    if (run === this.#run) this.pause();
  }

  pause(): void {
    this.#run += 1;
    this.#playing = false;
    this.#playButton.replaceChildren(icon("play"));
    this.#playButton.setAttribute("aria-label", t("Play"));
  }

  /** Adds or replaces what is noted about moves. */
  note(notes: readonly ReplayNote[]): void {
    this.#noted = notes;
    this.#drawList();
    this.#shown();
  }

  set speed(times: number) {
    this.#table.motion.speed = times;
  }

  #rewind(): void {
    this.#at = 0;
    this.#table.show(START_STATE);
    this.#shown();
  }

  #finish(): void {
    const last = this.recording.frames.at(-1);
    if (last && last.state.seat === null) this.#table.seats.show(this.#scores(last), null);
  }

  #scores(frame: Frame): number[] {
    const worth = new Map(this.recording.layout.goals);
    return [0, 3, 6].map((first) => frame.state.pieces.slice(first, first + 3).reduce((sum, field) => sum + (worth.get(field) ?? 0), 0));
  }

  #frameAt(stop: number): Frame | undefined {
    return this.recording.frames[this.#stops[stop - 1] ?? -1];
  }

  #diceBefore(stop: number): number[] {
    const from = (this.#stops[stop - 2] ?? -1) + 1;
    const rolls = this.recording.frames.slice(from, this.#stops[stop - 1]).map(({ move }) => Number(move));
    const again = this.recording.frames[this.#stops[stop - 2] ?? -1]?.move === "again";
    return again ? [6, ...rolls] : rolls;
  }

  #controls(): HTMLElement {
    const first = iconButton("first", t("To the beginning"));
    const back = iconButton("back", t("One move back"));
    const next = iconButton("next", t("One move forward"));
    const last = iconButton("last", t("To the end"));
    const speed = html("select", { "aria-label": t("Speed") }, ...[0.5, 1, 2, 4, 8].map((times) => html("option", { value: String(times), selected: times === 1 }, `${times}×`)));
    first.onclick = () => this.jump(0);
    back.onclick = () => this.jump(this.#at - 1);
    next.onclick = () => {
      this.pause();
      void this.forward();
    };
    last.onclick = () => this.jump(this.#stops.length);
    this.#playButton.onclick = () => this.#toggle();
    speed.onchange = () => (this.speed = Number(speed.value));
    return html("div", { class: "replay-controls" }, first, back, this.#playButton, next, last, this.#slider, this.#counter, speed);
  }

  #toggle(): void {
    if (this.#playing) this.pause();
    else void this.play();
  }

  #listen(): void {
    this.#slider.addEventListener("input", () => this.jump(Number(this.#slider.value)));
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.jump(this.#at - 1),
      ArrowRight: () => this.jump(this.#at + 1),
      Home: () => this.jump(0),
      End: () => this.jump(this.#stops.length),
      " ": () => this.#toggle(),
    };
    // A page that shows a match is about nothing else: its keys also work while nothing has the focus.
    const place: HTMLElement | Document = this.options.small ? this.element : document;
    place.addEventListener("keydown", (given) => {
      const event = given as KeyboardEvent;
      const action = keys[event.key];
      const ours = event.target === document.body || this.element.contains(event.target as Node);
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (!action || !ours || typing || event.altKey || event.ctrlKey || event.metaKey || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
      event.preventDefault();
      action();
    });
  }

  #drawList(): void {
    this.#list.replaceChildren(
      ...this.#stops.map((index, stop) => {
        const frame = this.recording.frames[index]!;
        const link = html("button", { type: "button", "data-ply": String(frame.ply) }, tokenIcon(frame.seat), html("span", {}, tellFrame(frame, this.recording.layout)));
        link.onclick = () => this.jump(stop + 1);
        const loud = this.#noted.filter((note) => note.ply === frame.ply && note.kind !== "explanation");
        return html("li", {}, link, ...loud.map((note) => html("span", { class: `replay-note ${note.kind}` }, note.text)));
      }),
    );
  }

  #shown(): void {
    this.#slider.value = String(this.#at);
    this.#counter.textContent = `${this.#at} / ${this.#stops.length}`;
    [...this.#list.children].forEach((item, stop) => {
      const current = stop === this.#at - 1;
      item.classList.toggle("current", current);
      if (current && this.#list.scrollHeight > this.#list.clientHeight) {
        this.#list.scrollTop = (item as HTMLElement).offsetTop - this.#list.clientHeight / 2;
      }
    });
    const ply = this.#frameAt(this.#at)?.ply ?? null;
    this.#notes.replaceChildren(
      ...this.#noted.filter((note) => note.ply === ply).map((note) => html("p", { class: `replay-note ${note.kind}` }, note.text)),
    );
    this.options.onPly?.(ply);
  }
}

const ICONS = {
  first: "M 4 4 V 20 H 7 V 4 Z M 20 4 L 8 12 L 20 20 Z",
  back: "M 18 4 L 6 12 L 18 20 Z",
  play: "M 6 3 L 20 12 L 6 21 Z",
  pause: "M 5 4 H 10 V 20 H 5 Z M 14 4 H 19 V 20 H 14 Z",
  next: "M 6 4 L 18 12 L 6 20 Z M 18 4 V 20 H 20 V 4 Z",
  last: "M 4 4 L 16 12 L 4 20 Z M 17 4 V 20 H 20 V 4 Z",
} as const;

const icon = (name: keyof typeof ICONS): SVGElement =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name], fill: "currentColor" }));

function iconButton(name: keyof typeof ICONS, label: string): HTMLButtonElement {
  return html("button", { type: "button", class: "button quiet", "aria-label": label, title: label }, icon(name));
}
