// Reads gettext .po files: just what our hand-kept catalogues use (no contexts, two plural forms at most).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const QUOTED = /^"((?:[^"\\]|\\.)*)"\s*$/;

/** @param {string} text @returns {Map<string, string[]>} msgid to its translations (one, or singular and plural) */
export function parsePo(text) {
  const messages = new Map();
  for (const block of text.split(/\n\s*\n/)) {
    const parts = {};
    let current = null;
    for (const line of block.split("\n")) {
      if (line.startsWith("#") || line.trim() === "") continue;
      const keyed = /^(msgid|msgid_plural|msgstr(?:\[\d+\])?)\s+(".*)$/.exec(line);
      if (keyed) [, current] = keyed;
      const quoted = QUOTED.exec(keyed ? keyed[2] : line);
      if (!quoted || current === null) throw new Error(`not a line of a .po file: ${line}`);
      parts[current] = (parts[current] ?? "") + JSON.parse(`"${quoted[1]}"`);
    }
    if (!parts.msgid) continue; // the header, or a comment alone
    const plural = parts.msgid_plural !== undefined;
    messages.set(parts.msgid, plural ? [parts["msgstr[0]"] ?? "", parts["msgstr[1]"] ?? ""] : [parts.msgstr ?? ""]);
  }
  return messages;
}

/** All messages of a language: one .po file per domain. @param {string} folder */
export function readCatalogue(folder) {
  const all = new Map();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".po")).sort()) {
    for (const [id, strings] of parsePo(readFileSync(join(folder, file), "utf8"))) all.set(id, strings);
  }
  return all;
}

// t("…") and tn("one", "many", n); the texts must be plain literals, so that they can be found.
const CALL = /\b(?:t|tn)\(\s*("(?:[^"\\\n]|\\.)*")(?:\s*,\s*("(?:[^"\\\n]|\\.)*"))?/g;

/** The message ids that a TypeScript source asks for. @param {string} source @returns {Set<string>} */
export function messageIds(source) {
  return new Set([...source.matchAll(CALL)].map((match) => JSON.parse(match[1])));
}
