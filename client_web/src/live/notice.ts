/** A notice of the browser when a table is ready, for those who want one and look elsewhere meanwhile. It says the same whoever was found. */

import { t } from "../i18n";

const MEMORY = "grintu.notify";

export class Notice {
  readonly #box: HTMLInputElement;

  constructor(place: HTMLElement) {
    this.#box = place.querySelector("input")!;
    if (!("Notification" in window)) return; // the box stays hidden
    place.hidden = Notification.permission === "denied";
    this.#box.checked = Notification.permission === "granted" && localStorage.getItem(MEMORY) === "yes";
    this.#box.addEventListener("change", () => void this.#changed(place));
  }

  /** A browser asks the person once; who says no there is not asked again. */
  async #changed(place: HTMLElement): Promise<void> {
    if (this.#box.checked && (await Notification.requestPermission()) !== "granted") {
      this.#box.checked = false;
      place.hidden = Notification.permission === "denied";
    }
    localStorage.setItem(MEMORY, this.#box.checked ? "yes" : "no");
  }

  give(): void {
    if (!this.#box.checked || !document.hidden) return;
    try {
      const given = new Notification(t("Your table is ready."), { tag: "grintu.table" });
      given.onclick = () => {
        window.focus();
        given.close();
      };
    } catch {
      // some phones only let a service worker do this; the page says it all the same
    }
  }
}
