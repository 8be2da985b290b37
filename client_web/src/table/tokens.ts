/** The marks of the seats: a circle, a triangle, a square and a diamond, told apart by shape first and by colour second. */

import type { Seat } from "./model";
import { path, svg } from "./svg";

const ROUND_TRIANGLE = path`M 0 -0.33 C 0.06 -0.33 0.1 -0.3 0.13 -0.25 L 0.335 0.12 C 0.38 0.2 0.33 0.27 0.25 0.27 L -0.25 0.27 C -0.33 0.27 -0.38 0.2 -0.335 0.12 L -0.13 -0.25 C -0.1 -0.3 -0.06 -0.33 0 -0.33 Z`;

const OUTLINES: readonly (() => SVGElement)[] = [
  () => svg("circle", { r: 0.285 }),
  () => svg("path", { d: ROUND_TRIANGLE }),
  () => svg("rect", { x: -0.255, y: -0.255, width: 0.51, height: 0.51, rx: 0.075 }),
  () => svg("rect", { x: -0.24, y: -0.24, width: 0.48, height: 0.48, rx: 0.05, transform: "rotate(45)" }),
];

/** Where a label sits best in each shape. */
const LABEL_Y: readonly number[] = [0.1, 0.16, 0.1, 0.1];

export const outline = (seat: Seat): SVGElement => OUTLINES[seat % OUTLINES.length]!();

export const label = (seat: Seat, text: string): SVGTextElement => svg("text", { class: "piece-label", y: LABEL_Y[seat % LABEL_Y.length]! }, text);

/** A seat's shape, with a letter or number on it. */
export function token(seat: Seat, text?: string): SVGElement {
  const face = outline(seat);
  face.setAttribute("class", "piece-face");
  const group = svg("g", { class: `seat-${seat}` }, face);
  if (text !== undefined) group.append(label(seat, text));
  return group;
}

/** A picture that stands in a line of text. */
export const icon = (...content: SVGElement[]): SVGSVGElement => svg("svg", { viewBox: "-0.42 -0.42 0.84 0.84", class: "token", "aria-hidden": "true" }, ...content);

export const tokenIcon = (seat: Seat, text?: string): SVGSVGElement => icon(token(seat, text));
