// Lets Pyodide, run by Node, compile its own standard library (tools/stdlib.py).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

export const script = readFileSync(new URL("./stdlib.py", import.meta.url), "utf8");

/** @param {string} folder Pyodide's package @returns {Promise<Buffer>} */
export async function compiledStdlib(folder) {
  const python = await loadPyodide({ indexURL: `${folder}/` });
  python.FS.writeFile("/given.zip", readFileSync(join(folder, "python_stdlib.zip")));
  python.runPython(script);
  return Buffer.from(python.FS.readFile("/packed.zip"));
}
