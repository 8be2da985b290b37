// Bundles sources for a test and imports them; what pages have and Node has not is given by whoever needs it.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

/** @param {string[]} names paths below src, without their ending */
export async function load(...names) {
  const contents = names.map((name) => `export * from "./${name}";`).join("\n");
  const { outputFiles } = await build({ stdin: { contents, resolveDir: source, loader: "ts" }, bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
