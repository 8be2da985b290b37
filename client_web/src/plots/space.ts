/**
 * The space of the strategies: detection, fun and challenge as a cube that can be turned, by dragging or with the arrow keys.
 * The nearest strategy to the pointer is chosen, or the next one with the keys `,` and `.`; its intervals are drawn then.
 * Real humans stand in it as a diamond, and the plane through it is what programs are held against.
 */

import { svg as make } from "../table/svg";
import { t } from "../i18n";
import type { HumanPoint, StrategyRow } from "./data";
import { decimal } from "./format";
import { ofGame } from "./of_game";

type Vector = readonly [number, number, number];
type Rated = StrategyRow & { readonly rating: NonNullable<StrategyRow["rating"]> };
type Attributes = Readonly<Record<string, string | number>>;

const STEP = Math.PI / 24;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const HIGHEST = Math.PI / 2;
const NEAR = 26;
const LABELLED = 1;
const CORNER = Math.sqrt(3) / 2; // how far the corners of the cube are from its middle
const AROUND = 34; // for ticks, outside of the corners
const LEGEND = 24;
const LETTER = 7.5; // about the width of one, for what must stay in the frame

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));

export interface Space {
  readonly svg: SVGSVGElement;
  resize(width: number): void;
}

/** The place of a rating in the cube, whose middle is the origin; fun points up. */
function place(detection: number, fun: number, challenge: number): Vector {
  return [detection - 0.5, fun - 0.5, challenge - 0.5];
}

/** Seen from a direction given by two angles: to the right, upwards, and towards the viewer. */
export function turned([x, y, z]: Vector, yaw: number, pitch: number): Vector {
  const [right, depth] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
  return [right, y * Math.cos(pitch) - depth * Math.sin(pitch), depth * Math.cos(pitch) + y * Math.sin(pitch)];
}

export function generationColour(generation: number, last: number): string {
  const share = last === 0 ? 0 : Math.round((100 * generation) / last);
  return `color-mix(in oklch, var(--first-generation), var(--last-generation) ${share}%)`;
}

