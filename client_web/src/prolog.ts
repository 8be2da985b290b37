// Trealla Prolog in the browser: the host that npc/prolog/host.py describes, for the worker that runs Python. Python calls its methods directly,
// with plain numbers and texts. The engine sees no file, no network, a clock that stands still, and at most 64 MB of memory. What runs for ever
// can only be stopped by ending the worker; so every question is announced first, and one that hung before is refused at once.

import { ConsoleStdout, File, OpenFile, WASI, WASIProcExit } from "@bjorn3/browser_wasi_shim";
import { limitMemory } from "./memory";

type Address = number;

interface Trealla extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _start(): void;
  pl_global(): Address;
  pl_query(prolog: Address, goal: Address, result: Address, autoyield: number): number;
  pl_redo(query: Address): number;
  pl_done(query: Address): void;
  get_status(prolog: Address): number;
  canonical_abi_realloc(old: Address, oldSize: number, align: number, size: number): Address;
  canonical_abi_free(address: Address, size: number, align: number): void;
}

const PAGE = 64 * 1024;
const MEMORY_PAGES = 1024; // 64 MB, as on the server
const ARGUMENTS = ["tpl", "--ns", "-q", "-g", "use_module(user), halt"];
const NOW_NS = 1_000_000_000n * 1_000_000_000n;
const INVALID = 28;
const BAD_DESCRIPTOR = 8;
const HOST_CALL_OK = 1;
const HOST_CALL_ERROR = 0;
const PROMPT = "?";
const LONGEST_OUTPUT = 64 * 1024;
const LONGEST_ANSWER = 4096;
const POINTER = 4;
const TOO_LONG = "it took too much time";

/** Told before (with the key of the question) and after (with null) every question, so that somebody outside can watch the time. */
export type Announce = (key: string | null) => void;

/** The engine, ready to be given to Python: `use_host(host)` of npc.prolog. */
export class PrologHost {
  #instances = new Map<number, Instance>();
  #last = 0;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly hung: ReadonlySet<string> = new Set(),
    private readonly announce: Announce = () => undefined,
  ) {}

  open(): number {
    this.#instances.set(++this.#last, new Instance(this.module));
    return this.#last;
  }

  copy(instance: number): number {
    const original = this.#instances.get(instance);
    if (!original) throw new Error(`there is no engine ${instance}`);
    this.#instances.set(++this.#last, new Instance(this.module, original));
    return this.#last;
  }

  run(instance: number, goal: string): string {
    return this.#within(instance, goal, (engine) => engine.run(goal));
  }

  serve(instance: number, goal: string): string {
    return this.#within(instance, goal, (engine) => engine.serve(goal));
  }

  ask(instance: number, key: string, question: string): string {
    return this.#within(instance, key, (engine) => engine.ask(question));
  }

  size(instance: number): number {
    return this.#instances.get(instance)?.size ?? 0;
  }

  close(instance: number): void {
    this.#instances.delete(instance);
  }

  #within(name: number, key: string, act: (engine: Instance) => string): string {
    const engine = this.#instances.get(name);
    if (!engine) return "-the engine is gone";
    if (this.hung.has(key)) return `-${TOO_LONG}`;
    this.announce(key);
    try {
      return "+" + act(engine);
    } catch (error) {
      this.#instances.delete(name);
      return "-" + cause(error);
    } finally {
      this.announce(null);
    }
  }
}

/** Loads and compiles the engine. */
export async function loadProlog(url: string, hung: readonly string[] = [], announce?: Announce): Promise<PrologHost> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  const bytes = limitMemory(new Uint8Array(await response.arrayBuffer()), MEMORY_PAGES);
  return new PrologHost(await WebAssembly.compile(bytes), new Set(hung), announce);
}

function cause(error: unknown): string {
  if (error instanceof WASIProcExit) return `the engine ended itself with code ${error.code}`;
  if (error instanceof EngineEnded) return error.message;
  return `the engine broke: ${error instanceof Error ? error.message : String(error)}`;
}

class EngineEnded extends Error {}

