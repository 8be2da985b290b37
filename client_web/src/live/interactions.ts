/**
 * The interaction log, gathered only with consent: pointer path (sampled), clicks, keys, pauses and attention. Sent in numbered
 * batches over the match's socket, or by a request of its own if they are too long for that or the socket is gone; bounded in size,
 * rate and number.
 */

import { type Log, type LoggedEvent, MAX_FRAME, MOST_LOGS } from "../wire";

const SAMPLE_MS = 100;
const PAUSE_MS = 2_000;
const SEND_MS = 5_000;
const MOST_EVENTS = 1_500;

type EventKind = LoggedEvent["kind"];

export class InteractionLog {
  #events: LoggedEvent[] = [];
  #lastPointer = 0;
  #lastInput = performance.now();
  #number: number;
  readonly #abort = new AbortController();
  readonly #timer: number;
  readonly #memory: string;
  #place: (() => DOMRect) | null = null;
  #told = "";

  /** Takes a batch along, if it can. */
  carrier: ((batch: Log) => boolean) | null = null;

  constructor(
    private readonly match: string,
    private readonly token: string,
  ) {
    this.#memory = `grintu.log.${match}`;
    this.#number = Number(sessionStorage.getItem(this.#memory) ?? 0); // numbers go on after a reload
    this.#listen();
    this.#timer = window.setInterval(() => void this.send(), SEND_MS);
  }

  /** Says where on the page the board lies, now and whenever it lies elsewhere: pointers are told in the page's coordinates. */
  watch(place: () => DOMRect): void {
    this.#place = place;
  }

  /** Sends what is left and stops listening. */
  async stop(): Promise<void> {
    this.#abort.abort();
    clearInterval(this.#timer);
    await this.send();
  }

  #listen(): void {
    const options = { signal: this.#abort.signal, passive: true, capture: true };
    const pointer = (kind: EventKind) => (event: MouseEvent) => this.#add({ kind, x: Math.round(event.clientX), y: Math.round(event.clientY), target: nameOf(event.target) });
    document.addEventListener("pointermove", (event) => {
      if (performance.now() - this.#lastPointer < SAMPLE_MS) return;
      this.#lastPointer = performance.now();
      this.#add({ kind: "pointer", x: Math.round(event.clientX), y: Math.round(event.clientY) });
    }, options);
    document.addEventListener("pointerdown", pointer("down"), options);
    document.addEventListener("pointerup", pointer("up"), options);
    document.addEventListener("click", pointer("click"), options);
    document.addEventListener("keydown", (event) => this.#add({ kind: "key", key: event.key.slice(0, 40) }), options);
    window.addEventListener("focus", () => this.#add({ kind: "focus" }), options);
    window.addEventListener("blur", () => this.#add({ kind: "blur" }), options);
    document.addEventListener("visibilitychange", () => {
      this.#add({ kind: document.hidden ? "hidden" : "visible" });
      if (document.hidden) void this.send(true);
    }, options);
    document.addEventListener("scroll", () => {
      if (performance.now() - this.#lastPointer < SAMPLE_MS) return;
      this.#lastPointer = performance.now();
      this.#add({ kind: "scroll", y: Math.round(window.scrollY) });
    }, options);
  }

  #add(event: Omit<LoggedEvent, "t">): void {
    if (this.#events.length >= MOST_EVENTS) return;
    const now = performance.now();
    const idle = now - this.#lastInput;
    if (idle >= PAUSE_MS) this.#events.push({ t: Math.round(this.#lastInput), kind: "pause", ms: Math.round(idle) });
    this.#lastInput = now;
    this.#tellPlace(now);
    this.#events.push({ t: Math.round(now), ...event });
  }

  #tellPlace(now: number): void {
    const { x, y, width, height } = this.#place?.() ?? new DOMRect();
    const place = { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
    const told = JSON.stringify(place);
    if (place.width === 0 || told === this.#told) return;
    this.#told = told;
    this.#events.push({ t: Math.round(now), kind: "board", ...place });
  }

  async send(leaving = false): Promise<void> {
    if (this.#events.length === 0 || this.#number >= MOST_LOGS) return;
    const batch: Log = { type: "log", number: this.#number, events: this.#events };
    this.#number += 1;
    this.#events = [];
    sessionStorage.setItem(this.#memory, String(this.#number));
    const text = JSON.stringify(batch);
    if (!leaving && new TextEncoder().encode(text).length <= MAX_FRAME && this.carrier?.(batch)) return; // a socket's last words may get lost, a request's do not
    const body = await gzip(text);
    try {
      await fetch(`/api/matches/${this.match}/interactions`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip", "x-csrf-token": this.token },
        body,
        keepalive: leaving,
      });
    } catch {
      // No connection: the match matters more than its log.
    }
  }
}

async function gzip(text: string): Promise<Blob> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(stream).blob();
}

function nameOf(target: EventTarget | null): string {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-answer], [data-name], button, a") : null;
  const { answer, name } = element?.dataset ?? {};
  return (answer ?? name ?? element?.tagName.toLowerCase() ?? "page").slice(0, 40);
}
