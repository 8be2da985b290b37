// Runs `measure` of referee.py inside Pyodide, with the same games/ that the server imports, and prints its figures as JSON.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "../client_web/node_modules/pyodide/pyodide.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const python = await loadPyodide();

for (const room of ["games", "benchmarks"]) {
  for (const entry of readdirSync(join(root, room), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(py|json)$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const target = `/code/${path.slice(root.length + 1)}`;
    python.FS.mkdirTree(dirname(target));
    python.FS.writeFile(target, readFileSync(path));
  }
}

// Python's own processor clock is wall time in WebAssembly; Node knows better.
python.globals.set("processor_seconds", () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
});

console.log(
  python.runPython(`
import json, sys
sys.path.insert(0, "/code")
from benchmarks.referee import measure
json.dumps(measure(processor_seconds))
`),
);
