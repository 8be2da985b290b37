/** Cells of a square board: "a1" is at the lower left, columns have letters ("z" is followed by "aa"), rows have numbers. */

import type { GridPicture, Happening, Seat } from "../../table/model";

export interface Place {
  /** From 0 at the left. */
  readonly column: number;
  /** From 0 at the bottom. */
  readonly row: number;
}

const LETTERS = 26;

export function columnName(column: number): string {
  const last = String.fromCharCode(97 + (column % LETTERS));
  return column < LETTERS ? last : columnName(Math.floor(column / LETTERS) - 1) + last;
}

export const cellName = ({ column, row }: Place): string => `${columnName(column)}${row + 1}`;

export function placeOf(cell: string): Place | null {
  const found = /^([a-z]+)([1-9]\d*)$/.exec(cell);
  if (!found) return null;
  const column = [...found[1]!].reduce((sum, letter) => sum * LETTERS + letter.charCodeAt(0) - 96, 0) - 1;
  return { column, row: Number(found[2]) - 1 };
}

/** All cells as a screen reads them: row by row from the top. */
export function rowsOf({ columns, rows }: Pick<GridPicture, "columns" | "rows">): string[][] {
  return Array.from({ length: rows }, (_, line) => Array.from({ length: columns }, (_, column) => cellName({ column, row: rows - 1 - line })));
}

const STEPS: Readonly<Record<string, Place>> = {
  ArrowLeft: { column: -1, row: 0 },
  ArrowRight: { column: 1, row: 0 },
  ArrowUp: { column: 0, row: 1 },
  ArrowDown: { column: 0, row: -1 },
};

/** The cell that a key leads to from another one; the same at the edge, null if the key leads nowhere. */
export function cellAfter(key: string, cell: string, { columns, rows }: Pick<GridPicture, "columns" | "rows">): string | null {
  const [from, step] = [placeOf(cell), STEPS[key]];
  if (!from) return null;
  if (key === "Home") return cellName({ ...from, column: 0 });
  if (key === "End") return cellName({ ...from, column: columns - 1 });
  if (!step) return null;
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
  return cellName({ column: within(from.column + step.column, columns), row: within(from.row + step.row, rows) });
}

export interface Piece {
  readonly sign: string;
  readonly seat: Seat;
}

export const piecesOf = ({ pieces }: GridPicture): Map<string, Piece> => new Map(pieces.map(([cell, sign, seat]) => [cell, { sign, seat }]));

/** The pieces after an event: each is taken from its source, if it has one, and put on its target, if it has one. */
export function after(pieces: ReadonlyMap<string, Piece>, [, sign, source, target]: Happening, seat: Seat): Map<string, Piece> {
  const result = new Map(pieces);
  const piece = pieces.get(source) ?? { sign, seat };
  result.delete(source);
  if (target) result.set(target, sign ? { ...piece, sign } : piece);
  return result;
}

/** What hands can do: the cells to begin with, and from each the cells to end at with their moves. */
export class Hands {
  readonly #ways = new Map<string, Map<string, string[]>>();

  constructor(moves: GridPicture["moves"]) {
    for (const [move, source, target] of moves) {
      const targets = this.#ways.get(source) ?? new Map<string, string[]>();
      targets.set(target, [...(targets.get(target) ?? []), move]);
      this.#ways.set(source, targets);
    }
  }

  get sources(): string[] {
    return [...this.#ways.keys()].filter((source) => source !== "");
  }

  /** Where a piece that is held may go; without one, where something may be put. */
  targets(held: string | null): string[] {
    return [...(this.#ways.get(held ?? "")?.keys() ?? [])];
  }

  /** The moves from what is held (or from nowhere) to a cell: several if it also has to be said how. */
  moves(held: string | null, target: string): readonly string[] {
    return this.#ways.get(held ?? "")?.get(target) ?? [];
  }

  /** The cell of the only piece that can move, if all that it can do is one step: arrow keys lead it. */
  get walker(): string | null {
    const [walker, ...others] = [...this.#ways.keys()];
    if (!walker || others.length > 0) return null;
    const from = placeOf(walker)!;
    const near = this.targets(walker).every((target) => {
      const to = placeOf(target)!;
      return Math.abs(to.column - from.column) + Math.abs(to.row - from.row) === 1;
    });
    return near ? walker : null;
  }

  canHold(cell: string): boolean {
    return cell !== "" && this.#ways.has(cell);
  }
}
