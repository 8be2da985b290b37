/** Everything that happens on the board, in words: for the status line, the log and the screen reader. */

import { t, tn } from "../i18n";
import { type Field, type Frame, type Layout, type Option, type PieceId, type Seat, STACK, type State, type Step, numberOf, piecesOf, scoresOf, seatOf } from "./model";
import { isRoll, pieceOf } from "./notation";

export function colourOf(seat: Seat): string {
  return [t("Red"), t("Green"), t("Blue")][seat] ?? String(seat);
}

const pieceName = (piece: PieceId): string => t("{colour} {number}", { colour: colourOf(seatOf(piece)), number: numberOf(piece) });

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

const STEP_WORDS: Readonly<Record<Step["kind"], (step: Step, layout: Layout) => string>> = {
  move: (step, layout) => t("{piece} goes to {field}.", { piece: pieceName(step.piece), field: fieldName(step.to, layout) }),
  switch: (step, layout) => t("The switch carries {piece} to {field}.", { piece: pieceName(step.piece), field: fieldName(step.to, layout) }),
  back: (step, layout) => t("{piece} falls back to {field}.", { piece: pieceName(step.piece), field: fieldName(step.to, layout) }),
  jostle: (step, layout) =>
    step.to === STACK
      ? t("{piece} is jostled off the track to the stack.", { piece: pieceName(step.piece) })
      : t("{piece} is jostled to {field}.", { piece: pieceName(step.piece), field: fieldName(step.to, layout) }),
};

const tellSteps = (steps: readonly Step[], layout: Layout): string => steps.map((step) => STEP_WORDS[step.kind](step, layout)).join(" ");

const MOVE_WORDS: Readonly<Record<string, (colour: string) => string>> = {
  again: (colour) => t("{colour} rolls once more.", { colour }),
  keep: (colour) => t("{colour} keeps the six.", { colour }),
  pass: (colour) => t("{colour} cannot move and passes.", { colour }),
};

export function tellFrame(frame: Frame, layout: Layout): string {
  const colour = colourOf(frame.seat);
  if (isRoll(frame.move)) return t("{colour} rolls a {pips}.", { colour, pips: frame.move });
  if (pieceOf(frame.move) !== null) return tellSteps(frame.steps, layout);
  return MOVE_WORDS[frame.move]?.(colour) ?? frame.move;
}

export function tellOption(option: Option, layout: Layout): string {
  return `${t("Piece {number} from {from}:", { number: numberOf(option.piece), from: fieldName(option.from, layout) })} ${tellSteps(option.steps, layout)}`;
}

export const tellLastRound = (turns: number): string => tn("Last round: {n} turn left.", "Last round: {n} turns left.", turns);

/** The whole position, one line per seat. */
export function tellState(state: State, layout: Layout): string[] {
  const scores = scoresOf(state.pieces, layout);
  return [0, 1, 2].map((seat) => {
    const places = piecesOf(seat).map((piece) => fieldName(state.pieces[piece]!, layout)).join(", ");
    return tn("{colour}: {places}; {n} point.", "{colour}: {places}; {n} points.", scores[seat]!, { colour: colourOf(seat), places });
  });
}

export function tellResult(winners: readonly Seat[], you: Seat | null): string {
  if (you !== null && winners.includes(you)) return winners.length > 1 ? t("You share the win.") : t("You win.");
  if (winners.length === 1) return t("{colour} wins.", { colour: colourOf(winners[0]!) });
  return t("{colours} share the win.", { colours: winners.map(colourOf).join(", ") });
}
