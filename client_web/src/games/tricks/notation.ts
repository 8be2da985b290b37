/** Reads the exact text of a position, `1,5,9,11/2,3,4,10 12-6 9~`, as games/tricks writes it; "?" is a card that is not seen. */

export type Card = string;
export const HIDDEN: Card = "?";

export interface State {
  /** By seat, from the lowest card on. */
  readonly hands: readonly (readonly Card[])[];
  /** What each seat laid, trick by trick. */
  readonly tricks: readonly (readonly [Card, Card])[];
  /** What the first seat has laid while the second has not; it is still among its cards. */
  readonly laid: Card | null;
}

export const NUMBER_OF_TRICKS = 5;

export class NotationError extends Error {}

export function readPosition(text: string): State {
  const found = /^(\S+)\/(\S+) (\S+)(?: (\S+)~)?$/.exec(text.trim());
  if (!found) throw new NotationError(`a position has two hands and tricks, not ${JSON.stringify(text)}`);
  const cards = (held: string): Card[] => (held === "-" ? [] : held.split(","));
  const tricks = found[3] === "-" ? [] : found[3]!.split(",").map((pair) => pair.split("-") as [Card, Card]);
  return { hands: [cards(found[1]!), cards(found[2]!)], tricks, laid: found[4] ?? null };
}

/** Who takes a trick: the higher card. */
export const takerOf = ([left, right]: readonly [Card, Card]): number => (Number(left) > Number(right) ? 0 : 1);

/** The first trick is worth one point, the second two, and so on. */
export function scoresOf({ tricks }: State): number[] {
  const scores = [0, 0];
  tricks.forEach((trick, index) => (scores[takerOf(trick)]! += index + 1));
  return scores;
}

/** A hand without a card that was laid: one that is seen, or any of those that are not. */
export function without(hand: readonly Card[], card: Card): Card[] {
  const at = hand.includes(card) ? hand.indexOf(card) : hand.indexOf(HIDDEN);
  return hand.filter((_, index) => index !== at);
}
