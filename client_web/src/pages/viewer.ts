// A match as researchers read it: the replay, and for the move that is shown why the program made it and what others would have done.
import { decimal } from "../plots/format";
import { html } from "../table/dom";
import { t } from "../i18n";
import type { OpenGame } from "../table/game";
import { followAddress, writeAddress } from "../table/address";
import { Replay, type ReplayNote } from "../table/replay";
import { recordingOfMoves } from "../table/recordings";
import { type Trace, TraceLayer, between, tellTraces } from "../table/traces";

interface ReplayPage {
  readonly game: string;
  readonly seats: readonly { readonly seat: number; readonly person: boolean; readonly replaced: boolean }[];
  readonly moves: readonly { readonly ply: number; readonly seat: number; readonly move: string; readonly ms: number }[];
}
interface Explained { readonly ply: number; readonly seat: number; readonly strategy: string; readonly words: string; readonly values: readonly (readonly [string, number])[]; readonly visits: Readonly<Record<string, number>>; readonly move: string; readonly played: boolean }
interface Alternative { readonly ply: number; readonly move: string; readonly strategies: readonly string[] }
interface Judged { readonly seat: number; readonly judge: string; readonly verdict: string; readonly sureness: number | null; readonly right: boolean; readonly aim: string | null; readonly marked_ply: number | null }
interface Notes { readonly explained: readonly Explained[]; readonly alternatives: readonly Alternative[]; readonly judged: readonly Judged[] }

const VERDICTS: Readonly<Record<string, () => string>> = { human: () => t("human"), artificial: () => t("program"), "cannot tell": () => t("cannot tell") };
/** What each move seemed worth and, for players that search, how often they tried it. */
function tableOfValues(game: OpenGame, why: Explained): HTMLElement {
  const searched = Object.keys(why.visits).length > 0;
  const heads = [t("Move"), t("Worth"), ...(searched ? [t("Tried")] : [])].map((word) => html("th", { scope: "col" }, word));
  return html("table", { class: "values" }, html("caption", {}, t("What each move seemed worth, of 100")), html("tr", {}, ...heads), ...why.values.map(([move, value]) =>
    html("tr", {}, html("th", { scope: "row" }, game.move(move)), html("td", { class: "num" }, value.toFixed(0)), ...(searched ? [html("td", { class: "num" }, String(why.visits[move] ?? 0))] : []))));
}

function showDecision(host: HTMLElement, game: OpenGame, page: ReplayPage, notes: Notes, ply: number | null): void {
  const move = page.moves[ply ?? -1];
  const why = notes.explained.find((each) => each.ply === ply);
  if (!move) return host.replaceChildren(html("p", { class: "soft" }, t("Step through the match to see why each program moved as it did.")));
  const seconds = html("p", { class: "soft num" }, t("{colour}, after {n} s", { colour: game.name(move.seat), n: decimal(move.ms / 1000, 1) }));
  const parts: HTMLElement[] = [seconds];
  if (why) parts.push(html("p", {}, html("strong", {}, why.strategy)), html("p", { lang: "en" }, why.words));
  if (why?.values.length) parts.push(tableOfValues(game, why));
  if (!why) parts.push(html("p", {}, page.seats.some(({ seat, person }) => person && seat === move.seat) ? t("A human moved here.") : t("The program had nothing to choose.")));
  if (why && !why.played) parts.push(html("p", { class: "error" }, t("Computed again, the strategy would play: {move}", { move: game.move(why.move) })));
  host.replaceChildren(...parts);
}

function showAlternatives(host: HTMLElement, game: OpenGame, page: ReplayPage, notes: Notes, ply: number | null): void {
  const here = notes.alternatives.filter((each) => each.ply === ply);
  if (!here.length) return host.replaceChildren(...(ply === null ? [] : [html("p", { class: "soft" }, t("There was nothing to choose."))]));
  const played = page.moves[ply ?? -1]?.move;
  host.replaceChildren(html("dl", {}, ...here.flatMap((each) => [
    html("dt", {}, game.move(each.move) + (each.move === played ? ` ${t("(played)")}` : "")),
    html("dd", {}, each.strategies.join("; ")),
  ])));
}

