/** What a move would do, drawn before it is made: the way along the track, the ghost where the piece ends, who is jostled whereto. */

import { type Geometry, through } from "./geometry";
import { STACK, type Field, type Option, type PieceId, type Step, numberOf, seatOf } from "./model";
import { face } from "./pieces";
import { alongRoute, route } from "./routes";
import { path, svg } from "../../table/svg";

/** A dashed ring on every field that a movable piece would land on, and above the pieces a tag with their numbers. */
export function drawMarkers(options: readonly Option[], geometry: Geometry): { rings: SVGElement[]; tags: SVGElement[] } {
  const landings = [...new Set(options.map((option) => option.landing))];
  const markers = landings.map((landing) => {
    const sharing = options.filter((option) => option.landing === landing);
    const at = geometry.field(landing);
    const numbers = sharing.map((option) => numberOf(option.piece)).join("·");
    const place = { class: `marker seat-${seatOf(sharing[0]!.piece)}`, transform: path`translate(${at.x} ${at.y})`, "data-move": sharing[0]!.move };
    const ring = svg("g", place, svg("circle", { class: "marker-disc", r: 0.46 }));
    const tag = svg(
      "g",
      { ...place, class: `${place.class} tag` },
      svg("rect", { class: "marker-tag", x: -0.1 - 0.07 * numbers.length, y: -0.64, width: 0.2 + 0.14 * numbers.length, height: 0.3, rx: 0.15 }),
      svg("text", { class: "marker-number", y: -0.42 }, numbers),
    );
    return { ring, tag };
  });
  return { rings: markers.map(({ ring }) => ring), tags: markers.map(({ tag }) => tag) };
}

/** The ways lie under the pieces, the ghosts above them. */
export function drawPreview(option: Option, geometry: Geometry): { ways: SVGElement[]; ghosts: SVGElement[] } {
  const ends = new Map<PieceId, Field>();
  for (const step of option.steps) ends.set(step.piece, step.to);
  return {
    ways: option.steps.map((step) => svg("path", { class: `way way-${step.kind} seat-${seatOf(step.piece)}`, d: wayOf(step, geometry) })),
    ghosts: [...ends.entries()].map(([piece, field]) => drawGhost(piece, field, geometry)),
  };
}

function drawGhost(piece: PieceId, field: Field, geometry: Geometry): SVGGElement {
  const at = geometry.rest(piece, field);
  return svg("g", { class: `ghost seat-${seatOf(piece)}`, transform: path`translate(${at.x} ${at.y})` }, face(piece));
}

/** The line that a step's piece travels, as path data. */
export function wayOf(step: Step, geometry: Geometry): string {
  const points = Array.from({ length: 33 }, (_, index) => travel(step, geometry, index / 32));
  return points.map(({ x, y }, index) => (index === 0 ? path`M ${x} ${y}` : path`L ${x} ${y}`)).join(" ");
}

/** Where the piece of a step is after `part` of its way; hops and bumps come on top of it. */
export function travel(step: Step, geometry: Geometry, part: number): { x: number; y: number } {
  const a = geometry.rest(step.piece, step.from);
  const b = geometry.rest(step.piece, step.to);
  if (step.kind === "switch") {
    const way = route(geometry, Math.min(step.from, step.to), Math.max(step.from, step.to), 0);
    return alongRoute(step.from < step.to ? way : way.toReversed(), part);
  }
  if (step.from !== STACK && step.to !== STACK) return geometry.along(step.from + (step.to - step.from) * part);
  if (step.from === STACK) {
    const fields = step.to + 1;
    const place = part * fields;
    if (place >= 1) return geometry.along(place - 1);
    const start = geometry.field(0);
    return { x: a.x + (start.x - a.x) * place, y: a.y + (start.y - a.y) * place };
  }
  return through(a, { x: (a.x + b.x) / 2, y: Math.min(a.y, b.y) - 0.5 }, b, part);
}
