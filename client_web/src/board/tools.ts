/** The small buttons of a table: sounds, the rules, the keys. */

import { t } from "../i18n";
import { html } from "./dom";
import type { Sounds } from "./sounds";

export function tools(sounds: Sounds): HTMLElement {
  const sound = html("button", { type: "button", class: "button quiet tool", "aria-pressed": String(sounds.on) });
  const label = (): void => {
    sound.textContent = sounds.on ? `♪ ${t("Sounds on")}` : `♪ ${t("Sounds off")}`;
    sound.setAttribute("aria-pressed", String(sounds.on));
  };
  sound.addEventListener("click", () => {
    sounds.on = !sounds.on;
    label();
    sounds.play("turn");
  });
  label();
  const bar = html("div", { class: "tools" }, sound);
  const dialog = document.querySelector<HTMLDialogElement>("#rules");
  if (dialog) bar.append(opener(dialog));
  return bar;
}

/** Opens the rules; the dialog is part of the page, so that it also reads without a script. */
function opener(dialog: HTMLDialogElement): HTMLElement {
  const button = html("button", { type: "button", class: "button quiet tool" }, t("Rules and keys"));
  button.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return button;
}