/** One running Trealla. A goal that serves stays open: every question lets it find one more solution. */
class Instance {
  readonly #exports: Trealla;
  readonly #prolog: Address;
  #serving: Address = 0;
  #printed = "";
  #question = "";
  #answer = "";

  /** A fresh instance, or one in the state of another: between calls all of that is in the memory. */
  constructor(module: WebAssembly.Module, original?: Instance) {
    const decoder = new TextDecoder();
    const print = new ConsoleStdout((bytes) => {
      if (this.#printed.length < LONGEST_OUTPUT) this.#printed += decoder.decode(bytes, { stream: true });
    });
    const wasi = new WASI(ARGUMENTS, [], [new OpenFile(new File([])), print, print], { debug: false });
    const system = {
      ...wasi.wasiImport,
      path_readlink: () => INVALID,
      fd_prestat_get: () => BAD_DESCRIPTOR,
      poll_oneoff: () => INVALID, // waiting would only burn time
      clock_time_get: (_clock: number, _precision: bigint, result: Address) => {
        this.#view().setBigUint64(result, NOW_NS, true);
        return 0;
      },
    };
    const trealla = {
      "host-call": (_query: Address, message: Address, length: number, reply: Address, replyLength: Address) =>
        this.#hostCall(message, length, reply, replyLength),
      "host-resume": () => HOST_CALL_ERROR,
    };
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system, trealla });
    this.#exports = instance.exports as Trealla;
    if (original) {
      wasi.inst = instance as never;
      const image = new Uint8Array(original.#exports.memory.buffer);
      const missing = image.length - this.#exports.memory.buffer.byteLength;
      if (missing > 0) this.#exports.memory.grow(missing / PAGE);
      new Uint8Array(this.#exports.memory.buffer).set(image);
      this.#prolog = original.#prolog;
    } else {
      wasi.start(instance as never);
      this.#prolog = this.#exports.pl_global();
    }
  }

  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  run(goal: string): string {
    this.#printed = "";
    const query = this.#query(goal);
    const status = this.#exports.get_status(this.#prolog) ? "1" : "0";
    if (query) this.#exports.pl_done(query);
    return status + this.#printed;
  }

  serve(goal: string): string {
    this.#serving = this.#query(goal);
    return "";
  }

  ask(question: string): string {
    this.#printed = "";
    this.#question = question;
    this.#answer = "";
    if (!this.#exports.pl_redo(this.#serving) || !this.#answer) throw new EngineEnded("it used up its memory or halted the engine");
    return this.#answer;
  }

  #query(goal: string): Address {
    const [text, length] = this.#put(goal);
    const [result, size] = this.#put("\0".repeat(POINTER - 1));
    this.#exports.pl_query(this.#prolog, text, result, 0);
    const query = this.#view().getUint32(result, true);
    this.#exports.canonical_abi_free(text, length, 1);
    this.#exports.canonical_abi_free(result, size, 1);
    return query;
  }

  /** Called by the engine: "?" asks for the question; anything else is the answer. */
  #hostCall(message: Address, length: number, reply: Address, replyLength: Address): number {
    const bytes = new Uint8Array(this.#exports.memory.buffer, message, Math.min(length, LONGEST_ANSWER));
    const said = new TextDecoder().decode(bytes);
    if (said !== PROMPT) this.#answer = said;
    const [text, size] = this.#put(said === PROMPT ? this.#question : "ok");
    this.#view().setUint32(reply, text, true);
    this.#view().setUint32(replyLength, size - 1, true);
    return HOST_CALL_OK;
  }

  /** Copies a text and a zero into the engine's memory; tells where it is and how long. */
  #put(text: string): [Address, number] {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const address = this.#exports.canonical_abi_realloc(0, 0, 1, bytes.length);
    if (!address) throw new EngineEnded("the rule base left the engine without memory");
    new Uint8Array(this.#exports.memory.buffer).set(bytes, address);
    return [address, bytes.length];
  }

  #view(): DataView {
    return new DataView(this.#exports.memory.buffer);
  }
}
