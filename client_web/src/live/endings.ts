/** How a match ended and what decided it: beside the board when it is over for this player, and whenever it is seen again. */

import { t, tn } from "../i18n";
import { html } from "../table/dom";
import type { OpenGame } from "../table/game";
import { CHANCE, type Seat } from "../table/model";
import { tellResult } from "../table/words";
import type { Ended } from "../wire";

/** What the server reads from the record of a match that is over: server.live.records.matches.MatchCourse. */
export interface Course {
  readonly you: Seat | null;
  readonly scores: readonly number[];
  readonly winners: readonly Seat[];
  readonly decisions: number;
  readonly lead: { readonly ply: number; readonly number: number; readonly seat: Seat; readonly leaders: readonly Seat[] } | null;
  readonly lead_changes: number;
  readonly scored: readonly { readonly ply: number; readonly number: number; readonly seat: Seat; readonly gains: readonly number[] }[];
}

/** Of the moves that brought points the last ones are told: there may be hundreds. */
const LAST_GOALS = 5;

/** What decided a match; null where nobody can tell now, which spoils nothing else. */
export async function courseOf(match: string): Promise<Course | null> {
  const response = await fetch(`/api/matches/${match}/course`, { headers: { accept: "application/json" } }).catch(() => null);
  return response?.ok ? ((await response.json()) as Course) : null;
}

export function endPanel(game: OpenGame, message: Ended, you: Seat): HTMLElement {
  return html(
    "section",
    { class: "end-panel", "aria-labelledby": "end-title" },
    ...result(game, message, you),
    html("a", { class: "button primary", href: message.next }, t("To the questionnaire")),
  );
}

/** The same for a match that is seen again; `show` brings the board to a move. */
export function resultPanel(game: OpenGame, course: Course, show: (ply: number) => void): HTMLElement {
  return html("section", { class: "end-panel again", "aria-labelledby": "end-title" }, html("div", {}, ...result(game, course, course.you)), decided(game, course, show));
}

function result(game: OpenGame, { scores, winners }: Pick<Course, "scores" | "winners">, you: Seat | null): HTMLElement[] {
  const ranks = scores.map((score, seat) => ({ score, seat })).sort((a, b) => b.score - a.score);
  const lines = ranks.map(({ score, seat }) => {
    const name = seat === you ? t("{colour} (you)", { colour: game.name(seat) }) : game.name(seat);
    return html("li", winners.includes(seat) ? { class: "winner" } : {}, game.mark(seat), html("span", { class: "end-name" }, name), tn("{n} point", "{n} points", score));
  });
  return [html("h2", { id: "end-title" }, tellResult(game, winners, you)), html("ol", { class: "end-scores" }, ...lines)];
}

/** What decided it, in a sentence or two and the last moves that brought points. */
export function decided(game: OpenGame, course: Course, show: ((ply: number) => void) | null = null): HTMLElement {
  const { lead, lead_changes: changes, decisions, scored, winners } = course;
  const goals = scored.slice(-LAST_GOALS).map((goal) => {
    const gains = goal.gains.flatMap((gain, seat) => (gain === 0 ? [] : [`${game.name(seat)} ${gain > 0 ? "+" : "−"}${Math.abs(gain)}`]));
    return html("li", {}, moveLink(goal.ply, goal.number, show), ` ${gains.join(", ")}`);
  });
  return html(
    "div",
    { class: "end-decided" },
    html("h3", {}, t("What decided it")),
    ...(winners.length === 0 ? [html("p", {}, t("Nobody was ahead at the end."))] : lead?.leaders.join() === winners.join() ? [html("p", {}, tellLead(game, lead, decisions))] : []),
    ...(changes > 0 ? [html("p", {}, tn("The lead changed hands {n} time.", "The lead changed hands {n} times.", changes))] : []),
    ...(scored.length > 1 ? [html("p", {}, scored.length > LAST_GOALS ? t("The last moves that brought points:") : t("The moves that brought points:")), html("ol", { class: "end-goals" }, ...goals)] : []),
  );
}

function tellLead(game: OpenGame, { number, seat, leaders }: NonNullable<Course["lead"]>, decisions: number): string {
  const who = leaders.map((leader) => game.name(leader)).join(", ");
  if (number >= decisions) return t("It was open to the last move.");
  if (seat !== CHANCE && !leaders.includes(seat)) return t("{who} came into the lead with move {number} of {all}, by {other}, and kept it.", { who, number, all: decisions, other: game.name(seat) });
  return t("{who} took the lead with move {number} of {all} and kept it.", { who, number, all: decisions });
}

function moveLink(ply: number, number: number, show: ((ply: number) => void) | null): HTMLElement {
  const words = t("Move {number}", { number });
  if (!show) return html("span", { class: "num" }, words);
  const button = html("button", { type: "button", class: "button quiet" }, words);
  button.onclick = () => show(ply);
  return button;
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
