// Python in the page: `python.start()` loads the worker, `python.call("npc.selfcheck.self_check", [seed, 200])` asks it, one call at a time. A call that takes
// too long is interrupted; if that does not help (or the page is not isolated, so that it cannot), the worker is ended and started anew, and the
// calls that waited behind it go on. Starting again on the next page is cheap: all files are immutable and the browser keeps the compiled code.

import { t } from "./i18n";
import type { PythonCalls } from "./python_calls";
import type { Failure, FromWorker, Step, ToWorker } from "./worker/messages";

export type Progress = { step: Step; loaded: number; total: number };

export type PythonState =
  | { kind: "off" }
  | { kind: "loading"; progress: Progress }
  | { kind: "ready"; python: string; archive: string; milliseconds: number }
  | { kind: "failed"; failure: Failure; detail: string };

export class PythonError extends Error {}
export class PythonTimeoutError extends PythonError {}
export class PythonUnavailableError extends PythonError {}

type Call = {
  message: Extract<ToWorker, { type: "call" }>;
  timeout: number;
  resolve: (result: unknown) => void;
  reject: (error: PythonError) => void;
};

const START_SILENCE_MS = 45_000; // slow phones compile for long; but something must happen now and then
const CALL_TIMEOUT_MS = 10_000;
const PROLOG_TIMEOUT_MS = 3_000; // far more than the server's limit takes on a slow phone
const INTERRUPT_GRACE_MS = 1_000;
const SIGINT = 2;

export class Python {
  state: PythonState = { kind: "off" };
  #worker: Worker | null = null;
  #interrupts: Uint8Array | null = null;
  #listeners = new Set<(state: PythonState) => void>();
  #queue: Call[] = []; // the first one is with the worker
  #asked = false;
  #timer = 0;
  #startedAt = 0;
  #nextId = 0;
  #asking: string | null = null; // the question that a rule base is thinking about
  #hung: string[] = [];
  #prologTimer = 0;

  /** Starts loading, if it has not begun; resolves when calls are answered. Rejects with PythonUnavailableError. */
  start(onProgress?: (progress: Progress) => void): Promise<void> {
    if (this.state.kind === "off" || this.state.kind === "failed") this.#launch();
    return new Promise((resolve, reject) => {
      const stop = this.watch((state) => {
        if (state.kind === "loading") return onProgress?.(state.progress);
        queueMicrotask(() => stop());
        if (state.kind === "ready") resolve();
        else if (state.kind === "failed") reject(new PythonUnavailableError(`${state.failure}: ${state.detail}`));
        else reject(new PythonUnavailableError("stopped"));
      });
    });
  }

  /** Tells the state now and at every change; returns a function that ends it. */
  watch(listener: (state: PythonState) => void): () => void {
    this.#listeners.add(listener);
    listener(this.state);
    return () => this.#listeners.delete(listener);
  }

  /** Calls a function that npc/browser.py allows, with JSON values. Waits for the start if need be. */
  call<Name extends keyof PythonCalls>(
    name: Name,
    args: Parameters<PythonCalls[Name]>,
    timeout: number = CALL_TIMEOUT_MS,
  ): Promise<ReturnType<PythonCalls[Name]>> {
    if (this.state.kind === "failed") return Promise.reject(new PythonUnavailableError(this.state.failure));
    if (this.state.kind === "off") this.#launch();
    return new Promise((resolve, reject) => {
      const message = { type: "call" as const, id: this.#nextId++, name, args: JSON.stringify(args) };
      this.#queue.push({ message, timeout, resolve: resolve as (result: unknown) => void, reject });
      this.#askNext();
    });
  }

  /** Ends the worker; waiting calls are refused. */
  stop(): void {
    this.#end();
    this.#refuseAll("stopped");
    this.#setState({ kind: "off" });
  }

  #launch(): void {
    this.#startedAt = performance.now();
    this.#setState({ kind: "loading", progress: { step: "download", loaded: 0, total: 1 } });
    try {
      this.#worker = new Worker(WORKER, { type: "module", name: "python" });
    } catch (error) {
      return this.#fail("no-worker", String(error));
    }
    // Shared memory exists only in isolated pages (COOP and COEP); there a running computation can be interrupted.
    this.#interrupts = self.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.#worker.onmessage = (event: MessageEvent<FromWorker>) => this.#hear(event.data);
    this.#worker.onerror = (event) => this.#fail("no-worker", event.message || "the worker's script did not load");
    this.#send({ type: "start", interrupts: this.#interrupts, hung: this.#hung });
    this.#watchStart();
  }

