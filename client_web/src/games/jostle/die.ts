/** The die (and after a six the second one), drawn with pips; a roll is seen tumbling before it lies. */

import type { Seat } from "../../table/model";
import { type Motion, easeOut } from "../../table/motion";
import type { Sounds } from "../../table/sounds";
import { path, svg } from "../../table/svg";
import { DIE } from "./sounds";

const LEFT = -0.24;
const RIGHT = 0.24;
type Pip = readonly [number, number];
const CORNERS: readonly Pip[] = [[LEFT, LEFT], [RIGHT, RIGHT], [RIGHT, LEFT], [LEFT, RIGHT]];
const SIDES: readonly Pip[] = [[LEFT, 0], [RIGHT, 0]];
const CENTRE: readonly Pip[] = [[0, 0]];
const PIPS: Readonly<Record<number, readonly Pip[]>> = {
  1: CENTRE,
  2: CORNERS.slice(0, 2),
  3: [...CORNERS.slice(0, 2), ...CENTRE],
  4: CORNERS,
  5: [...CORNERS, ...CENTRE],
  6: [...CORNERS, ...SIDES],
};
const TUMBLES = 7;

export class Dice {
  readonly element = svg("svg", { class: "dice", viewBox: "-0.62 -0.62 1.24 1.24", "aria-hidden": "true" });
  #values: number[] = [];

  constructor(
    private readonly motion: Motion,
    private readonly sounds?: Sounds,
  ) {
    this.show([], null);
  }

  /** Lies still: no value, one, or a six with the second roll. */
  show(values: readonly number[], seat: Seat | null): void {
    this.#values = [...values];
    const dice = values.length > 0 ? values : [0];
    this.element.setAttribute("viewBox", dice.length > 1 ? "-0.62 -0.62 2.4 1.24" : "-0.62 -0.62 1.24 1.24");
    this.element.setAttribute("class", seat === null ? "dice" : `dice seat-${seat}`);
    this.element.replaceChildren(...dice.map((value, index) => drawDie(value, index)));
  }

  async roll(value: number, seat: Seat, second: boolean): Promise<void> {
    const kept = second ? this.#values.slice(0, 1) : [];
    this.sounds?.play(DIE);
    let shown = -1;
    this.show([...kept, value], seat);
    const die = this.element.lastElementChild as SVGGElement;
    await this.motion.run(620, (part) => {
      const tumble = Math.min(TUMBLES, Math.floor(easeOut(part) * (TUMBLES + 1)));
      if (tumble !== shown) {
        shown = tumble;
        // The faces shown on the way are for the eye only; the last one is the value.
        fill(die, tumble >= TUMBLES ? value : ((value + 2 * (TUMBLES - tumble)) % 6) + 1);
      }
      const rest = 1 - easeOut(part);
      const x = kept.length * 1.16;
      die.setAttribute("transform", path`translate(${x - rest * 0.5} ${-Math.abs(Math.sin(part * Math.PI * 2.5)) * rest * 0.5}) rotate(${-rest * 320})`);
    });
    this.show([...kept, value], seat);
  }
}

function drawDie(value: number, index: number): SVGGElement {
  const die = svg("g", { class: value === 0 ? "die die-blank" : "die", transform: path`translate(${index * 1.16} 0)` });
  fill(die, value);
  return die;
}

function fill(die: SVGGElement, value: number): void {
  die.replaceChildren(
    svg("rect", { class: "die-body", x: -0.5, y: -0.46, width: 1, height: 1, rx: 0.2 }),
    svg("rect", { class: "die-face", x: -0.5, y: -0.5, width: 1, height: 1, rx: 0.2 }),
    ...(PIPS[value] ?? []).map(([x, y]) => svg("circle", { class: "die-pip", cx: x, cy: y, r: 0.095 })),
  );
}
