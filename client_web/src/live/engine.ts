/** Shows how far the Python engine has been loaded, in a line of text with a bar; disappears when it is ready. */

import { html } from "../table/dom";
import { describe, python } from "../python";

export function showEngine(line: HTMLElement): void {
  const ready = line.textContent ?? "";
  const bar = html("progress", { max: "1" });
  const words = html("span");
  python.watch((state) => {
    if (state.kind === "loading") {
      bar.value = state.progress.loaded / (state.progress.total || 1);
      words.textContent = describe(state);
      line.replaceChildren(words, bar);
      bar.setAttribute("aria-label", describe(state));
    } else {
      line.replaceChildren(state.kind === "failed" ? describe(state) : ready);
    }
    line.dataset["engine"] = state.kind;
  });
}

/** Starts the engine; a page that can do without it does not care why it failed, the line above says so. */
export function startEngine(): void {
  python.start().catch(() => undefined);
}
