/**
 * What every table in a `.table-frame` can do: it says when there is more of it at the side (its first column stays in view then), its rows
 * are sorted by a click on a column's head, and many rows can be filtered. Tables that are fetched anew (`data-fresh`) only say how they scroll.
 */

import { language, t } from "./i18n";
import { html } from "./table/dom";

const FEWEST_TO_SORT = 3;
const FEWEST_TO_FILTER = 12;

export function enhanceTables(place: ParentNode): void {
  for (const frame of place.querySelectorAll<HTMLElement>(".table-frame")) {
    const table = frame.querySelector("table");
    if (!table || frame.dataset["enhanced"] !== undefined) continue;
    frame.dataset["enhanced"] = "";
    sayThatItScrolls(frame);
    if (frame.closest("[data-fresh], .figure")) continue;
    const rows = table.tBodies[0]?.rows.length ?? 0;
    if (rows >= FEWEST_TO_SORT) makeSortable(table);
    if (rows >= FEWEST_TO_FILTER && !frame.closest("form")) makeFilterable(frame, table);
  }
}

function sayThatItScrolls(frame: HTMLElement): void {
  const words = html("p", { class: "scrolls hint", hidden: true }, t("This table is wider than the page: scroll it sideways to see all columns."));
  frame.after(words);
  // The first column gives way in a table that scrolls, which may make it fit. It stays so until there is more room than it
  // lacked, or the two would take turns for ever.
  let lacking = 0;
  const look = (): void => {
    const more = frame.scrollWidth - frame.clientWidth;
    if (more > 1) lacking = Math.max(lacking, frame.clientWidth);
    words.hidden = more <= 1;
    frame.toggleAttribute("data-scrolls", frame.clientWidth <= lacking);
    frame.toggleAttribute("data-more", more > 1 && frame.scrollLeft < more - 1);
  };
  frame.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(frame);
  look();
}

/** A button in each head cell; `data-value`, or the moment of a time, is what counts, else what is written. */
function makeSortable(table: HTMLTableElement): void {
  const [body, head] = [table.tBodies[0], table.tHead];
  const simple = head?.rows.length === 1 && table.tBodies.length === 1 && ![...table.rows].some((row) => [...row.cells].some(({ colSpan, rowSpan }) => colSpan * rowSpan > 1));
  if (!body || !head || !simple) return;
  const heads = [...(head.rows[0]?.cells ?? [])];
  heads.forEach((cell, index) => {
    if (!cell.textContent?.trim() || cell.querySelector("button, a, .visually-hidden")) return;
    const button = html("button", { type: "button", class: "sort" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const descending = cell.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...body.rows].sort((one, two) => compare(worth(one, index), worth(two, index)));
      body.append(...(descending ? rows.reverse() : rows));
    });
  });
}

function worth(row: HTMLTableRowElement, index: number): string {
  const cell = row.cells[index];
  return cell?.dataset["value"] ?? cell?.querySelector("time")?.dateTime ?? cell?.textContent?.trim() ?? "";
}

/** What begins with a number is sorted by it, before what does not. */
function compare(one: string, two: string): number {
  const [a, b] = [numberIn(one), numberIn(two)];
  if (a !== null && b !== null) return a - b;
  return a === null && b === null ? one.localeCompare(two, language, { numeric: true }) : a === null ? -1 : 1;
}

/** The number that a text begins with, in a program's form (`data-value`) or in the form of the page's language. */
export function numberIn(text: string, written: string = language): number | null {
  const plain = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) && !(written === "de" && /^-?\d{1,3}\.\d{3}$/.test(text)) ? text : null;
  const found = plain ?? /^[−-]?\d[\d.,]*(?=[\s\u00a0%)]|$)/.exec(text)?.[0];
  if (found == null) return null;
  if (plain !== null) return Number(plain);
  const [thousands, decimal] = written === "de" ? [".", ","] : [",", "."];
  return Number(found.replaceAll(thousands, "").replace(decimal, ".").replace("−", "-"));
}

function makeFilterable(frame: HTMLElement, table: HTMLTableElement): void {
  const field = html("input", { type: "search", "aria-label": t("Filter the rows"), placeholder: t("Filter the rows") });
  const told = html("span", { class: "soft", role: "status" });
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLocaleLowerCase(language);
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    for (const row of rows) row.classList.toggle("filtered-out", !(row.textContent ?? "").toLocaleLowerCase(language).includes(wanted));
    told.textContent = wanted ? t("{shown} of {all} rows", { shown: rows.filter((row) => !row.classList.contains("filtered-out")).length, all: rows.length }) : "";
  });
  frame.before(html("div", { class: "row filter-rows" }, field, told));
}