  #watchStart(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#fail("timeout", `no progress for ${START_SILENCE_MS / 1000} s`), START_SILENCE_MS);
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        this.#watchStart();
        return this.#setState({ kind: "loading", progress: message });
      case "ready": {
        clearTimeout(this.#timer);
        const milliseconds = Math.round(performance.now() - this.#startedAt);
        this.#setState({ kind: "ready", python: message.python, archive: message.archive, milliseconds });
        return this.#askNext();
      }
      case "asking":
        return this.#watchProlog(message.key);
      case "failed":
        return this.#fail(message.failure, message.detail);
      case "result":
        return this.#settle(message.id, (call) => call.resolve(message.result));
      case "error":
        return this.#settle(message.id, (call) =>
          call.reject(message.interrupted ? new PythonTimeoutError(call.message.name) : new PythonError(message.error)),
        );
    }
  }

  #askNext(): void {
    const call = this.#queue[0];
    if (!call || this.#asked || this.state.kind !== "ready") return;
    this.#asked = true;
    if (this.#interrupts) this.#interrupts[0] = 0;
    this.#send(call.message);
    this.#timer = window.setTimeout(() => this.#interrupt(), call.timeout);
  }

  #settle(id: number, finish: (call: Call) => void): void {
    const call = this.#queue[0];
    if (!call || call.message.id !== id) return;
    clearTimeout(this.#timer);
    this.#queue.shift();
    this.#asked = false;
    finish(call);
    this.#askNext();
  }

  #interrupt(): void {
    if (!this.#interrupts) return this.#restart();
    this.#interrupts[0] = SIGINT;
    this.#timer = window.setTimeout(() => this.#restart(), INTERRUPT_GRACE_MS);
  }

  #restart(): void {
    const stuck = this.#queue.shift();
    this.#end();
    stuck?.reject(new PythonTimeoutError(stuck.message.name));
    this.#launch();
  }

  /** A rule base that thinks for too long loses the question for good, and the call that led to it is made again. */
  #watchProlog(key: string | null): void {
    clearTimeout(this.#prologTimer);
    this.#asking = key;
    if (key !== null) this.#prologTimer = window.setTimeout(() => this.#leaveBehind(key), PROLOG_TIMEOUT_MS);
  }

  #leaveBehind(key: string): void {
    if (this.#asking !== key) return;
    this.#hung.push(key);
    this.#end();
    this.#launch();
  }

  #fail(failure: Failure, detail: string): void {
    this.#end();
    this.#setState({ kind: "failed", failure, detail });
    this.#refuseAll(failure);
  }

  #end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#prologTimer);
    this.#asking = null;
    this.#worker?.terminate();
    this.#worker = null;
    this.#asked = false;
  }

  #refuseAll(reason: string): void {
    for (const call of this.#queue.splice(0)) call.reject(new PythonUnavailableError(reason));
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #setState(state: PythonState): void {
    this.state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

/** The page's one worker. */
export const python = new Python();

const FAILURES: Record<Failure, () => string> = {
  "no-worker": () => t("This browser cannot run the game engine in the background."),
  "no-webassembly": () => t("This browser forbids WebAssembly, which the game engine needs."),
  network: () => t("The game engine could not be loaded. Check the connection."),
  timeout: () => t("The game engine did not start in time."),
  python: () => t("The game engine reported an error."),
};

/** A state in words, for people. */
export function describe(state: PythonState): string {
  switch (state.kind) {
    case "off":
      return t("The game engine has not been started.");
    case "loading":
      return state.progress.step === "download" ? t("Loading the game engine …") : t("Starting the game engine …");
    case "ready":
      return t("The game engine is ready.");
    case "failed":
      return FAILURES[state.failure]();
  }
}
