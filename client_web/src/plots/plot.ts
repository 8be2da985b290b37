/** Observable Plot in our colours: drawn outside the page, because its style element would break the content policy. */

import * as Plot from "@observablehq/plot";

export { Plot };

export const INK = "var(--ink)";
export const SOFT = "var(--ink-soft)";
export const RULE = "var(--rule)";
export const BLUE = "var(--blue)";
export const RED = "var(--red)";
export const GREEN = "var(--green)";
export const GREY = "var(--rule-strong)";

/** One explanation of a legend. */
export interface Entry {
  readonly text: string;
  readonly colour: string;
  readonly shape?: "square" | "dot" | "band" | "dash";
}

const aside = document.implementation.createHTMLDocument();
Object.defineProperty(aside, "defaultView", { value: window }); // pointing at a mark tells its document's window, so there must be one

export function plot(options: Plot.PlotOptions): SVGSVGElement {
  const explained = Array.isArray(options.marks) && options.marks.some((mark) => typeof mark === "function");
  const made = Plot.plot({
    className: "plot",
    marginLeft: 52,
    marginBottom: 42,
    marginTop: explained ? ((options.width ?? 640) < 520 ? 74 : 58) : 32, // on a phone explanations take two lines
    insetTop: 4,
    ...options,
    document: aside,
    figure: false,
  }) as unknown as SVGSVGElement;
  made.querySelector("style")?.remove();
  // Plot names its groups for debugging; a picture has one name, that of the figure.
  for (const group of made.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  return document.adoptNode(made);
}

/** A line of explanations above the picture, part of it when it is downloaded. */
export function legend(entries: readonly Entry[]): Plot.RenderFunction {
  return (_index, _scales, _values, dimensions, context) => {
    const group = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", "legend");
    group.setAttribute("transform", "translate(0,20)"); // the label of the vertical axis stands at the very top
    const first = Math.min(dimensions.marginLeft, 52);
    let [x, y] = [first, 0];
    for (const { text, colour, shape = "square" } of entries) {
      const width = 18 + 7 * text.length;
      if (x > first && x + width > dimensions.width) [x, y] = [first, y + 16];
      const entry = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
      entry.setAttribute("transform", `translate(${x},${y})`);
      entry.append(swatch(context.document, colour, shape), write(context.document, text));
      group.append(entry);
      x += width + 14;
    }
    return group;
  };
}

function swatch(owner: Document, colour: string, shape: NonNullable<Entry["shape"]>): SVGElement {
  const attributes: Record<string, Record<string, string | number>> = {
    square: { y: 5, width: 12, height: 12, fill: colour, rx: 2 },
    band: { y: 5, width: 12, height: 12, fill: colour, "fill-opacity": 0.22 },
    dot: { cx: 6, cy: 11, r: 5, fill: colour },
    dash: { y: 9.5, width: 14, height: 3, fill: colour },
  };
  const element = owner.createElementNS("http://www.w3.org/2000/svg", shape === "dot" ? "circle" : "rect");
  for (const [name, value] of Object.entries(attributes[shape] ?? {})) element.setAttribute(name, String(value));
  return element;
}

function write(owner: Document, text: string): SVGElement {
  const element = owner.createElementNS("http://www.w3.org/2000/svg", "text");
  for (const [name, value] of Object.entries({ x: 18, y: 15, fill: "currentColor", "text-anchor": "start" })) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}
