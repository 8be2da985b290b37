/** The wooden pieces: each a body with a rim, a face in its seat's shape, and its number. */

import { label, outline, token, tokenIcon } from "../../table/tokens";
import { svg } from "../../table/svg";
import { type PieceId, numberOf, seatOf } from "./model";

/** How far the body shows below the face: what makes a disc a piece. */
const DEPTH = 0.085;

/** The face alone: for ghosts. */
export const face = (piece: PieceId): SVGElement => token(seatOf(piece), String(numberOf(piece)));

/** The face as a picture of its own, to stand in a line of text. */
export const pieceIcon = (piece: PieceId): SVGSVGElement => tokenIcon(seatOf(piece), String(numberOf(piece)));

export function drawPiece(piece: PieceId): SVGGElement {
  const seat = seatOf(piece);
  const part = (name: string, transform = ""): SVGElement => {
    const shape = outline(seat);
    shape.setAttribute("class", name);
    if (transform) shape.setAttribute("transform", transform);
    return shape;
  };
  const halo = svg("circle", { class: "piece-halo", r: 0.45 });
  const shadow = part("piece-shadow", `translate(0.03 ${DEPTH + 0.05})`);
  const lifted = svg("g", { class: "piece-lift" }, part("piece-body", `translate(0 ${DEPTH})`), part("piece-face"), part("piece-gleam"), label(seat, String(numberOf(piece))));
  return svg("g", { class: `piece seat-${seat}`, "data-piece": piece, "data-name": `piece ${piece}` }, halo, shadow, lifted);
}
