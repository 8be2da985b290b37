// A bound for the memory of a WebAssembly module, written into the module itself: a browser has no other place for it.

const MEMORY_SECTION = 5;

/** A WebAssembly module of one memory, rewritten so that this memory cannot grow beyond `pages`. */
export function limitMemory(module: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < module.length; ) {
    const id = module[at];
    const [size, body] = readNumber(module, at + 1);
    if (id === MEMORY_SECTION) {
      const [least] = readNumber(module, body + 2); // after the count and the flags
      const limits = [1, 1, ...writeNumber(least), ...writeNumber(pages)];
      const section = [MEMORY_SECTION, ...writeNumber(limits.length), ...limits];
      const rest = module.subarray(body + size);
      const limited = new Uint8Array(at + section.length + rest.length);
      limited.set(module.subarray(0, at));
      limited.set(section, at);
      limited.set(rest, at + section.length);
      return limited;
    }
    at = body + size;
  }
  throw new Error("the module has no memory of its own");
}

/** An unsigned LEB128 number, and where the next byte is. */
function readNumber(bytes: Uint8Array, at: number): [number, number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)];
}
