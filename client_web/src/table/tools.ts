/** The small buttons of a table: sounds, the rules, the keys. */

import { t } from "../i18n";
import { html } from "./dom";
import { type Motion, SPEEDS, keepSpeed } from "./motion";
import { drawPictures } from "./pictures";
import { type Sounds, TURN } from "./sounds";

/** Without a motion, the pace is not the player's to choose. */
export function tools(sounds: Sounds, motion: Motion | null): HTMLElement {
  const sound = html("button", { type: "button", class: "button quiet tool", "aria-pressed": String(sounds.on) });
  const label = (): void => {
    sound.textContent = sounds.on ? `♪ ${t("Sounds on")}` : `♪ ${t("Sounds off")}`;
    sound.setAttribute("aria-pressed", String(sounds.on));
  };
  sound.addEventListener("click", () => {
    sounds.on = !sounds.on;
    label();
    sounds.play(TURN);
  });
  label();
  const bar = html("div", { class: "tools" }, sound, ...(motion ? [speedButton(motion)] : []));
  const dialog = document.querySelector<HTMLDialogElement>("#rules");
  if (dialog) bar.append(opener(dialog));
  return bar;
}

function speedButton(motion: Motion): HTMLElement {
  const button = html("button", { type: "button", class: "button quiet tool" });
  const label = (): void => {
    button.textContent = `» ${t("Speed {times}×", { times: motion.speed })}`;
  };
  button.addEventListener("click", () => {
    const at = SPEEDS.findIndex((speed) => speed === motion.speed);
    motion.speed = SPEEDS[(at + 1) % SPEEDS.length]!;
    keepSpeed(motion.speed);
    label();
  });
  label();
  return button;
}

/** Opens the rules; the dialog is part of the page, so that it also reads without a script. */
function opener(dialog: HTMLDialogElement): HTMLElement {
  const button = html("button", { type: "button", class: "button quiet tool" }, t("Rules and keys"));
  button.addEventListener("click", () => {
    dialog.showModal();
    void drawPictures(dialog);
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return button;
}
