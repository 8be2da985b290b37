/** What stands between a table and the board of a game: a folder of src/games has a `view.ts` that is a BoardModule. */

import type { GameCard, OpenGame } from "./game";
import type { Moment, Option, Played, Question, Seat, Update } from "./model";
import type { Motion } from "./motion";
import type { Sounds } from "./sounds";
import type { Tray } from "./tray";

export interface BoardModule {
  createView(stage: Stage): BoardView;
  /** The mark of a seat, if the game has better ones than the shapes that all games share. */
  mark?(seat: Seat, card: GameCard): SVGSVGElement;
  /** A move in a few words, where its text needs some. */
  nameMove?(move: string): string;
}

/** What a table offers to the view that plays on it. */
export interface Stage {
  readonly game: OpenGame;
  readonly you: Seat | null;
  /** Whether nobody is asked here. */
  readonly watching: boolean;
  /** Where the board goes. */
  readonly room: HTMLElement;
  /** The line that says what is going on, and the buttons of whoever is asked. */
  readonly tray: Tray;
  readonly motion: Motion;
  readonly sounds: Sounds;
  /** Says something that happened and keeps it in the log. */
  note(text: string, seat?: Seat): void;
  /** Says something that is not worth keeping. */
  say(text: string): void;
  /** A line that stays until it is replaced or taken away. */
  notice(text: string | null): void;
  /** Marks whose turn it is while something is being shown. */
  turn(seats: readonly Seat[]): void;
  /** The choice of the player who was asked. */
  answer(move: string): void;
}

export interface BoardView {
  /** How the board is drawn, in a few words that are kept with the match; a board has one shape per game, whatever the room. */
  readonly shape: string;
  /** Where on the page the board itself is drawn now. */
  place(): DOMRect;
  /** Shows a moment at once; `last` is what led there. */
  show(moment: Moment, last: Played | null): void;
  /** Shows what was played after what is shown, and tells it; ends early when another moment is shown. */
  perform(update: Update): Promise<void>;
  /** Offers the legal moves; gives the question in words. */
  ask(question: Question): string;
  /** More is known about the moves of the open question. */
  improve(options: readonly Option[]): void;
  /** Takes back whatever was offered. */
  withdraw(): void;
  /** The player has chosen, and others have not yet. */
  seal(move: string): void;
  /** The whole moment in words. */
  describe(moment: Moment): string;
  /** What was played, in words. */
  tell(played: Played): string;
  /** A key was pressed that no control took; whether it meant something. */
  key?(key: string): boolean;
  /** Points so far, where the board shows them. */
  scores?(moment: Moment): readonly number[] | null;
  /** Whose turn it is, where a turn is more than choosing. */
  turn?(moment: Moment): readonly Seat[];
}
