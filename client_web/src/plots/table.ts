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

/** A table of the page as CSV: `data-value` where there is one, else the text. An interval gets two columns of its own. */
export function csvOfTable(table: HTMLTableElement): string {
  const rows = [...table.rows];
  const intervals = new Set(rows.flatMap((row) => [...row.cells].flatMap((one, index) => (one.dataset["low"] === undefined ? [] : [index]))));
  const plain = (one: HTMLTableCellElement) => one.dataset["value"] ?? one.textContent?.trim().replace(/\s+/g, " ") ?? "";
  const ends = (one: HTMLTableCellElement) =>
    one.closest("thead") ? [t("{name}, low", { name: plain(one) }), t("{name}, high", { name: plain(one) })] : [one.dataset["low"] ?? "", one.dataset["high"] ?? ""];
  return csvOf(rows.map((row) => [...row.cells].flatMap((one, index) => [plain(one), ...(intervals.has(index) ? ends(one) : [])])));
}
