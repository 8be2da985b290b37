/** The wooden pieces: a circle, a triangle and a square, each a body with a rim, a face and its number. */

import { type PieceId, type Seat, numberOf, seatOf } from "./model";
import { path, svg } from "./svg";

/** How far the body shows below the face: what makes a disc a piece. */
const DEPTH = 0.085;

const ROUND_TRIANGLE = path`M 0 -0.33 C 0.06 -0.33 0.1 -0.3 0.13 -0.25 L 0.335 0.12 C 0.38 0.2 0.33 0.27 0.25 0.27 L -0.25 0.27 C -0.33 0.27 -0.38 0.2 -0.335 0.12 L -0.13 -0.25 C -0.1 -0.3 -0.06 -0.33 0 -0.33 Z`;

const OUTLINES: readonly (() => SVGElement)[] = [
  () => svg("circle", { r: 0.285 }),
  () => svg("path", { d: ROUND_TRIANGLE }),
  () => svg("rect", { x: -0.255, y: -0.255, width: 0.51, height: 0.51, rx: 0.075 }),
];

/** Where the number sits best in each shape. */
const NUMBER_Y: readonly number[] = [0.1, 0.16, 0.1];

export const outline = (seat: Seat): SVGElement => OUTLINES[seat % OUTLINES.length]!();

/** The face alone: for scores, buttons and ghosts. */
export function token(seat: Seat, number?: number): SVGElement {
  const face = outline(seat);
  face.setAttribute("class", "piece-face");
  const group = svg("g", { class: `seat-${seat}` }, face);
  if (number !== undefined) group.append(label(seat, number));
  return group;
}

/** A token as a picture of its own, to stand in a line of text. */
export function tokenIcon(seat: Seat, number?: number): SVGSVGElement {
  const picture = svg("svg", { viewBox: "-0.42 -0.42 0.84 0.84", class: "token", "aria-hidden": "true" });
  picture.append(token(seat, number));
  return picture;
}

export function drawPiece(piece: PieceId): SVGGElement {
  const seat = seatOf(piece);
  const halo = svg("circle", { class: "piece-halo", r: 0.45 });
  const shadow = outline(seat);
  shadow.setAttribute("class", "piece-shadow");
  shadow.setAttribute("transform", `translate(0.03 ${DEPTH + 0.05})`);
  const body = outline(seat);
  body.setAttribute("class", "piece-body");
  body.setAttribute("transform", `translate(0 ${DEPTH})`);
  const face = outline(seat);
  face.setAttribute("class", "piece-face");
  const gleam = outline(seat);
  gleam.setAttribute("class", "piece-gleam");
  const lifted = svg("g", { class: "piece-lift" }, body, face, gleam, label(seat, numberOf(piece)));
  return svg("g", { class: `piece seat-${seat}`, "data-piece": piece }, halo, shadow, lifted);
}

function label(seat: Seat, number: number): SVGTextElement {
  return svg("text", { class: "piece-number", y: NUMBER_Y[seat % 3]! }, String(number));
}