export function space(rows: readonly StrategyRow[], human: HumanPoint | null, onChoose: (row: StrategyRow | null) => void): Space {
  const rated = rows.filter((row): row is Rated => row.rating !== null);
  const last = Math.max(0, ...rated.map(({ generation }) => generation));
  const best = new Set([...rated].sort((one, two) => one.rating.detection - two.rating.detection).slice(0, LABELLED));
  const root = make("svg", { class: "plot space", tabindex: 0, role: "application", "aria-roledescription": t("space that can be turned") });
  let [yaw, pitch, width, height] = [-0.62, 0.4, 0, 0];
  let chosen: Rated | null = null;
  let shown = new Map<Rated, readonly [number, number]>();

  // However it is turned, the cube's corners and their ticks stay in the frame; below them is the row of generations.
  const scale = () => Math.max(40, Math.min(width / 2 - AROUND, height / 2 - AROUND - LEGEND / 2)) / CORNER;
  const project = (at: Vector): readonly [number, number, number] => {
    const [right, up, near] = turned(at, yaw, pitch);
    return [width / 2 + right * scale(), (height - LEGEND) / 2 - up * scale(), near];
  };
  const line = (from: Vector, to: Vector, kind: string) => {
    const [[x1, y1], [x2, y2]] = [project(from), project(to)];
    return make("line", { x1, y1, x2, y2, class: kind });
  };
  const polygon = (corners: readonly Vector[], kind: string) => make("polygon", { points: corners.map((corner) => project(corner).slice(0, 2).join(",")).join(" "), class: kind });
  /** Moved into the frame where it would leave it. */
  const text = (at: readonly [number, number], words: string, kind: string) => {
    const wide = words.length * LETTER;
    const [before, behind] = kind.includes("upright") ? [wide, 0] : [wide / 2, wide / 2];
    const made = make("text", { x: between(before, at[0], width - behind), y: between(14, at[1], height - 4), class: kind });
    made.textContent = words;
    return made;
  };

  /** The three walls behind everything, with their grid. */
  function walls(): SVGElement[] {
    return ([0, 1, 2] as const).flatMap((axis) => {
      const side = farSide(axis);
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3] as const;
      const corner = (a: number, b: number): Vector => {
        const at = [0, 0, 0];
        [at[axis], at[u], at[v]] = [side, a, b];
        return at as unknown as Vector;
      };
      const grid = TICKS.flatMap((tick) => [line(corner(tick - 0.5, -0.5), corner(tick - 0.5, 0.5), "grid"), line(corner(-0.5, tick - 0.5), corner(0.5, tick - 0.5), "grid")]);
      return [polygon([corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)], "wall"), ...grid];
    });
  }

  /** Where along an axis the walls behind the points stand. */
  function farSide(axis: 0 | 1 | 2): number {
    const unit: [number, number, number] = [0, 0, 0];
    unit[axis] = 0.5;
    return turned(unit, yaw, pitch)[2] > 0 ? -0.5 : 0.5;
  }

  /** The three edges that carry the scales: those of the floor in front, and one upright at the side. */
  function axes(): SVGElement[] {
    const floor = pitch >= 0 ? -0.5 : 0.5;
    const [x, z] = [farSide(0), farSide(2)];
    const upright = project([-x, 0, z])[0] < project([x, 0, -z])[0] ? ([-x, z] as const) : ([x, -z] as const);
    const edges: readonly (readonly [name: string, at: (share: number) => Vector, away: number, kind: string])[] = [
      [t("detection"), (share) => [share, floor, -z], 44, "axis"],
      [t("challenge"), (share) => [-x, floor, share], 44, "axis"],
      [t("fun"), (share) => [upright[0], share, upright[1]], 30, "axis upright"],
    ];
    const middle = [width / 2, (height - LEGEND) / 2] as const;
    return edges.flatMap(([name, at, away, kind]) => {
      const outward = (share: number, by: number): readonly [number, number] => {
        const [px, py] = project(at(share));
        const [mx, my] = project(at(0));
        const [dx, dy] = [mx - middle[0], my - middle[1]];
        const length = Math.hypot(dx, dy) || 1;
        return [px + (dx / length) * by, py + (dy / length) * by + 4];
      };
      return [line(at(-0.5), at(0.5), "edge"), ...[0, 0.5, 1].map((tick) => text(outward(tick - 0.5, 18), decimal(tick, tick % 1 ? 1 : 0), "tick")), text(outward(0, away), name, kind)];
    });
  }

  function yardstick(): SVGElement[] {
    if (human?.detection.share == null) return [];
    const at = human.detection.share - 0.5;
    return [polygon([[at, -0.5, -0.5], [at, 0.5, -0.5], [at, 0.5, 0.5], [at, -0.5, 0.5]], "yardstick")];
  }

  function humans(): SVGElement[] {
    if (human?.detection.share == null || human.fun === null || human.challenge === null) return [];
    const [x, y] = project(place(human.detection.share, human.fun, human.challenge));
    return [make("path", { d: `M${x} ${y - 10}l9 10l-9 10l-9 -10z`, class: "human" }), text([x, y + 25], t("humans"), "label human-label")];
  }

  function point(row: Rated): SVGElement[] {
    const { detection, fun, challenge } = row.rating;
    const at = place(detection, fun, challenge);
    const [x, y, near] = project(at);
    shown.set(row, [x, y]);
    const floor: Vector = [at[0], pitch >= 0 ? -0.5 : 0.5, at[2]];
    const [fx, fy] = project(floor);
    const mark = make("circle", { cx: x, cy: y, r: 5 + 2 * (near + 0.9) * (row === chosen ? 1.3 : 1), class: row === chosen ? "point chosen" : "point" });
    mark.style.fill = generationColour(row.generation, last);
    const reach = row === chosen ? intervals(row) : [];
    const label = row === chosen || (chosen === null && best.has(row)) ? [text([x, y - 13], row.strategy, "label")] : [];
    return [line(at, floor, "drop"), make("circle", { cx: fx, cy: fy, r: 1.6, class: "foot" }), ...reach, mark, ...label];
  }

  function intervals(row: Rated): SVGElement[] {
    const { detection, fun, challenge, intervals: ends } = row.rating;
    return [
      line(place(ends.detection[0], fun, challenge), place(ends.detection[1], fun, challenge), "reach"),
      line(place(detection, ends.fun[0], challenge), place(detection, ends.fun[1], challenge), "reach"),
      line(place(detection, fun, ends.challenge[0]), place(detection, fun, ends.challenge[1]), "reach"),
    ];
  }

  /** Which colour is which generation, in a row below the cube. */
  function generations(): SVGElement[] {
    const step = Math.min(26, (width - 110) / (last + 2));
    const dots = Array.from({ length: last + 1 }, (_, generation) => {
      const mark = make("circle", { cx: 100 + generation * step, cy: height - 12, r: 5, class: "point" });
      mark.style.fill = generationColour(generation, last);
      const named = generation === 0 || generation === last || step > 20;
      return [mark, ...(named ? [text([100 + generation * step + 11, height - 8], String(generation), "tick")] : [])];
    });
    return [text([44, height - 8], t("generation"), "tick"), ...dots.flat()];
  }

  function draw(): void {
    shown = new Map();
    const depth = (row: Rated) => project(place(row.rating.detection, row.rating.fun, row.rating.challenge))[2];
    const ordered = rated.filter((row) => row !== chosen).sort((one, two) => depth(one) - depth(two));
    root.replaceChildren(...walls(), ...axes(), ...yardstick(), ...ordered.flatMap(point), ...humans(), ...(chosen ? point(chosen) : []), ...generations());
  }

  function choose(row: Rated | null): void {
    if (row === chosen) return;
    chosen = row;
    onChoose(row);
    draw();
  }

  function turn(byYaw: number, byPitch: number): void {
    yaw += byYaw;
    pitch = Math.max(-HIGHEST, Math.min(HIGHEST, pitch + byPitch));
    draw();
  }

  function nearest(event: PointerEvent): Rated | null {
    const box = root.getBoundingClientRect();
    const factor = width / (box.width || 1);
    const [x, y] = [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
    let found: Rated | null = null;
    let distance = NEAR;
    for (const [row, [px, py]] of shown) {
      const away = Math.hypot(px - x, py - y);
      if (away < distance) [found, distance] = [row, away];
    }
    return found;
  }

  const TURNS: Record<string, readonly [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
  root.addEventListener("keydown", (event) => {
    const by = TURNS[event.key];
    if (by) turn(...by);
    else if (event.key === "." || event.key === ",") {
      const now = chosen ? rated.indexOf(chosen) : event.key === "." ? -1 : 0;
      choose(rated.at((now + (event.key === "." ? 1 : -1)) % rated.length) ?? null);
    } else if (event.key === "Escape") choose(null);
    else if (event.key === "Enter" && chosen) location.assign(ofGame(`/research/strategies/${encodeURIComponent(chosen.strategy)}`));
    else return;
    event.preventDefault();
  });
  let moved = false;
  root.addEventListener("pointerdown", (event) => {
    moved = false;
    root.setPointerCapture(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (root.hasPointerCapture(event.pointerId)) {
      moved ||= Math.hypot(event.movementX, event.movementY) > 1;
      if (moved) turn(event.movementX * 0.01, event.movementY * 0.01);
    } else choose(nearest(event));
  });
  root.addEventListener("pointerup", (event) => {
    root.releasePointerCapture(event.pointerId);
    if (!moved) choose(nearest(event));
  });

  return {
    svg: root,
    resize(next: number) {
      width = next;
      height = Math.round(Math.min(620, Math.max(360, next * 0.75)));
      for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` } satisfies Attributes)) root.setAttribute(name, String(value));
      draw();
    },
  };
}

/** What is said about a strategy when it is chosen. */
export function told({ strategy, generation, rating }: StrategyRow): string {
  if (!rating) return strategy;
  const said = (value: number, [low, high]: readonly [number, number]) => `${decimal(value)} (${decimal(low)} … ${decimal(high)})`;
  return t("{strategy}, generation {generation}: detection {detection}, fun {fun}, challenge {challenge}, {n} judgements", {
    strategy,
    generation,
    detection: said(rating.detection, rating.intervals.detection),
    fun: said(rating.fun, rating.intervals.fun),
    challenge: said(rating.challenge, rating.intervals.challenge),
    n: rating.judgements,
  });
}
