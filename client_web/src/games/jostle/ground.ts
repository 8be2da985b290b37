/** The printed board: paper, track, fields with their signs, the goals' stair and the stacks' trays. Nothing here moves. */

import { t } from "../../i18n";
import { FIELD_RADIUS, type Geometry, type Point } from "./geometry";
import type { Field, Layout } from "./model";
import { outline } from "../../table/tokens";
import { rounded, route, trim } from "./routes";
import { path, svg } from "../../table/svg";

export function drawGround(layout: Layout, geometry: Geometry): SVGGElement {
  const { width, height } = geometry;
  return svg(
    "g",
    { class: "ground" },
    svg("rect", { class: "board-edge", x: 0.06, y: 0.06, width: width - 0.12, height: height - 0.12, rx: 0.42 }),
    svg("rect", { class: "board-paper", x: 0.16, y: 0.16, width: width - 0.32, height: height - 0.32, rx: 0.34 }),
    svg("rect", { class: "board-line", x: 0.25, y: 0.25, width: width - 0.5, height: height - 0.5, rx: 0.27 }),
    ...[0, 1, 2].map((seat) => drawTray(geometry.stack(seat), seat)),
    svg("path", { class: "track-edge", d: geometry.track }),
    svg("path", { class: "track", d: geometry.track }),
    svg("path", { class: "track-stitch", d: geometry.track }),
    drawStair(geometry),
    ...drawTitle(geometry),
    ...layout.switches.map((pair, index) => drawSwitchArc(geometry, pair, index)),
    ...layout.backs.map(([from, to], index) => drawBackArc(geometry, from, to, index)),
    ...Array.from({ length: layout.fields }, (_, field) => drawField(layout, geometry, field)),
  );
}

type Sign = (field: Field, layout: Layout) => { className: string; sign: SVGElement[] } | null;

/** What a field shows, by the first sign that applies. */
const SIGNS: readonly Sign[] = [
  (field) => (field === 0 ? { className: "field-start", sign: [svg("text", { class: "field-word", y: 0.07 }, t("START"))] } : null),
  (field, layout) => {
    const index = layout.switches.findIndex((pair) => pair.includes(field));
    return index < 0 ? null : { className: `field-switch switch-${index % 4}`, sign: switchSign(field) };
  },
  (field, layout) => {
    const back = layout.backs.find(([from]) => from === field);
    return back ? { className: "field-back", sign: backSign(field, field - back[1]) } : null;
  },
  (field, layout) => {
    const goal = layout.goals.find(([at]) => at === field);
    return goal ? { className: "field-goal", sign: [svg("text", { class: "field-points", y: 0.155 }, "★")] } : null;
  },
];

function drawField(layout: Layout, geometry: Geometry, field: Field): SVGGElement {
  const found = SIGNS.map((sign) => sign(field, layout)).find((sign) => sign !== null);
  const at = geometry.field(field);
  return svg(
    "g",
    { class: `field ${found?.className ?? "field-plain"}`, transform: path`translate(${at.x} ${at.y})`, "data-field": field, "data-name": `field ${field}` },
    svg("circle", { class: "field-disc", r: FIELD_RADIUS }),
    svg("circle", { class: "field-ring", r: FIELD_RADIUS - 0.06 }),
    ...(found?.sign ?? [svg("text", { class: "field-number", y: 0.075 }, String(field))]),
  );
}

const small = (field: Field): SVGTextElement => svg("text", { class: "field-small", y: 0.3 }, String(field));

/** Two arrows that change places. */
function switchSign(field: Field): SVGElement[] {
  return [
    svg("path", { class: "field-icon", d: "M -0.2 -0.12 H 0.17 M 0.07 -0.21 L 0.18 -0.12 L 0.07 -0.03" }),
    svg("path", { class: "field-icon", d: "M 0.2 0.06 H -0.17 M -0.07 -0.03 L -0.18 0.06 L -0.07 0.15" }),
    small(field),
  ];
}

function backSign(field: Field, steps: number): SVGElement[] {
  return [svg("text", { class: "field-back-sign", y: 0.11 }, `−${steps}`), small(field)];
}

function drawSwitchArc(geometry: Geometry, [low, high]: readonly [Field, Field], index: number): SVGGElement {
  const way = route(geometry, low, high, index % 2 === 0 ? -0.06 : 0.06);
  const trimmed = trim(way, FIELD_RADIUS + 0.1, FIELD_RADIUS + 0.1);
  const line = rounded(trimmed);
  return svg(
    "g",
    { class: `arc switch-${index % 4}` },
    svg("path", { class: "arc-edge", d: line }),
    svg("path", { class: "arc-line", d: line }),
    arrowhead(trimmed[0]!, trimmed[1]!),
    arrowhead(trimmed.at(-1)!, trimmed.at(-2)!),
  );
}

function drawBackArc(geometry: Geometry, from: Field, to: Field, index: number): SVGGElement {
  const way = trim(route(geometry, to, from, index % 2 === 0 ? 0.115 : -0.115), FIELD_RADIUS + 0.1, FIELD_RADIUS + 0.02);
  return svg("g", { class: "arc arc-back" }, svg("path", { class: "arc-line", d: rounded(way) }), arrowhead(way[0]!, way[1]!));
}

function arrowhead(tip: Point, from: Point): SVGPathElement {
  const angle = (Math.atan2(tip.y - from.y, tip.x - from.x) * 180) / Math.PI;
  return svg("path", {
    class: "arc-head",
    d: "M 0.05 0 L -0.13 -0.085 L -0.09 0 L -0.13 0.085 Z",
    transform: path`translate(${tip.x} ${tip.y}) rotate(${angle})`,
  });
}

function drawTitle({ title }: Geometry): SVGElement[] {
  if (!title) return [];
  const size = Math.min(0.62, title.width / 3.6);
  return [
    svg(
      "g",
      { class: "title", transform: path`translate(${title.x} ${title.y})` },
      svg("text", { class: "title-word", "font-size": size, y: size * 0.3 }, "Jostle"),
      svg("path", { class: "title-rule", d: path`M ${-size * 1.5} ${size * 0.62} h ${size * 3}` }),
    ),
  ];
}

function drawStair(geometry: Geometry): SVGGElement {
  return svg(
    "g",
    { class: "stair" },
    ...geometry.goals.map(({ at, foot }) =>
      svg("rect", { class: "stair-step", x: at.x - 0.5, y: at.y - 0.03, width: 1, height: foot - at.y + 0.14, rx: 0.05 }),
    ),
    ...geometry.goals.map(({ at, points }) => svg("text", { class: "stair-points", x: at.x, y: at.y + FIELD_RADIUS + 0.31 }, String(points))),
    ...geometry.goals.map(({ at }) => svg("path", { class: "stair-nose", d: path`M ${at.x - 0.47} ${at.y} h 0.94` })),
  );
}

function drawTray(at: Point, seat: number): SVGGElement {
  const mark = outline(seat);
  mark.setAttribute("class", "tray-mark");
  return svg(
    "g",
    { class: `tray seat-${seat}`, transform: path`translate(${at.x} ${at.y})` },
    svg("rect", { class: "tray-ground", x: -0.51, y: -0.53, width: 1.02, height: 1.1, rx: 0.24 }),
    mark,
  );
}
