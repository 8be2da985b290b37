// The page of a refinement round: as long as the round runs, what it shows is fetched anew. What the reader has opened, scrolled or focused stays.
const EVERY_MS = 2000;
const PLACE = "#round-now";

/** Which parts are open and how far scrollable ones are scrolled, by their order on the page. */
function remember(place: Element): (fresh: Element) => void {
  const details = [...place.querySelectorAll("details")].map((one) => [one.querySelector("summary")?.textContent, one.open] as const);
  const scrolled = [...place.querySelectorAll("[tabindex]")].map((one) => [one.scrollLeft, one.scrollTop] as const);
  const opened = new Map(details);
  return (fresh) => {
    for (const one of fresh.querySelectorAll("details")) one.open = opened.get(one.querySelector("summary")?.textContent) ?? one.open;
    fresh.querySelectorAll("[tabindex]").forEach((one, i) => {
      [one.scrollLeft, one.scrollTop] = scrolled[i] ?? [0, 0];
    });
  };
}

/** Whether replacing the part would take something from under the reader's hands. */
function busy(place: Element): boolean {
  return place.contains(document.activeElement) && document.activeElement !== place;
}

async function refresh(): Promise<void> {
  const place = document.querySelector<HTMLElement>(PLACE);
  if (!place || place.dataset.live !== "yes") return;
  if (!busy(place) && !document.hidden) {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined);
    const fresh = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(PLACE) : null;
    if (fresh && fresh.outerHTML !== place.outerHTML && !busy(place)) {
      const restore = remember(place);
      place.replaceWith(fresh);
      restore(fresh);
      if (fresh instanceof HTMLElement && fresh.dataset.live !== "yes") location.reload();
    }
  }
  window.setTimeout(() => void refresh(), EVERY_MS);
}

window.setTimeout(() => void refresh(), EVERY_MS);
