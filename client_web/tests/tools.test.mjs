// The build's own tools.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "../tools/crc32.mjs";
import { messageIds, parsePo } from "../tools/po.mjs";
import { treallaWasm } from "../tools/trealla.mjs";
import { zip } from "../tools/zip.mjs";

const files = [
  { name: "b/ünïcode.py", data: Buffer.from("x = 'ä'\n") },
  { name: "a.py", data: Buffer.from("") },
];

test("a checksum has the value that the format's definition gives", () => {
  assert.equal(crc32(Buffer.from("123456789")), 0xcbf43926);
});

test("an archive depends on the files alone, not on their order", () => {
  assert.deepEqual(zip(files), zip([...files].reverse()));
  assert.notDeepEqual(zip(files), zip(files.slice(0, 1)));
});

test("Python reads the archive back and finds no fault in it", () => {
  const path = join(mkdtempSync(join(tmpdir(), "zip-")), "a.zip");
  writeFileSync(path, zip(files));
  const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print([(n, z.read(n).decode()) for n in z.namelist()])";
  const read = execFileSync("python3", ["-c", script, path], { encoding: "utf8", env: { ...process.env, PYTHONIOENCODING: "utf-8" } });
  assert.equal(read.trim(), `[('a.py', ''), ('b/ünïcode.py', "x = 'ä'\\n")]`);
});

test("a catalogue gives long texts, plurals and escapes, and skips the header", () => {
  const po = 'msgid ""\nmsgstr "Language: de\\n"\n\n# why\nmsgid "One \\"two\\""\nmsgstr ""\n"Eins "\n"\\"zwei\\""\n\nmsgid "{n} turn"\nmsgid_plural "{n} turns"\nmsgstr[0] "{n} Zug"\nmsgstr[1] "{n} Züge"\n';
  assert.deepEqual([...parsePo(po)], [['One "two"', ['Eins "zwei"']], ["{n} turn", ["{n} Zug", "{n} Züge"]]]);
});

test("a broken catalogue is refused with its line", () => {
  assert.throws(() => parsePo('msgid "open\nmsgstr "x"\n'), /msgid "open/);
});

test("the texts that a script asks for are found", () => {
  assert.deepEqual([...messageIds('t("One"); tn("{n} turn", "{n} turns", n); set("no"); x.t(  "Two {n}", { n })')], ["One", "{n} turn", "Two {n}"]);
});

test("Trealla's module is found in its package", () => {
  const names = WebAssembly.Module.exports(new WebAssembly.Module(treallaWasm(new URL("../node_modules/trealla/trealla.js", import.meta.url)))).map((e) => e.name);
  for (const name of ["memory", "_start", "pl_create", "pl_done"]) assert.ok(names.includes(name), name);
});
