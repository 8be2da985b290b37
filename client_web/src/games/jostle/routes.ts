/** Ways of the special fields: along the corridors between the rows, crossing the track only between two fields. */

import type { Geometry, Point } from "./geometry";
import type { Field } from "./model";
import { path } from "../../table/svg";

const CORNER = 0.16;

/** From the lower field to the upper one; `lane` keeps ways in one corridor apart. */
export function route(geometry: Geometry, low: Field, high: Field, lane: number): Point[] {
  const a = geometry.field(low);
  const b = geometry.field(high);
  const lowRow = geometry.row(low);
  const highRow = geometry.row(high);
  const first = lowRow;
  const last = geometry.isBend(high) ? highRow : Math.max(highRow - 1, lowRow);
  const level = (row: number): number => (geometry.corridors[row] ?? a.y) + lane;
  if (lowRow === highRow && !geometry.isBend(low) && !geometry.isBend(high)) {
    // Both ends in one row: through the corridor below it, where the track comes from, or above the first row.
    const y = lowRow > 0 ? level(lowRow - 1) : level(0);
    return [a, { x: a.x, y }, { x: b.x, y }, b];
  }
  const points: Point[] = [a];
  if (!geometry.isBend(low)) points.push({ x: a.x, y: level(first) });
  if (last > first) {
    const crossing = nearestGap(geometry, b.x + 0.5 * Math.sign(a.x - b.x || 1));
    if (geometry.isBend(low)) points.push({ x: crossing, y: a.y });
    else points.push({ x: crossing, y: level(first) });
    points.push({ x: crossing, y: geometry.isBend(high) ? b.y : level(last) });
  }
  if (!geometry.isBend(high)) points.push({ x: b.x, y: geometry.isBend(low) && last === first ? a.y : level(last) });
  else if (last === first && !geometry.isBend(low)) points[points.length - 1] = { x: a.x, y: b.y };
  points.push(b);
  return points;
}

/** Fields of a row stand at whole distances from the first goal; a gap lies half-way between two of them. */
function nearestGap(geometry: Geometry, x: number): number {
  const column = geometry.goals[0]?.at.x ?? 0;
  return column + Math.round(x - column - 0.5) + 0.5;
}

/** Cuts off what lies within the fields at both ends. */
export function trim(points: readonly Point[], start: number, end: number): Point[] {
  const cut = (way: readonly Point[], distance: number): Point[] => {
    const [a, b, ...rest] = way;
    const length = Math.hypot(b!.x - a!.x, b!.y - a!.y);
    const share = Math.min(0.95, distance / (length || 1));
    return [{ x: a!.x + (b!.x - a!.x) * share, y: a!.y + (b!.y - a!.y) * share }, b!, ...rest];
  };
  return cut(cut(points, start).toReversed(), end).toReversed();
}

/** Path data of a polyline with rounded corners. */
export function rounded(points: readonly Point[]): string {
  let data = path`M ${points[0]!.x} ${points[0]!.y}`;
  for (let index = 1; index < points.length - 1; index += 1) {
    const [before, corner, after] = [points[index - 1]!, points[index]!, points[index + 1]!];
    const a = approach(corner, before);
    const b = approach(corner, after);
    data += path` L ${a.x} ${a.y} Q ${corner.x} ${corner.y} ${b.x} ${b.y}`;
  }
  return data + path` L ${points.at(-1)!.x} ${points.at(-1)!.y}`;
}

function approach(corner: Point, from: Point): Point {
  const length = Math.hypot(from.x - corner.x, from.y - corner.y) || 1;
  const share = Math.min(CORNER, length / 2) / length;
  return { x: corner.x + (from.x - corner.x) * share, y: corner.y + (from.y - corner.y) * share };
}

/** The point after `part` of a polyline's length. */
export function alongRoute(points: readonly Point[], part: number): Point {
  const lengths = points.slice(1).map((point, index) => Math.hypot(point.x - points[index]!.x, point.y - points[index]!.y));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    if (left <= length || index === lengths.length - 1) {
      const share = Math.min(1, left / (length || 1));
      const [a, b] = [points[index]!, points[index + 1]!];
      return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
    }
    left -= length;
  }
  return points.at(-1)!;
}
