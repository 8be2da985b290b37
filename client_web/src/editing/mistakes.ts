/** Shows mistakes where they are: each beside the field that it is about, counted on folded questions, and listed above with links. */
import { t, tn } from "../i18n";
import { html } from "../table/dom";
import type { Problem } from "./keeping";

/** The innermost element that stands at a place or around it. */
function standingAt(root: HTMLElement, at: string): HTMLElement | null {
  const parts = at.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const found = root.querySelector<HTMLElement>(`[data-at="${CSS.escape(parts.slice(0, length).join("."))}"]`);
    if (found) return found;
  }
  return null;
}

export function showMistakes(root: HTMLElement, problems: Problem[]): void {
  for (const old of root.querySelectorAll(".mistake")) old.remove();
  for (const field of root.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
  problems.forEach(({ at, says }, index) => {
    const place = standingAt(root, at);
    if (!place) return;
    const shown = html("p", { class: "error mistake", id: `mistake-${index}` }, says);
    place.append(shown);
    const control = place.matches(".field") ? place.querySelector(":scope > :is(input, textarea, select)") : null;
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-describedby", shown.id);
  });
  for (const card of root.querySelectorAll<HTMLElement>(".item-card")) {
    const count = card.querySelectorAll(".mistake").length;
    if (count) card.querySelector(".item-title")?.append(" ", html("span", { class: "badge bad mistake" }, tn("{n} mistake", "{n} mistakes", count)));
  }
}

/** Goes to the place of a mistake; `unfold` opens the question around it. */
export function goTo(root: HTMLElement, at: string, unfold: (card: HTMLElement) => void): void {
  const place = standingAt(root, at);
  if (!place) return;
  const card = place.closest<HTMLElement>(".item-card");
  if (card) unfold(card);
  const control = place.querySelector<HTMLElement>("input, textarea, select, button");
  control?.focus();
  place.scrollIntoView({ block: "center" });
}

/** One line per mistake; a click leads to it. */
export function listOf(problems: Problem[], follow: (at: string) => void): HTMLElement {
  const lines = problems.map(({ at, says }) => {
    const link = html("button", { type: "button", class: "link-button" }, named(at));
    link.addEventListener("click", () => follow(at));
    return html("li", {}, link, `: ${says}`);
  });
  return html("ul", { class: "problems" }, ...lines);
}

function named(at: string): string {
  const [, index, ...rest] = at.split(".");
  if (!at.startsWith("items.") || index === undefined) return at || t("The questionnaire");
  const question = t("Question {n}", { n: Number(index) + 1 });
  return rest.length ? `${question}, ${rest.join(" ")}` : question;
}
