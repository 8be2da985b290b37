// The page of a refinement round: as long as the round runs, what it shows is fetched anew. What the reader has opened, scrolled, focused or
// filled in stays.
const EVERY_MS = 2000;
const NOW = "#round-now";
const PLACES = [NOW, "#round-schedule"];

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

/** Whether replacing the part would take something from under the reader's hands. */
function busy(place: Element): boolean {
  const changed = [...place.querySelectorAll("input")].some((one) => one.checked !== one.defaultChecked || one.value !== one.defaultValue);
  return changed || place.contains(document.activeElement);
}

function replace(place: Element, page: Document): void {
  const fresh = page.querySelector(`#${place.id}`);
  if (!fresh || busy(place)) return;
  const restore = remember(place);
  place.replaceWith(fresh);
  restore(fresh);
}

async function refresh(): Promise<void> {
  const now = document.querySelector<HTMLElement>(NOW);
  if (now?.dataset.live !== "yes") return;
  if (!document.hidden) {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    if (answer?.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // When the round is over, forms go and results come: that is another page.
      if (page.querySelector<HTMLElement>(NOW)?.dataset.live !== "yes") return location.reload();
      PLACES.flatMap((name) => [...document.querySelectorAll(name)]).forEach((place) => replace(place, page));
    }
  }
  window.setTimeout(() => void refresh(), EVERY_MS);
}

window.setTimeout(() => void refresh(), EVERY_MS);
