/** What stands beside the board when a match is over for this player. */

import { t, tn } from "../i18n";
import { html } from "../table/dom";
import type { OpenGame } from "../table/game";
import type { Seat } from "../table/model";
import { tellResult } from "../table/words";
import type { Ended } from "../wire";

export function endPanel(game: OpenGame, message: Ended, you: Seat): HTMLElement {
  const ranks = message.scores.map((score, seat) => ({ score, seat })).sort((a, b) => b.score - a.score);
  const lines = ranks.map(({ score, seat }) => {
    const name = seat === you ? t("{colour} (you)", { colour: game.name(seat) }) : game.name(seat);
    return html("li", message.winners.includes(seat) ? { class: "winner" } : {}, game.mark(seat), html("span", { class: "end-name" }, name), tn("{n} point", "{n} points", score));
  });
  return html(
    "section",
    { class: "end-panel", "aria-labelledby": "end-title" },
    html("h2", { id: "end-title" }, tellResult(game, message.winners, you)),
    html("ol", { class: "end-scores" }, ...lines),
    html("a", { class: "button primary", href: message.next }, t("To the questionnaire")),
  );
}

export function replacedPanel(): HTMLElement {
  return html(
    "section",
    { class: "end-panel" },
    html("h2", {}, t("A stand-in plays on for you.")),
    html("p", {}, t("You were away for too long, so your seat is played to the end by a program. You can play another match at any time.")),
    html("a", { class: "button primary", href: "/lobby" }, t("Play another match")),
  );
}
