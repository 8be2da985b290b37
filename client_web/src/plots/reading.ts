/**
 * Reading a plot without a pointer: the arrow keys go from value to value, a ring shows where, and a line below says what, also to
 * those who do not see it.
 */

import { svg as make } from "../table/svg";
import { t } from "../i18n";
import type { Picture } from "./figure";
import type { Plot } from "./plot";

export interface Reader {
  /** Draws the ring into a picture that was drawn anew. */
  mark(svg: SVGSVGElement): void;
  /** Lets go of the value. */
  leave(): void;
}

const STEPS: Readonly<Record<string, (now: number, last: number) => number>> = {
  ArrowRight: (now, last) => Math.min(last, now + 1),
  ArrowDown: (now, last) => Math.min(last, now + 1),
  ArrowLeft: (now) => Math.max(0, now - 1),
  ArrowUp: (now) => Math.max(0, now - 1),
  Home: () => 0,
  End: (_, last) => last,
};

export function readable<Data, Row>(canvas: HTMLElement, place: HTMLElement, picture: Picture<Data, Row>, data: () => Data): Reader {
  const hint = t("Arrow keys read the values one by one.");
  let now = -1;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "group");
  canvas.setAttribute("aria-label", hint);

  function mark(svg: SVGSVGElement): void {
    for (const ring of svg.querySelectorAll(".ring")) ring.remove();
    const row = picture.rows(data())[now];
    const at = row === undefined ? null : picture.at?.(row, data());
    if (!at) return;
    const [x, y] = [position(svg, "x", at[0]), position(svg, "y", at[1])];
    if (x !== null && y !== null) svg.append(make("circle", { class: "ring", cx: x, cy: y, r: 8 }));
  }

  function show(): void {
    const row = picture.rows(data())[now];
    const told = row === undefined ? [] : picture.columns(data()).map(({ name, value, text }) => `${name}: ${text?.(row) ?? value(row) ?? "–"}`);
    place.textContent = told.length ? told.join(" · ") : "";
    const svg = canvas.querySelector("svg");
    if (svg) mark(svg);
  }

  function leave(): void {
    now = -1;
    show();
  }

  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const last = picture.rows(data()).length - 1;
    if (event.key === "Escape") leave();
    else if (step && last >= 0) {
      now = step(now, last);
      show();
    } else return;
    event.preventDefault();
  });
  canvas.addEventListener("focus", () => {
    if (now < 0 && canvas.matches(":focus-visible")) place.textContent = hint;
  });
  canvas.addEventListener("blur", leave);
  return { mark, leave };
}

/** Where a value stands, in the picture's own units; the middle of its place where the scale has places. */
function position(svg: SVGSVGElement, name: "x" | "y", value: unknown): number | null {
  const scale = (svg as SVGSVGElement & Partial<Pick<Plot.Plot, "scale">>).scale?.(name);
  const found = scale?.apply(value as never) as number | undefined;
  return found === undefined || !Number.isFinite(found) ? null : found + (scale?.bandwidth ?? 0) / 2;
}