function showJudged(host: HTMLElement, game: OpenGame, judged: readonly Judged[], jump: (ply: number) => void): void {
  if (!judged.length) return host.replaceChildren(html("p", { class: "soft" }, t("Nobody has judged this match yet.")));
  host.replaceChildren(html("ul", { class: "plain" }, ...judged.map((each) => {
    const judge = html("a", { href: `/research/persons/${encodeURIComponent(each.judge)}` }, each.judge);
    const line = html("li", {}, game.mark(each.seat), ` ${game.name(each.seat)}: ${VERDICTS[each.verdict]?.() ?? each.verdict}`,
      each.sureness === null ? "" : ` (${each.sureness}\u00a0%)`, " ", html("span", { class: each.right ? "badge good" : "badge" }, each.right ? t("right") : t("wrong")), html("br"), html("small", {}, judge));
    if (each.aim) line.append(html("blockquote", {}, each.aim));
    if (each.marked_ply !== null) {
      const ply = each.marked_ply;
      const link = html("button", { type: "button", class: "link-button" }, t("the move that gave it away"));
      link.addEventListener("click", () => jump(ply));
      line.append(" ", link);
    }
    return line;
  })));
}

/** From the seat's decision before this one to this one, in ms since the match began. */
function momentsAround(moves: ReplayPage["moves"], ply: number | null): [number, number] {
  let [at, from, to] = [0, 0, 0];
  for (const move of moves) {
    at += move.ms;
    if (move.ply === ply) to = at;
    else if (move.seat >= 0 && move.ply < (ply ?? 0)) from = at;
  }
  return [from, to];
}

/** The longest pause of a seat's person before a move; 0 where nothing is known. */
function longestPause(traces: readonly Trace[], moves: ReplayPage["moves"], ply: number, seat: number): number {
  const [from, to] = momentsAround(moves, ply);
  return Math.max(0, ...traces.filter((trace) => trace.seat === seat).flatMap((trace) => between(trace, from, to).pauses.map(([, ms]) => ms)));
}

function timeOf(ms: number, pause: number): string {
  const n = decimal(ms / 1000, 1);
  return pause > 0 ? t("{n} s, {pause} s of them a pause", { n, pause: decimal(pause / 1000, 1) }) : t("{n} s", { n });
}

async function start(host: HTMLElement): Promise<void> {
  const page = JSON.parse(host.dataset.replay ?? "") as ReplayPage;
  const decision = document.querySelector<HTMLElement>("#decision")!;
  const alternatives = document.querySelector<HTMLElement>("#alternatives")!;
  let notes: Notes = { explained: [], alternatives: [], judged: [] };
  const [recording, response, traced] = await Promise.all([
    recordingOfMoves(page.game, page.moves.map(({ move }) => move)),
    fetch(`/api/research/matches/${host.dataset.match}/notes`, { headers: { accept: "application/json" } }),
    fetch(`/api/research/matches/${host.dataset.match}/traces`, { headers: { accept: "application/json" } }),
  ]);
  if (response.ok) notes = (await response.json()) as Notes;
  const loud: ReplayNote[] = notes.judged.flatMap((each) => (each.marked_ply === null ? [] : [{ ply: each.marked_ply, kind: "mark" as const, text: t("marked by {judge}", { judge: each.judge }) }]));
  const traces = traced.ok ? ((await traced.json()) as Trace[]) : [];
  const used = document.querySelector<HTMLElement>("#traces")!;
  let layer: TraceLayer | null = null;
  const showTraces = (ply: number | null): void => {
    if (!traces.length) return used.replaceChildren(html("p", { class: "soft" }, t("Nobody at this table agreed to the record, or nobody touched the board.")));
    const [from, to] = ply === null ? [0, page.moves.reduce((sum, { ms }) => sum + ms, 0)] : momentsAround(page.moves, ply);
    const here = ply === null ? traces : traces.map((each) => between(each, from, to));
    layer?.show(here);
    used.replaceChildren(html("p", { class: "soft" }, ply === null ? t("The whole match") : t("Since the decision before")), tellTraces(recording.game, here, from, to));
  };
  const wanted = location.hash; // the replay's first word about itself is the beginning
  const replay: Replay = new Replay(host, recording, {
    you: null,
    notes: [...loud, ...page.moves.filter(({ seat }) => seat >= 0).map(({ ply, seat, ms }) => ({ ply, kind: "time" as const, text: timeOf(ms, longestPause(traces, page.moves, ply, seat)) }))],
    onPly: (ply) => {
      showDecision(decision, recording.game, page, notes, ply);
      showAlternatives(alternatives, recording.game, page, notes, ply);
      showTraces(ply);
      queueMicrotask(() => writeAddress(replay));
    },
  });
  layer = new TraceLayer(replay.room, () => replay.place());
  showTraces(replay.ply);
  followAddress(replay, wanted);
  // The back button, or a link to another move of this match.
  window.addEventListener("hashchange", () => followAddress(replay));
  showJudged(document.querySelector<HTMLElement>("#judged")!, recording.game, notes.judged, (ply) => replay.jumpToPly(ply));
}

const host = document.querySelector<HTMLElement>("#replay");
if (host) void start(host);
