// The dist folder: every file under a name that contains its content hash, a brotli copy beside it, and the manifest.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const COMPRESSIBLE = new Set([".js", ".mjs", ".css", ".svg", ".json", ".wasm", ".zip", ".map", ".webmanifest"]);

export const PREFIX = "/assets/"; // where server/web/assets.py serves the dist folder

/** @param {Buffer | string} data */
export const hash = (data) => createHash("sha256").update(data).digest("hex").slice(0, 12);

export class Output {
  /** @param {string} folder @param {boolean} best whether large files deserve a minute for the last tenth of their size */
  constructor(folder, best) {
    this.folder = folder;
    this.best = best;
    /** @type {Map<string, string>} plain name to hashed path */
    this.manifest = new Map();
    /** @type {Set<string>} everything that belongs to this build */
    this.written = new Set();
    /** @type {Promise<void>[]} compressions under way */
    this.pending = [];
  }

  /** Adds a file as name-HASH.ext and returns its URL. @param {string} name @param {Buffer | string} data */
  add(name, data) {
    const extension = extname(name);
    return this.addAs(name, `${name.slice(0, -extension.length)}-${hash(data)}${extension}`, Buffer.from(data));
  }

  /** Adds a file under a path that is already unique to its content. @param {string} name @param {string} path @param {Buffer} data */
  addAs(name, path, data) {
    this.#write(path, data);
    if (COMPRESSIBLE.has(extname(path)) && data.length > 200) this.pending.push(this.#compress(path, data));
    if (name) this.manifest.set(name, path);
    return PREFIX + path;
  }

  /** Writes the manifest last, in one step, and removes what earlier builds left. */
  async finish() {
    await Promise.all(this.pending);
    const sorted = Object.fromEntries([...this.manifest].sort(([a], [b]) => (a < b ? -1 : 1)));
    const draft = join(this.folder, `manifest.${process.pid}.tmp`);
    writeFileSync(draft, JSON.stringify(sorted, null, 2) + "\n");
    renameSync(draft, join(this.folder, "manifest.json"));
    for (const entry of readdirSync(this.folder, { recursive: true, withFileTypes: true })) {
      const path = relative(this.folder, join(entry.parentPath ?? entry.path, entry.name));
      const old = entry.isFile() && path !== "manifest.json" && !this.written.has(path);
      // A running server still hands out the previous build's names: keep them for a day. Drafts of a build beside this one may go meanwhile.
      const written = old ? statSync(join(this.folder, path), { throwIfNoEntry: false })?.mtimeMs : undefined;
      if (written !== undefined && Date.now() - written > 86_400_000) rmSync(join(this.folder, path), { force: true });
    }
  }

  #write(path, data) {
    this.written.add(path);
    const file = join(this.folder, path);
    if (existsSync(file) && statSync(file).size === data.length) return;
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, data);
    renameSync(draft, file); // never a half-written file under its final name
  }

  async #compress(path, data) {
    this.written.add(`${path}.br`);
    const large = data.length > 1_000_000;
    if (existsSync(join(this.folder, `${path}.br`)) && !(large && this.best)) return; // the name is the content: nothing to do again
    const params = { [constants.BROTLI_PARAM_QUALITY]: large && !this.best ? 5 : 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
    this.#write(`${path}.br`, await promisify(brotliCompress)(data, { params }));
  }
}

/** All files below a folder, as paths relative to it. @param {string} folder @param {(path: string) => boolean} wanted */
export function filesBelow(folder, wanted) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter(wanted)
    .sort();
}

