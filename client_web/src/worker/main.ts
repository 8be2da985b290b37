// The Python worker: Pyodide with kernels/, games/ and npc/, answering calls of npc.browser one after another. It never touches a page.

import { loadPyodide, type PyodideInterface } from "pyodide";
import { KernelBridge } from "../kernels/host";
import { loadProlog } from "../prolog";
import { countDownloads, NetworkError } from "./download";
import type { Failure, FromWorker, ToWorker } from "./messages";

type Dispatch = (name: string, args: string) => string; // the JSON of an Answer

/** As npc/browser.py gives it: what was asked for, or the reference of rules that Python does not know yet. */
type Answer = { result: unknown; missing?: undefined } | { missing: string };

const scope = self as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const PACKAGES = "/grintu"; // where the archive is unpacked, inside Pyodide's own file system

const WITH_PROLOG = "npc.panel.propose"; // the call that may need the Prolog engine, which arrives after Python is ready

let dispatch: Dispatch | null = null;
let prolog: Promise<void> = Promise.resolve();

/** Pyodide would wait for ever where WebAssembly is forbidden; so ask first. */
function webAssemblyWorks(): boolean {
  try {
    return new WebAssembly.Module(EMPTY_MODULE) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}

async function startPython(interrupts: Uint8Array | null): Promise<PyodideInterface> {
  const { archive, pyodide } = ASSETS.python;
  const failed = countDownloads(
    { ...Object.fromEntries(Object.entries(pyodide.bytes).map(([name, bytes]) => [pyodide.folder + name, bytes])), [archive.url]: archive.bytes },
    (loaded, total) => scope.postMessage({ type: "progress", step: loaded < total ? "download" : "start", loaded, total }),
  );
  const packed = fetch(archive.url).then((response) => response.arrayBuffer());
  const python = loadPyodide({
    indexURL: new URL(pyodide.folder, self.location.href).href,
    lockFileContents: { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", python: "3.14.2", version: "314.0.7" }, packages: {} } as never,
    checkAPIVersion: false,
    enableRunUntilComplete: false,
  });
  const [interpreter, bytes] = await Promise.race([Promise.all([python, packed]), failed]);
  scope.postMessage({ type: "progress", step: "unpack", loaded: 1, total: 1 });
  interpreter.unpackArchive(bytes, "zip", { extractDir: PACKAGES });
  if (interrupts) interpreter.setInterruptBuffer(interrupts);
  return interpreter;
}

/** Without the engine rule bases make no proposals, and the server decides for them. */
async function startProlog(python: PyodideInterface, hung: readonly string[]): Promise<void> {
  try {
    const host = await loadProlog(ASSETS.prolog, hung, (key) => scope.postMessage({ type: "asking", key }));
    (python.runPython("from npc.prolog.host import use_host; use_host") as (host: unknown) => void)(host);
  } catch (error) {
    console.warn("no Prolog engine", error);
  }
}

async function start(interrupts: Uint8Array | null, hung: readonly string[]): Promise<void> {
  const fail = (failure: Failure, error: unknown) =>
    scope.postMessage({ type: "failed", failure, detail: error instanceof Error ? error.message : String(error) });
  if (!webAssemblyWorks()) return fail("no-webassembly", "WebAssembly is missing or forbidden here");
  try {
    const python = await startPython(interrupts);
    python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
    (python.runPython("from kernels.in_browser import use_bridge; use_bridge") as (bridge: KernelBridge) => void)(new KernelBridge());
    dispatch = python.runPython("from npc.browser import call; call") as Dispatch;
    prolog = startProlog(python, hung);
    const version = String(python.runPython("sys.version.split()[0]"));
    scope.postMessage({ type: "ready", python: version, archive: ASSETS.python.archive.version });
  } catch (error) {
    fail(error instanceof NetworkError ? "network" : "python", error);
  }
}

/** A game whose rules do not come along is fetched by its reference and learnt; then Python is asked again. */
async function ask(name: string, args: string): Promise<unknown> {
  if (!dispatch) throw new Error("Python has not started");
  for (const learnt = new Set<string>(); ; ) {
    const told = JSON.parse(dispatch(name, args)) as Answer;
    if (told.missing === undefined) return told.result;
    if (learnt.has(told.missing)) throw new Error(`${told.missing} was learnt, but is not known`);
    learnt.add(told.missing);
    const response = await fetch(`/games/sources/${encodeURIComponent(told.missing)}`);
    if (!response.ok) throw new Error(`${told.missing}: ${response.status} ${response.statusText}`);
    dispatch("npc.rules.learn", JSON.stringify([told.missing, await response.text()]));
  }
}

async function answer(id: number, name: string, args: string): Promise<void> {
  try {
    if (name === WITH_PROLOG) await prolog;
    scope.postMessage({ type: "result", id, result: await ask(name, args) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    scope.postMessage({ type: "error", id, error: text, interrupted: text.includes("KeyboardInterrupt") });
  }
}

scope.onmessage = ({ data }) => {
  if (data.type === "start") void start(data.interrupts, data.hung);
  else void answer(data.id, data.name, data.args);
};
