// What every page does: unfold the navigation on small screens, show where one is, switch the colours, lead to what is wrong in a form,
// let tables be sorted and filtered, and write times in the reader's own time zone.

import { showRunningMatch } from "./running_match";
import { enhanceTables } from "./tables";
import { localTimes } from "./times";

function setUpNavigation(): void {
  const toggle = document.querySelector<HTMLButtonElement>(".nav-toggle");
  if (!toggle) return;
  toggle.setAttribute("aria-expanded", "false"); // only now may it fold: without a script it stays open
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-expanded", String(toggle.getAttribute("aria-expanded") !== "true"));
  });
}

/** The choice lives in a cookie, so that the server can put it into the page and nothing flashes. */
function setUpTheme(): void {
  const group = document.querySelector<HTMLFieldSetElement>("#theme");
  if (!group) return;
  group.hidden = false;
  group.addEventListener("change", (event) => {
    const theme = (event.target as HTMLInputElement).value;
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme}; Path=/; Max-Age=${theme ? 31_536_000 : 0}; SameSite=Lax`;
  });
}

/** On a small screen the parts and the pages of a part scroll sideways, each for itself; the present one shall be in sight. */
function showPresentPage(): void {
  for (const pages of document.querySelectorAll(".subnav ul")) {
    const present = pages.querySelector("[aria-current]");
    if (present) pages.scrollLeft += present.getBoundingClientRect().left - pages.getBoundingClientRect().left;
  }
}

/** A form that comes back with mistakes: whoever types or listens goes on at the first of them, not at the top of the page. */
function goToMistake(): void {
  const main = document.querySelector("main[data-refused]");
  const field = main?.querySelector(".field:has(.error)");
  const wrong = main?.querySelector<HTMLElement>("[aria-invalid=true]") ?? field?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea");
  const words = main?.querySelector<HTMLElement>("[role=alert]");
  if (!wrong && words) words.tabIndex = -1;
  (wrong ?? words)?.focus();
}

setUpNavigation();
setUpTheme();
showPresentPage();
localTimes(document);
enhanceTables(document);
goToMistake();
showRunningMatch();

export {};
