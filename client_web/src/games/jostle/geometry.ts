/**
 * Where everything lies: a serpentine of rows joined by half circles, the goals as a stair above it, and the three stacks in the
 * free space beside START. Every distance is in units of one field's spacing. A half circle of radius 2/π is exactly two units
 * long, so that rows and bends carry fields at the same spacing.
 */

import { STACK, type Field, type Layout, type PieceId, numberOf, seatOf } from "./model";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const FIELD_RADIUS = 0.42;
const BEND_RADIUS = 2 / Math.PI;
const ROW_GAP = 2 * BEND_RADIUS;
const STAIR_RISE = 0.14;
/** The front of a step, where its points stand: a piece on the goal does not hide them. */
export const STEP_FRONT = 0.36;
const MARGIN = 0.82;
const FEWEST_COLUMNS = 5;
const MOST_COLUMNS = 20;
const REFERENCE_ASPECT = 1.15;

export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** The middle of a field. */
  field(field: Field): Point;
  /** A point between fields, following the track: 4.5 lies half-way from 4 to 5. */
  along(place: number): Point;
  /** Where a piece rests: on its field or on its place in its owner's stack. */
  rest(piece: PieceId, field: Field): Point;
  stack(seat: number): Point;
  /** The track's middle line, as SVG path data, from START to the first goal. */
  readonly track: string;
  /** Where the free corridor above each row runs; a bend's field lies at its row's corridor. */
  readonly corridors: readonly number[];
  /** The row of a field, counted from below; a bend's field belongs to the row below it. */
  row(field: Field): number;
  isBend(field: Field): boolean;
  /** The free space beside the stair, for the title; null if there is none. */
  readonly title: { readonly x: number; readonly y: number; readonly width: number } | null;
  readonly goals: readonly { readonly field: Field; readonly points: number; readonly at: Point; readonly foot: number }[];
}

interface Row {
  readonly y: number;
  /** +1 to the right, -1 to the left. */
  readonly way: number;
  readonly first: number;
  readonly count: number;
}

/**
 * The number of columns of a layout: those whose board is drawn largest in a room of REFERENCE_ASPECT. It depends on nothing else, so
 * that everybody sees the same board, on every device, in a match and in its replays: what people see must not vary unnoticed.
 */
export function columnsOf(layout: Layout): number {
  const fewest = Math.max(FEWEST_COLUMNS, layout.goals.length); // the stair needs a column for each goal
  const candidates = Array.from({ length: MOST_COLUMNS - fewest + 1 }, (_, index) => fewest + index);
  const scale = (columns: number): number => {
    const geometry = lay(layout, columns);
    return Math.min(REFERENCE_ASPECT / geometry.width, 1 / geometry.height);
  };
  return candidates.reduce((best, columns) => (scale(columns) > scale(best) + 1e-9 ? columns : best));
}

