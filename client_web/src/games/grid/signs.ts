/**
 * What stands on a square: some signs are drawn, everything else is a disc in the colour of its seat, with a figure if the sign ends with the
 * name of one (`whiteking`), else with its letters.
 */

import { t } from "../../i18n";
import type { Seat } from "../../table/model";
import { svg } from "../../table/svg";

type Drawing = (seat: Seat) => SVGElement;

const DRAWN: Readonly<Record<string, Drawing>> = {
  x: () => svg("path", { class: "sign-line", d: "M -0.24 -0.24 L 0.24 0.24 M 0.24 -0.24 L -0.24 0.24" }),
  o: () => svg("circle", { class: "sign-line", r: 0.26 }),
  leaf: () =>
    svg(
      "g",
      { transform: "rotate(-38)" },
      svg("path", { class: "leaf-body", d: "M -0.34 0 C -0.16 -0.3 0.18 -0.27 0.34 0 C 0.18 0.27 -0.16 0.3 -0.34 0 Z" }),
      svg("path", { class: "leaf-veins", d: "M -0.42 0 L 0.3 0 M -0.12 0 L 0.02 -0.15 M -0.12 0 L 0.02 0.15 M 0.06 0 L 0.17 -0.12 M 0.06 0 L 0.17 0.12" }),
    ),
  stone: () =>
    svg(
      "g",
      {},
      svg("path", { class: "stone-body", d: "M -0.4 0.24 C -0.46 -0.02 -0.28 -0.3 -0.02 -0.33 C 0.26 -0.36 0.44 -0.08 0.4 0.22 C 0.38 0.36 -0.36 0.38 -0.4 0.24 Z" }),
      svg("path", { class: "stone-light", d: "M -0.24 -0.06 C -0.18 -0.2 -0.06 -0.24 0.06 -0.24" }),
    ),
  beetle: () =>
    svg(
      "g",
      {},
      svg("path", { class: "beetle-legs", d: "M -0.42 -0.16 L 0.42 -0.16 M -0.45 0.06 L 0.45 0.06 M -0.38 0.3 L 0.38 0.3 M -0.08 -0.36 L -0.18 -0.46 M 0.08 -0.36 L 0.18 -0.46" }),
      svg("circle", { class: "beetle-head", cy: -0.27, r: 0.14 }),
      svg("ellipse", { class: "beetle-body", cy: 0.08, rx: 0.28, ry: 0.32 }),
      svg("path", { class: "beetle-back", d: "M 0 -0.22 L 0 0.38 M -0.12 -0.02 L -0.12 0 M 0.12 -0.02 L 0.12 0 M -0.13 0.18 L -0.13 0.2 M 0.13 0.18 L 0.13 0.2" }),
    ),
};

/** What a sign that belongs to nobody is called. */
const NAMES: Readonly<Record<string, () => string>> = { leaf: () => t("leaf"), stone: () => t("stone") };

interface Figure {
  readonly glyph: string;
  readonly name: () => string;
}

const AS_TEXT = "\ufe0e"; // and not as a coloured picture
const FIGURES: Readonly<Record<string, Figure>> = {
  king: { glyph: `♚${AS_TEXT}`, name: () => t("king") },
  queen: { glyph: `♛${AS_TEXT}`, name: () => t("queen") },
  rook: { glyph: `♜${AS_TEXT}`, name: () => t("rook") },
  bishop: { glyph: `♝${AS_TEXT}`, name: () => t("bishop") },
  knight: { glyph: `♞${AS_TEXT}`, name: () => t("knight") },
  pawn: { glyph: `♟${AS_TEXT}`, name: () => t("pawn") },
  man: { glyph: "", name: () => t("man") },
};

/** The figure that a sign names after the name of its seat. */
export function figureOf(sign: string): Figure | null {
  const kind = Object.keys(FIGURES).find((name) => sign.length > name.length && sign.endsWith(name));
  return kind === undefined ? null : FIGURES[kind]!;
}

export const signName = (sign: string): string => NAMES[sign]?.() ?? figureOf(sign)?.name() ?? sign;

function disc(sign: string): SVGElement {
  const figure = figureOf(sign);
  return svg(
    "g",
    {},
    svg("circle", { class: "disc-body", r: 0.33, cy: 0.04 }),
    svg("circle", { class: "disc-face", r: 0.33 }),
    figure
      ? svg("text", { class: "disc-letter", y: 0.18, "font-size": 0.5 }, figure.glyph)
      : svg("text", { class: "disc-letter", y: 0.13, "font-size": [...sign].length > 1 ? 0.26 : 0.36 }, [...sign].slice(0, 3).join("")),
  );
}

export const isDrawn = (sign: string): boolean => sign.toLowerCase() in DRAWN;

export function drawSign(sign: string, seat: Seat): SVGElement {
  const group = svg("g", { class: seat >= 0 ? `sign seat-${seat}` : "sign" });
  group.append(DRAWN[sign.toLowerCase()]?.(seat) ?? disc(sign));
  return group;
}
