// Kernels in the browser: the bridge that kernels/in_browser.py describes, for the worker that runs Python. Modules import nothing, so an instance
// reaches nothing but its own memory, which is bounded. What runs too long ends with the worker: the page sees to that.

import { limitMemory } from "../memory";

type Numeric = number | bigint;
type Exported = (...args: Numeric[]) => Numeric | undefined;
/** Bytes of Python, as Pyodide passes them. */
type PythonBytes = { toJs(): Uint8Array<ArrayBuffer> };

const LONG = "L";
const FLOAT = "F";

export class KernelBridge {
  #instances = new Map<number, WebAssembly.Exports>();
  #last = 0;

  /** The number of a new instance, or why there is none. */
  load(binary: PythonBytes, pages: number): number | string {
    try {
      const module = new WebAssembly.Module(limitMemory(binary.toJs(), pages));
      this.#instances.set(++this.#last, new WebAssembly.Instance(module).exports);
      return this.#last;
    } catch (error) {
      return reason(error);
    }
  }

  /** What a function gives: a float as its bits, so that Python gets it as it is. A text says why it was stopped. */
  call(instance: number, name: string, result: string, kinds: string, ...args: Numeric[]): Numeric | string | undefined {
    const exported = this.#instances.get(instance)?.[name];
    if (typeof exported !== "function") return `there is no function ${name}`;
    try {
      const found = (exported as Exported)(...args.map((value, place) => (kinds[place] === LONG ? BigInt(value) : value)));
      return result === FLOAT ? bits(Number(found)) : found;
    } catch (error) {
      return reason(error);
    }
  }

  /** A copy of a stretch of the memory; undefined beyond its end. */
  read(instance: number, address: number, length: number): Uint8Array | undefined {
    return this.#stretch(instance, address, length)?.slice();
  }

  write(instance: number, address: number, content: PythonBytes): boolean {
    const bytes = content.toJs();
    const place = this.#stretch(instance, address, bytes.length);
    place?.set(bytes);
    return place !== undefined;
  }

  close(instance: number): void {
    this.#instances.delete(instance);
  }

  #stretch(instance: number, address: number, length: number): Uint8Array | undefined {
    const memory = this.#instances.get(instance)?.["memory"];
    if (!(memory instanceof WebAssembly.Memory)) return undefined;
    const within = address >= 0 && length >= 0 && address + length <= memory.buffer.byteLength;
    return within ? new Uint8Array(memory.buffer, address, length) : undefined;
  }
}

function bits(value: number): bigint {
  return new BigInt64Array(Float64Array.of(value).buffer)[0] ?? 0n;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