export function lay(layout: Layout, columns: number): Geometry {
  const firstGoal = layout.goals[0]?.[0] ?? layout.fields;
  const rows = serpentine(firstGoal, columns);
  const top = rows[rows.length - 1]!;
  const stair = layout.goals.length;
  // The stacks need room for three trays left of START; a nearly full first row puts them below it instead.
  const free = columns - rows[0]!.count;
  const beside = free >= 3;
  const headroom = ROW_GAP + stair * STAIR_RISE - 0.16 + STEP_FRONT;
  const width = columns - 1 + 2 * BEND_RADIUS + 2 * MARGIN;
  const left = MARGIN + BEND_RADIUS;
  const base = MARGIN + headroom + (rows.length - 1) * ROW_GAP;
  const height = base + (beside ? MARGIN : MARGIN + ROW_GAP * 0.9);

  const points: Point[] = [];
  const apexes = new Set<Field>();
  let track = "";
  rows.forEach((row, index) => {
    const y = base - row.y;
    const start = row.way > 0 ? columns - (index === 0 ? row.count : columns) : columns - 1;
    if (index > 0) {
      const bendX = left + (row.way > 0 ? -BEND_RADIUS : columns - 1 + BEND_RADIUS);
      apexes.add(points.length);
      points.push({ x: bendX, y: y + BEND_RADIUS });
      track += ` A ${BEND_RADIUS} ${BEND_RADIUS} 0 0 ${row.way > 0 ? 1 : 0} ${left + start} ${y}`;
    } else {
      track = `M ${left + start} ${y}`;
    }
    for (let step = 0; step < row.count; step += 1) points.push({ x: left + start + row.way * step, y });
    track += ` H ${left + start + row.way * (row.count - 1)}`;
  });

  const stairWay = -top.way;
  const stairStart = stairWay > 0 ? 0 : columns - 1;
  const foot = base - top.y - ROW_GAP + FIELD_RADIUS;
  const landing = { x: left + stairStart, y: foot - FIELD_RADIUS };
  track += ` A ${BEND_RADIUS} ${BEND_RADIUS} 0 0 ${stairWay > 0 ? 1 : 0} ${landing.x} ${landing.y}`;
  const goals = layout.goals.map(([field, value], index) => {
    const at = { x: left + stairStart + stairWay * index, y: foot - FIELD_RADIUS - 0.02 - STEP_FRONT - index * STAIR_RISE };
    points[field] = at;
    return { field, points: value, at, foot };
  });
  const bend = { x: landing.x - stairWay * BEND_RADIUS, y: base - top.y - BEND_RADIUS };

  const stackY = beside ? base - 0.02 : base + ROW_GAP * 0.95;
  const from = left - BEND_RADIUS - 0.25;
  const until = beside ? left + free - 0.62 : left + columns - 1 + BEND_RADIUS + 0.25;
  const stackX = (seat: number): number => from + ((until - from) * (2 * seat + 1)) / 6;
  const rowOf = (field: Field): number => rows.findLastIndex((row) => field >= row.first);
  const titleRoom = columns - stair - 0.6;

  const field = (index: Field): Point => points[index] ?? { x: 0, y: 0 };
  const stack = (seat: number): Point => ({ x: stackX(seat), y: stackY });
  const curve = trackCurve(points, apexes, firstGoal, bend);
  return {
    width,
    height,
    columns,
    field,
    along: (place) => curve(place),
    rest: (piece, at) => (at === STACK ? stackPlace(stack(seatOf(piece)), numberOf(piece)) : field(at)),
    stack,
    track,
    corridors: rows.map((row) => base - row.y - BEND_RADIUS),
    row: rowOf,
    isBend: (field) => apexes.has(field),
    title:
      titleRoom < 2
        ? null
        : { x: left + (stairWay > 0 ? columns - 0.5 - titleRoom / 2 : titleRoom / 2 - 0.5), y: foot - 0.5 - (stair * STAIR_RISE) / 3, width: titleRoom },
    goals,
  };
}

/** Rows from bottom to top, each full except the first, every bend carrying one field. */
function serpentine(fields: number, columns: number): Row[] {
  const perRow = columns + 1;
  const above = Math.max(0, Math.ceil((fields - columns) / perRow));
  const rows: Row[] = [];
  let first = 0;
  for (let index = 0; index <= above; index += 1) {
    const count = index === 0 ? fields - above * perRow : columns;
    rows.push({ y: index * ROW_GAP, way: index % 2 === 0 ? 1 : -1, first, count });
    first += count + 1;
  }
  return rows;
}

/** Three pieces leaning against each other. */
function stackPlace(stack: Point, number: number): Point {
  return { x: stack.x + (number - 2) * 0.23, y: stack.y + (number === 2 ? -0.19 : 0.15) };
}

/** Interpolates between fields: straight within a row and up the stair, round a bend on its circle. */
function trackCurve(points: readonly Point[], apexes: ReadonlySet<Field>, firstGoal: Field, bend: Point): (place: number) => Point {
  return (place) => {
    const low = Math.max(0, Math.min(points.length - 1, Math.floor(place)));
    const high = Math.min(points.length - 1, low + 1);
    const part = Math.max(0, Math.min(1, place - low));
    const a = points[low]!;
    const b = points[high]!;
    if (high === firstGoal && low < firstGoal) return through(a, bend, b, part);
    if (apexes.has(low)) return quarter({ x: b.x, y: a.y }, a, b, part);
    if (apexes.has(high)) return quarter({ x: a.x, y: b.y }, a, b, part);
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
  };
}

/** On the circle around `centre` from `a` to `b`, the short way. */
function quarter(centre: Point, a: Point, b: Point, part: number): Point {
  const from = Math.atan2(a.y - centre.y, a.x - centre.x);
  let turn = Math.atan2(b.y - centre.y, b.x - centre.x) - from;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  const angle = from + turn * part;
  return { x: centre.x + BEND_RADIUS * Math.cos(angle), y: centre.y + BEND_RADIUS * Math.sin(angle) };
}

/** A parabola from `a` to `b` that passes `middle` half-way. */
export function through(a: Point, middle: Point, b: Point, part: number): Point {
  const rest = 1 - part;
  const pull = { x: 2 * middle.x - (a.x + b.x) / 2, y: 2 * middle.y - (a.y + b.y) / 2 };
  return {
    x: rest * rest * a.x + 2 * rest * part * pull.x + part * part * b.x,
    y: rest * rest * a.y + 2 * rest * part * pull.y + part * part * b.y,
  };
}
