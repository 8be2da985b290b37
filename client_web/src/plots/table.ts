/** The table behind a plot: the same numbers to read, to sort and to take away as CSV. */

import { html } from "../table/dom";
import { t } from "../i18n";
import { type Cell, csvOf } from "./csv";

export interface Column<Row> {
  readonly name: string;
  /** The plain value, for sorting and for CSV files. */
  readonly value: (row: Row) => Cell;
  /** How people read it; without it the value itself. */
  readonly text?: (row: Row) => string;
  readonly link?: (row: Row) => string;
}

export function dataTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], caption: string): HTMLTableElement {
  const table = html("table", {}, html("caption", { class: "visually-hidden" }, caption));
  const head = html("tr");
  for (const column of columns) head.append(html("th", { scope: "col", ...(isNumeric(column, rows) && { class: "number" }) }, column.name));
  const body = html("tbody");
  for (const row of rows) {
    const line = html("tr");
    columns.forEach((column, index) => line.append(cell(column, row, index === 0, isNumeric(column, rows))));
    body.append(line);
  }
  table.append(html("thead", {}, head), body);
  return table;
}

function isNumeric<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  return rows.some((row) => typeof column.value(row) === "number");
}

function cell<Row>(column: Column<Row>, row: Row, first: boolean, numeric: boolean): HTMLElement {
  const value = column.value(row);
  const text = column.text?.(row) ?? (value === null ? "–" : String(value));
  const content = column.link ? html("a", { href: column.link(row) }, text) : text;
  return html(first ? "th" : "td", { ...(first && { scope: "row" }), ...(numeric && { class: "number" }) }, content);
}

export function csv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return csvOf([columns.map((column) => column.name), ...rows.map((row) => columns.map((column) => column.value(row)))]);
}

/** Lets the columns of a table that the server wrote be sorted: a button in each head cell; `data-value` is what counts. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (!body) return;
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
  heads.forEach((head, index) => {
    const button = html("button", { type: "button", class: "sort" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") !== "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const rows = [...body.rows].sort((one, two) => compare(worth(one, index), worth(two, index)));
      body.append(...(descending ? rows.reverse() : rows));
    });
  });
}

function worth(row: HTMLTableRowElement, index: number): string {
  const found = row.cells[index];
  return found?.dataset["value"] ?? found?.textContent?.trim() ?? "";
}

function compare(one: string, two: string): number {
  const [a, b] = [Number.parseFloat(one), Number.parseFloat(two)];
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? one.localeCompare(two) : Number.isNaN(a) ? -1 : 1;
  return a - b;
}

/** A table of the page as CSV: `data-value` where there is one, else the text. An interval gets two columns of its own. */
export function csvOfTable(table: HTMLTableElement): string {
  const rows = [...table.rows];
  const intervals = new Set(rows.flatMap((row) => [...row.cells].flatMap((one, index) => (one.dataset["low"] === undefined ? [] : [index]))));
  const plain = (one: HTMLTableCellElement) => one.dataset["value"] ?? one.textContent?.trim().replace(/\s+/g, " ") ?? "";
  const ends = (one: HTMLTableCellElement) =>
    one.closest("thead") ? [t("{name}, low", { name: plain(one) }), t("{name}, high", { name: plain(one) })] : [one.dataset["low"] ?? "", one.dataset["high"] ?? ""];
  return csvOf(rows.map((row) => [...row.cells].flatMap((one, index) => [plain(one), ...(intervals.has(index) ? ends(one) : [])])));
}
