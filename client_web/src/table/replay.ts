/**
 * A match to look back at: step, play, speed, jump, a list of moves, and what others noted about them. Every stop is a seat's
 * decision; what chance did before it is shown on the way.
 */

import { t } from "../i18n";
import { html } from "./dom";
import { CHANCE, type Played, type Seat } from "./model";
import { createMotion } from "./motion";
import type { Recording } from "./recordings";
import { plyOf } from "./stops";
import { svg } from "./svg";
import { Table } from "./table";

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
  /** Told whenever another move is shown. */
  onPly?(ply: number | null): void;
}

const PAUSE_BETWEEN = 350;

export class Replay {
  readonly element: HTMLElement;
  readonly #table: Table;
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
    this.#noted = options.notes ?? [];
    this.element = html("section", { class: options.small ? "replay small" : "replay", tabindex: "-1", "aria-label": t("Replay") });
    this.#table = new Table(this.element, recording.game, { you: options.you ?? null, motion: createMotion(1), watching: true });
    this.#slider.max = String(this.length);
    this.element.append(this.#controls());
    if (!options.small) this.element.append(this.#list);
    this.element.append(this.#notes);
    this.#drawList();
    this.#listen();
    host.replaceChildren(this.element);
    this.jump(0);
  }

  /** The ply of the move that is shown; null before the first one. */
  get ply(): number | null {
    const stop = this.#stop(this.#at);
    return stop ? plyOf(stop) : null;
  }

  /** Which decision is shown, as the counter says it; 0 is the beginning. */
  get number(): number {
    return this.#at;
  }

  /** The room of the board, and where in it the board is drawn. */
  get room(): HTMLElement {
    return this.element.querySelector<HTMLElement>(".board-room")!;
  }

  place(): DOMRect {
    return this.#table.view.place();
  }

  get length(): number {
    return this.recording.stops.length;
  }

  /** Shows the moment after the `number`-th decision at once; 0 is the beginning. */
  jump(number: number): void {
    this.pause();
    this.#at = Math.max(0, Math.min(this.length, number));
    const stop = this.#stop(this.#at);
    this.#table.show(stop?.update.after ?? this.recording.start, stop ?? null);
    this.#table.tray.status(stop ? this.#table.view.tell(stop) : t("The beginning"));
    this.#shown();
  }

  jumpToPly(ply: number): void {
    const stop = this.recording.stops.findIndex((each) => plyOf(each) >= ply);
    this.jump(stop < 0 ? this.length : stop + 1);
  }

  /** Plays the next decision with what chance did before it; resolves when it has been seen. */
  async forward(): Promise<void> {
    if (this.#at >= this.length) return;
    const { update } = this.#stop(this.#at + 1)!;
    this.#at += 1;
    this.#shown();
    await this.#table.play(update);
  }

  async play(): Promise<void> {
    const run = ++this.#run;
    this.#playing = true;
    this.#playButton.replaceChildren(icon("pause"));
    this.#playButton.setAttribute("aria-label", t("Pause"));
    if (this.#at >= this.length) this.#rewind();
    while (run === this.#run && this.#at < this.length) {
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
    this.#table.show(this.recording.start);
    this.#shown();
  }

  /** What a move was, in words; an empty text if there is none at this ply. */
  tell(ply: number): string {
    const stop = this.recording.stops.find((each) => plyOf(each) === ply);
    return stop ? this.#table.view.tell(stop) : "";
  }

  #stop(number: number): Played | undefined {
    return this.recording.stops[number - 1];
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
    last.onclick = () => this.jump(this.length);
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
      End: () => this.jump(this.length),
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
      ...this.recording.stops.map((stop, index) => {
        const [ply, seat] = [plyOf(stop), stop.update.seats.findLast((each) => each !== CHANCE) ?? 0];
        const link = html("button", { type: "button", "data-ply": String(ply) }, this.recording.game.mark(seat), html("span", {}, this.#table.view.tell(stop)));
        link.onclick = () => this.jump(index + 1);
        const loud = this.#noted.filter((note) => note.ply === ply && note.kind !== "explanation");
        return html("li", {}, link, ...loud.map((note) => html("span", { class: `replay-note ${note.kind}` }, note.text)));
      }),
    );
  }

  #shown(): void {
    this.#slider.value = String(this.#at);
    this.#counter.textContent = `${this.#at} / ${this.length}`;
    [...this.#list.children].forEach((item, stop) => {
      const current = stop === this.#at - 1;
      item.classList.toggle("current", current);
      if (current && this.#list.scrollHeight > this.#list.clientHeight) {
        this.#list.scrollTop = (item as HTMLElement).offsetTop - this.#list.clientHeight / 2;
      }
    });
    const { ply } = this;
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
