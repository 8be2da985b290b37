// The npm package of Trealla Prolog carries its WebAssembly as base64 inside a script. We use the module directly,
// on the server with wasmtime and in the browser, so take it out: the one that offers `pl_create`.
import { readFileSync } from "node:fs";

/** @param {string} script path of trealla.js @returns {Buffer} */
export function treallaWasm(script) {
  const text = readFileSync(script, "utf8");
  for (const [base64] of text.matchAll(/AGFzbQ[A-Za-z0-9+/=]{20000,}/g)) {
    const wasm = Buffer.from(base64, "base64");
    const names = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map((e) => e.name);
    if (names.includes("pl_create")) return wasm;
  }
  throw new Error(`${script} contains no WebAssembly module with pl_create`);
}
