/** A game as a page needs it: what people call it, and the view that draws it, which is loaded when it is needed. */

import type { Moment, Seat, Update } from "./model";
import { tokenIcon } from "./tokens";
import type { BoardModule } from "./view";

/** What the server tells about a game, in the page's language. */
export interface GameCard {
  readonly reference: string;
  readonly title: string;
  /** The folder of src/games that draws it. */
  readonly board: string;
  /** One letter or word per seat, as the rules write it. */
  readonly letters: readonly string[];
  /** What people call the seats. */
  readonly seats: readonly string[];
  /** What its board has to know once. */
  readonly setup: unknown;
  /** What there is to learn about it, in the order in which it is best learnt. */
  readonly lessons?: readonly Lesson[];
}

/** One thing to learn: told when it first happens in a coached game, and drawn beside the rules. */
export interface Lesson {
  readonly key: string;
  /** `start`, or `event`, `offer` or `position` and a pattern (games/protocol.py); empty for what is only drawn. */
  readonly when: string;
  readonly heading: string;
  readonly text: string;
  /** What shows it: a moment, and what is played there. */
  readonly before: Moment;
  readonly update: Update & { readonly after: Moment };
}

/** Shows every game: what there is for one without a view of its own. */
const FALLBACK = "facts";

export class OpenGame {
  constructor(
    readonly card: GameCard,
    readonly board: BoardModule,
  ) {}

  /** What a seat is called, as a sentence begins with it. */
  name(seat: Seat): string {
    const name = this.card.seats[seat] ?? String(seat);
    return name.slice(0, 1).toUpperCase() + name.slice(1);
  }

  /** A move in a few words. */
  move(move: string): string {
    return this.board.nameMove?.(move) ?? move;
  }

  /** A seat's mark, to stand in a line of text. */
  mark(seat: Seat): SVGSVGElement {
    return this.board.mark?.(seat, this.card) ?? tokenIcon(seat);
  }
}

const opened = new Map<string, Promise<OpenGame>>();

/** The game of a reference; asked from the server once per page. */
export function openGame(reference: string): Promise<OpenGame> {
  const known = opened.get(reference);
  if (known) return known;
  const opening = open(reference);
  opened.set(reference, opening);
  opening.catch(() => opened.delete(reference)); // another attempt may succeed
  return opening;
}

async function open(reference: string): Promise<OpenGame> {
  const response = await fetch(`/api/games/${encodeURIComponent(reference)}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return gameOf((await response.json()) as GameCard);
}

/** A game that nobody has to be asked about. */
export async function gameOf(card: GameCard): Promise<OpenGame> {
  return new OpenGame(card, await loadBoard(card.board));
}

async function loadBoard(name: string): Promise<BoardModule> {
  try {
    return (await import(`../games/${name}/view.ts`)) as BoardModule;
  } catch (error) {
    if (error instanceof TypeError) throw error; // it could not be fetched; a lost connection must not change the board's shape
    return (await import(`../games/${FALLBACK}/view.ts`)) as BoardModule;
  }
}
