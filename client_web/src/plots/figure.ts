/**
 * A plot with all that belongs to it: a title that says what is to be seen, the picture, the same numbers as a table, and both
 * as files. It is drawn again when the data or the room for it change.
 */

import { html } from "../table/dom";
import { t } from "../i18n";
import { save, standalone } from "./download";
import { readable } from "./reading";
import { type Column, csv, dataTable } from "./table";

export interface Picture<Data, Row> {
  /** The name of the files that are downloaded. */
  readonly name: string;
  readonly title: (data: Data) => string;
  /** How to read it: what the marks mean, what intervals were computed from. */
  readonly note?: (data: Data) => string;
  readonly draw: (data: Data, width: number) => SVGSVGElement;
  readonly rows: (data: Data) => readonly Row[];
  readonly columns: (data: Data) => readonly Column<Row>[];
  /** Where a row stands in the picture, in the picture's own scales; null where it is not drawn. */
  readonly at?: (row: Row, data: Data) => readonly [x: unknown, y: unknown] | null;
  /** Whether the picture itself answers to keys. */
  readonly interactive?: boolean;
}

export interface Figure<Data> {
  show(data: Data): void;
}

/** Puts a figure into the element with this id, which the page has left empty. */
export function mount<Data, Row>(id: string, picture: Picture<Data, Row>, first: Data): Figure<Data> {
  const host = document.getElementById(id);
  if (!host) throw new Error(`the page has no element #${id}`);
  let data = first;
  let drawnWidth = 0;
  const title = html("h2");
  const note = html("p", { class: "note" });
  const canvas = html("div", { class: "canvas" });
  const reading = html("p", { class: "reading", role: "status" });
  const frame = html("div", { class: "table-frame", tabindex: "0", role: "region", hidden: true });
  const toggle = tool(t("Table"), t("Show the numbers as a table"));
  toggle.setAttribute("aria-pressed", "false");
  const svgButton = tool("SVG", t("Download the picture as SVG"));
  const csvButton = tool("CSV", t("Download the numbers as CSV"));
  const figure = html("figure", { class: "figure" }, html("figcaption", {}, title), canvas, reading, frame, html("div", { class: "below" }, note, html("div", { class: "tools" }, toggle, svgButton, csvButton)));
  host.replaceChildren(figure);
  const reader = picture.interactive ? null : readable(canvas, reading, picture, () => data);

  function draw(): void {
    const width = Math.floor(canvas.clientWidth || figure.clientWidth);
    if (width < 40 || canvas.hidden) return;
    drawnWidth = width;
    const svg = picture.draw(data, width);
    if (!picture.interactive) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", `${picture.title(data)} ${t("The table has the same numbers.")}`);
    }
    if (canvas.firstChild !== svg) canvas.replaceChildren(svg);
    reader?.mark(svg);
  }

  function show(next: Data): void {
    data = next;
    reader?.leave();
    title.textContent = picture.title(data);
    note.textContent = picture.note?.(data) ?? "";
    if (!frame.hidden) fillTable();
    draw();
  }

  function fillTable(): void {
    frame.setAttribute("aria-label", picture.title(data));
    frame.replaceChildren(dataTable(picture.columns(data), picture.rows(data), picture.title(data)));
  }

  toggle.addEventListener("click", () => {
    frame.hidden = !frame.hidden;
    canvas.hidden = reading.hidden = !frame.hidden;
    toggle.setAttribute("aria-pressed", String(!frame.hidden));
    svgButton.disabled = !frame.hidden;
    if (frame.hidden) draw();
    else fillTable();
  });
  svgButton.addEventListener("click", () => {
    const svg = canvas.querySelector("svg");
    if (svg) save(`${picture.name}.svg`, standalone(svg, picture.title(data)), "image/svg+xml");
  });
  csvButton.addEventListener("click", () => save(`${picture.name}.csv`, csv(picture.columns(data), picture.rows(data)), "text/csv"));
  new ResizeObserver(() => {
    if (Math.abs(canvas.clientWidth - drawnWidth) > 1) draw();
  }).observe(canvas);
  show(first);
  return { show };
}

function tool(text: string, meaning: string): HTMLButtonElement {
  return html("button", { type: "button", class: "button quiet", title: meaning }, text);
}

/** The data that the server wrote into the page. */
export function pageData<Data>(): Data {
  const block = document.getElementById("page-data");
  if (!block?.textContent) throw new Error("the page has no data");
  return JSON.parse(block.textContent) as Data;
}
