/** What is said about every game alike. */

import { t } from "../i18n";
import type { OpenGame } from "./game";
import type { Seat } from "./model";

const list = (game: OpenGame, seats: readonly Seat[]): string => seats.map((seat) => game.name(seat)).join(", ");

export function tellResult(game: OpenGame, winners: readonly Seat[], you: Seat | null): string {
  if (winners.length === 0) return t("Nobody wins.");
  if (you !== null && winners.includes(you)) return winners.length > 1 ? t("You share the win.") : t("You win.");
  return winners.length === 1 ? t("{colour} wins.", { colour: list(game, winners) }) : t("{colours} share the win.", { colours: list(game, winners) });
}

export function tellTurn(game: OpenGame, seats: readonly Seat[], over: boolean): string {
  if (over) return t("The game is over.");
  if (seats.length > 1) return t("{colours} choose at the same time.", { colours: list(game, seats) });
  return seats.length === 1 ? t("It is {colour}'s turn.", { colour: list(game, seats) }) : "";
}
