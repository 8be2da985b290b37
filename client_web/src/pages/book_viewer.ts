// Books from the disk: dropped or chosen, replayed by the rules in this browser. Nothing is sent anywhere.
import { t } from "../i18n";
import { describe, python, PythonError } from "../python";
import { Replay } from "../table/replay";
import { recordingOfBook } from "../table/recordings";

const LONGEST = 1_000_000;
const drop = document.querySelector<HTMLElement>("#drop")!;
const input = document.querySelector<HTMLInputElement>("#book")!;
const state = document.querySelector<HTMLElement>("#state")!;
const host = document.querySelector<HTMLElement>("#replay")!;

python.watch((now) => { if (now.kind === "loading" || now.kind === "failed") state.textContent = describe(now); });

/** What the rules say is wrong: the last line of what Python tells, without the name of the error. */
function reason({ message }: PythonError): string {
  return (message.trim().split("\n").at(-1) ?? "").replace(/^[\w.]+Error: /, "");
}

async function show(file: File | undefined): Promise<void> {
  if (!file) return;
  host.replaceChildren();
  if (file.size > LONGEST) {
    state.textContent = t("This file is too long for a book.");
    return;
  }
  try {
    new Replay(host, await recordingOfBook(await file.text()));
    state.textContent = file.name;
  } catch (error) {
    state.textContent = `${file.name}: ${error instanceof PythonError ? reason(error) : String(error)}`;
  }
}

input.addEventListener("change", () => void show(input.files?.[0]));
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  void show(event.dataTransfer?.files[0]);
});
