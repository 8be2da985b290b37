// The page of something that goes on, a refinement round or a tournament: as long as it runs, the parts with data-fresh are fetched anew. What
// the reader has opened, scrolled, focused or filled in stays.

import { enhanceTables } from "../tables";
import { localTimes } from "../times";

const EVERY_MS = 2000;
const NOW = "[data-live]";
const PLACES = "[data-fresh]";

/** Which parts are open and how far scrollable ones are scrolled, to be restored in a fresh copy. */
function remember(place: Element): (fresh: Element) => void {
  const opened = new Map([...place.querySelectorAll("details")].map((one) => [one.querySelector("summary")?.textContent, one.open]));
  const scrolled = [...place.querySelectorAll("[tabindex]")].map((one) => [one.scrollLeft, one.scrollTop] as const);
  return (fresh) => {
    for (const one of fresh.querySelectorAll("details")) one.open = opened.get(one.querySelector("summary")?.textContent) ?? one.open;
    fresh.querySelectorAll("[tabindex]").forEach((one, i) => {
      [one.scrollLeft, one.scrollTop] = scrolled[i] ?? [0, 0];
    });
  };
}

/** Whether the reader has put in something else. A browser writes times its own way (without seconds that are 0), so it writes the default, too. */
function changed(input: HTMLInputElement): boolean {
  const untouched = input.cloneNode() as HTMLInputElement;
  untouched.value = input.defaultValue;
  return input.checked !== input.defaultChecked || input.value !== untouched.value;
}

/** Whether replacing the part would take something from under the reader's hands. */
function busy(place: Element): boolean {
  return [...place.querySelectorAll("input")].some(changed) || place.contains(document.activeElement);
}

function replace(place: Element, page: Document): void {
  const fresh = page.querySelector(`#${place.id}`);
  if (!fresh || busy(place)) return;
  const restore = remember(place);
  place.replaceWith(fresh);
  enhanceTables(fresh);
  restore(fresh);
  localTimes(fresh);
}

async function refresh(): Promise<void> {
  const now = document.querySelector<HTMLElement>(NOW);
  if (now?.dataset.live !== "yes") return;
  if (!document.hidden) {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (answer?.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // When it is over, forms go and results come: that is another page.
      if (page.querySelector<HTMLElement>(NOW)?.dataset.live !== "yes") return location.reload();
      document.querySelectorAll(PLACES).forEach((place) => replace(place, page));
    }
  }
  window.setTimeout(() => void refresh(), EVERY_MS);
}

window.setTimeout(() => void refresh(), EVERY_MS);
