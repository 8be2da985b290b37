/** Everything that happens on the board, in words: for the status line, the log and the screen reader. */

import { t, tn } from "../../i18n";
import type { Seat } from "../../table/model";
import { type Field, type Frame, type Layout, type Option, type PieceId, STACK, type State, type Step, numberOf, piecesOf, scoresOf, seatOf } from "./model";
import { isRoll, pieceOf } from "./notation";

export function fieldName(field: Field, layout: Layout): string {
  if (field === STACK) return t("the stack");
  if (field === 0) return t("START");
  const goal = layout.goals.find(([at]) => at === field);
  if (goal) return t("goal {points}", { points: goal[1] });
  if (layout.switches.some((pair) => pair.includes(field))) return t("switch {field}", { field });
  if (layout.backs.some(([from]) => from === field)) return t("minus-three field {field}", { field });
  return t("field {field}", { field });
}

/** For narrow buttons, where the board beside it tells the rest. */
export function shortFieldName(field: Field, layout: Layout): string {
  const goal = layout.goals.find(([at]) => at === field);
  return goal ? `★ ${goal[1]}` : field === 0 ? t("START") : String(field);
}

export const tellLastRound = (turns: number): string => tn("Last round: {n} turn left.", "Last round: {n} turns left.", turns);

const STEP_WORDS: Readonly<Record<Step["kind"], (piece: string, field: string) => string>> = {
  move: (piece, field) => t("{piece} goes to {field}.", { piece, field }),
  switch: (piece, field) => t("The switch carries {piece} to {field}.", { piece, field }),
  back: (piece, field) => t("{piece} falls back to {field}.", { piece, field }),
  jostle: (piece, field) => t("{piece} is jostled to {field}.", { piece, field }),
};

const MOVE_WORDS: Readonly<Record<string, (colour: string) => string>> = {
  again: (colour) => t("{colour} rolls once more.", { colour }),
  keep: (colour) => t("{colour} keeps the six.", { colour }),
  pass: (colour) => t("{colour} cannot move and passes.", { colour }),
};

export class Words {
  constructor(
    private readonly layout: Layout,
    private readonly colour: (seat: Seat) => string,
  ) {}

  frame(frame: Frame): string {
    const colour = this.colour(frame.seat);
    if (isRoll(frame.move)) return t("{colour} rolls a {pips}.", { colour, pips: frame.move });
    if (pieceOf(frame.move) !== null) return this.#steps(frame.steps);
    return MOVE_WORDS[frame.move]?.(colour) ?? frame.move;
  }

  option(option: Option): string {
    return `${t("Piece {number} from {from}:", { number: numberOf(option.piece), from: fieldName(option.from, this.layout) })} ${this.#steps(option.steps)}`;
  }

  /** The whole position, a sentence per seat. */
  state(state: State): string {
    const scores = scoresOf(state.pieces, this.layout);
    const lines = scores.map((score, seat) => {
      const places = piecesOf(seat).map((piece) => fieldName(state.pieces[piece]!, this.layout)).join(", ");
      return tn("{colour}: {places}; {n} point.", "{colour}: {places}; {n} points.", score, { colour: this.colour(seat), places });
    });
    return lines.join(" ");
  }

  #piece(piece: PieceId): string {
    return t("{colour} {number}", { colour: this.colour(seatOf(piece)), number: numberOf(piece) });
  }

  #steps(steps: readonly Step[]): string {
    return steps.map((step) => this.#step(step)).join(" ");
  }

  #step(step: Step): string {
    const piece = this.#piece(step.piece);
    if (step.kind === "jostle" && step.to === STACK) return t("{piece} is jostled off the track to the stack.", { piece });
    return STEP_WORDS[step.kind](piece, fieldName(step.to, this.layout));
  }
}
