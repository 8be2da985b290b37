/** The rules in pictures: positions drawn by the game's own board, into the places that a page has for them. */

import { html } from "./dom";
import { type Lesson, type OpenGame, openGame } from "./game";
import { createMotion } from "./motion";
import type { Sounds } from "./sounds";
import { Tray } from "./tray";

const SILENT: Sounds = { on: false, play: () => undefined };

/** Draws every list of pictures below an element; what has been drawn stays. */
export async function drawPictures(root: ParentNode): Promise<void> {
  for (const list of root.querySelectorAll<HTMLElement>(".rule-pictures[data-game]")) {
    const game = await openGame(list.dataset["game"]!);
    for (const figure of list.querySelectorAll<HTMLElement>("figure[data-lesson]")) {
      const lesson = game.card.lessons?.find(({ key }) => key === figure.dataset["lesson"]);
      const place = figure.querySelector<HTMLElement>(".rule-board:empty");
      if (lesson && place) draw(place, game, lesson);
    }
  }
}

/** The board after what is played, which leaves its trail. The words beside it say what is to be seen. */
function draw(place: HTMLElement, game: OpenGame, { before, update }: Lesson): void {
  const room = html("div", { class: "board-room", inert: true });
  place.dataset["board"] = game.card.board;
  place.append(room);
  const nothing = (): void => undefined;
  const view = game.board.createView({
    game,
    you: 0,
    watching: true,
    room,
    tray: new Tray(nothing),
    motion: createMotion(Infinity),
    sounds: SILENT,
    note: nothing,
    say: nothing,
    notice: nothing,
    turn: nothing,
    answer: nothing,
  });
  view.show(update.after, update.moves.length > 0 ? { update, before } : null);
}
