/** Lets cards of a list be put into another order: with the pointer on their handle, or with the arrow keys while it has the focus. */

const EDGE = 70; // so near to an edge of the window the page scrolls along
const SCROLL = 14;

/** `moved` gets where the card was and where it is now; `list` has nothing but cards in it. */
export function makeMovable(handle: HTMLElement, card: HTMLElement, list: HTMLElement, moved: (from: number, to: number) => void): void {
  const place = (): number => [...list.children].indexOf(card);
  handle.addEventListener("keydown", (event) => {
    const to = place() + (event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0);
    if (to === place() || to < 0 || to >= list.children.length) return;
    event.preventDefault();
    moved(place(), to);
  });
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const from = place();
    const top = card.getBoundingClientRect().top;
    handle.setPointerCapture(event.pointerId);
    list.classList.add("moving"); // folds all cards
    card.classList.add("moved");
    window.scrollBy(0, card.getBoundingClientRect().top - top);
    const follow = ({ clientY }: PointerEvent): void => {
      // The neighbours move, not the card: an element that leaves its place loses the pointer.
      for (let other = card.previousElementSibling; other && clientY < middle(other); other = card.previousElementSibling) card.after(other);
      for (let other = card.nextElementSibling; other && clientY > middle(other); other = card.nextElementSibling) card.before(other);
      if (clientY < EDGE) window.scrollBy(0, -SCROLL);
      else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL);
    };
    const end = (): void => {
      handle.removeEventListener("pointermove", follow);
      list.classList.remove("moving");
      card.classList.remove("moved");
      if (place() !== from) moved(from, place());
    };
    handle.addEventListener("pointermove", follow);
    handle.addEventListener("lostpointercapture", end, { once: true });
  });
}

function middle(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
