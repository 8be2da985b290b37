// Builds the browser's files into dist/: `node build.mjs`, or with `--best` the smallest ones (a minute longer, for deployments).
// Bundled pages and styles, the Python worker with Pyodide and the archive of kernels/, games/ and npc/, Trealla's WebAssembly. Every
// name carries its content's hash; dist/manifest.json maps the plain names, which templates ask for with
// `asset("pages/home.js")`, to the hashed ones.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Output, PREFIX, filesBelow, hash } from "./tools/output.mjs";
import { messageIds, readCatalogue } from "./tools/po.mjs";
import { compiledStdlib, script as stdlibScript } from "./tools/stdlib.mjs";
import { treallaWasm } from "./tools/trealla.mjs";
import { zip } from "./tools/zip.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const repository = dirname(here);
const modules = join(here, "node_modules");
const source = join(here, "src");
const output = new Output(join(here, "dist"), process.argv.includes("--best"));

/** kernels/, games/ and npc/ as one archive that the worker unpacks: the same files that the server imports. */
function packPython() {
  const files = ["kernels", "games", "npc"].flatMap((root) =>
    filesBelow(join(repository, root), (path) => !path.includes("__pycache__") && !path.endsWith(".pyc")).map((path) => ({
      name: `${root}/${path}`,
      data: readFileSync(join(repository, root, path)),
    })),
  );
  const data = zip(files);
  return { url: output.add("python/archive.zip", data), bytes: data.length, version: hash(data) };
}

/**
 * Pyodide looks its own files up beside each other, so they share a folder named after all that goes into them. The standard
 * library is compiled, which takes a while; where the folder has it already, it is taken from there.
 */
async function copyPyodide() {
  const names = ["pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"];
  const contents = names.map((name) => readFileSync(join(modules, "pyodide", name)));
  const folder = `python/pyodide-${hash(Buffer.concat([...contents, Buffer.from(stdlibScript)]))}`;
  const compiled = join(here, "dist", folder, "python_stdlib.zip");
  contents[2] = existsSync(compiled) ? readFileSync(compiled) : await compiledStdlib(join(modules, "pyodide"));
  names.forEach((name, i) => output.addAs(`python/${name}`, `${folder}/${name}`, contents[i]));
  const bytes = Object.fromEntries(names.map((name, i) => [name, contents[i].length]));
  return { folder: `${PREFIX}${folder}/`, bytes };
}

/** `import messages from "catalogue:de"`: the German texts that the TypeScript sources ask for. */
const catalogues = {
  name: "catalogues",
  setup(builder) {
    builder.onResolve({ filter: /^catalogue:/ }, ({ path }) => ({ path: path.slice("catalogue:".length), namespace: "catalogue" }));
    builder.onLoad({ filter: /.*/, namespace: "catalogue" }, ({ path: language }) => {
      const all = readCatalogue(join(here, "locales", language));
      const asked = new Set(
        filesBelow(source, (path) => path.endsWith(".ts")).flatMap((path) => [...messageIds(readFileSync(join(source, path), "utf8"))]),
      );
      const chosen = [...asked].sort().flatMap((id) => (all.has(id) ? [[id, all.get(id)]] : []));
      return { contents: JSON.stringify(Object.fromEntries(chosen)), loader: "json" };
    });
  },
};

/** `@import "boards:all"`: the styles of all boards, each of which lies beside its view. */
const boards = {
  name: "boards",
  setup(builder) {
    builder.onResolve({ filter: /^boards:all$/ }, ({ path }) => ({ path, namespace: "boards" }));
    builder.onLoad({ filter: /.*/, namespace: "boards" }, () => {
      const sheets = filesBelow(join(source, "games"), (path) => path.endsWith(".css")).sort();
      return { contents: sheets.map((path) => `@import "./${path}";`).join("\n"), loader: "css", resolveDir: join(source, "games") };
    });
  },
};

/** Bundles entry points with esbuild; it hashes the names itself, because chunks refer to each other. */
async function bundle(entryPoints, options) {
  const result = await build({
    absWorkingDir: here,
    entryPoints,
    outbase: options.outbase,
    outdir: join(here, "dist"),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    sourcemap: false,
    entryNames: "[dir]/[name]-[hash]",
    chunkNames: "chunks/[name]-[hash]",
    assetNames: "images/[name]-[hash]",
    target: ["es2022", "chrome123", "firefox128", "safari17.5"],
    legalComments: "none",
    logLevel: "warning",
    plugins: [catalogues, boards],
    ...options,
  });
  for (const file of result.outputFiles) {
    const path = relative(join(here, "dist"), file.path);
    const entry = result.metafile.outputs[relative(here, file.path)]?.entryPoint;
    const plain = entry?.startsWith("catalogue:") ? "" : entry && relative(options.outbase, entry).replace(/\.ts$/, ".js");
    output.addAs(plain ?? "", path, Buffer.from(file.contents));
  }
}

async function main() {
  const started = Date.now();
  const python = { archive: packPython(), pyodide: await copyPyodide() };
  const prolog = output.add("prolog/trealla.wasm", treallaWasm(join(modules, "trealla", "trealla.js")));
  for (const path of filesBelow(join(here, "images"), () => true)) output.add(`images/${path}`, readFileSync(join(here, "images", path)));
  const define = { ASSETS: JSON.stringify({ python, prolog }) };
  const nodeOnly = ["node:*", "ws"]; // Pyodide's branches for Node, never taken in a browser

  await bundle(["src/worker/main.ts"], { outbase: "src", format: "esm", define, external: nodeOnly });
  const worker = PREFIX + output.manifest.get("worker/main.js");
  const pages = filesBelow(join(source, "pages"), (path) => path.endsWith(".ts")).map((path) => `src/pages/${path}`);
  await bundle(["src/site.ts", "src/python.ts", ...pages], { outbase: "src", format: "esm", splitting: true, define: { ...define, WORKER: JSON.stringify(worker) } });
  const sheets = filesBelow(join(here, "styles"), (path) => path.endsWith(".css") && !basename(path).startsWith("_"));
  await bundle(sheets.map((path) => `styles/${path}`), { outbase: ".", external: ["/assets/*"] });

  await output.finish();
  console.log(`client_web: ${output.manifest.size} files, Python archive ${python.archive.version}, ${Date.now() - started} ms`);
}

await main();
