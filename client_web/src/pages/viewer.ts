// A match as researchers read it: the replay, and for the move that is shown why the program made it and what others would have done.
import { html } from "../board/dom";
import { tokenIcon } from "../board/pieces";
import { colourOf } from "../board/words";
import { t } from "../i18n";
import { Replay, type ReplayNote } from "../replay";
import { recordingOfMoves } from "../replay_data";

interface ReplayPage {
  readonly game: string;
  readonly layout: string;
  readonly seats: readonly { readonly seat: number; readonly person: boolean; readonly replaced: boolean }[];
  readonly moves: readonly { readonly ply: number; readonly seat: number; readonly move: string; readonly ms: number }[];
}
interface Explained { readonly ply: number; readonly seat: number; readonly strategy: string; readonly words: string; readonly move: string; readonly played: boolean }
interface Alternative { readonly ply: number; readonly move: string; readonly strategies: readonly string[] }
interface Judged { readonly seat: number; readonly judge: string; readonly verdict: string; readonly sureness: number | null; readonly right: boolean; readonly aim: string | null; readonly marked_ply: number | null }
interface Notes { readonly explained: readonly Explained[]; readonly alternatives: readonly Alternative[]; readonly judged: readonly Judged[] }

const VERDICTS: Readonly<Record<string, () => string>> = { human: () => t("human"), artificial: () => t("program"), "cannot tell": () => t("cannot tell") };
const MOVES: Readonly<Record<string, () => string>> = { again: () => t("roll again"), keep: () => t("keep the six"), pass: () => t("pass") };

const nameOf = (move: string): string => MOVES[move]?.() ?? t("piece {n}", { n: Number(move.slice(1)) % 3 + 1 });

function showDecision(host: HTMLElement, page: ReplayPage, notes: Notes, ply: number | null): void {
  const move = page.moves[ply ?? -1];
  const why = notes.explained.find((each) => each.ply === ply);
  if (!move) return host.replaceChildren(html("p", { class: "soft" }, t("Step through the match to see why each program moved as it did.")));
  const seconds = html("p", { class: "soft num" }, t("{colour}, after {n} s", { colour: colourOf(move.seat as never), n: (move.ms / 1000).toFixed(1) }));
  const parts: HTMLElement[] = [seconds];
  if (why) parts.push(html("p", {}, html("strong", {}, why.strategy)), html("p", { lang: "en" }, why.words));
  else parts.push(html("p", {}, page.seats.some(({ seat, person }) => person && seat === move.seat) ? t("A human moved here.") : t("The program had nothing to choose.")));
  if (why && !why.played) parts.push(html("p", { class: "error" }, t("Computed again, the strategy would play: {move}", { move: nameOf(why.move) })));
  host.replaceChildren(...parts);
}

function showAlternatives(host: HTMLElement, page: ReplayPage, notes: Notes, ply: number | null): void {
  const here = notes.alternatives.filter((each) => each.ply === ply);
  if (!here.length) return host.replaceChildren(...(ply === null ? [] : [html("p", { class: "soft" }, t("There was nothing to choose."))]));
  const played = page.moves[ply ?? -1]?.move;
  host.replaceChildren(html("dl", {}, ...here.flatMap((each) => [
    html("dt", {}, nameOf(each.move) + (each.move === played ? ` ${t("(played)")}` : "")),
    html("dd", {}, each.strategies.join("; ")),
  ])));
}

function showJudged(host: HTMLElement, judged: readonly Judged[], jump: (ply: number) => void): void {
  if (!judged.length) return host.replaceChildren(html("p", { class: "soft" }, t("Nobody has judged this match yet.")));
  host.replaceChildren(html("ul", { class: "plain" }, ...judged.map((each) => {
    const judge = html("a", { href: `/research/persons/${encodeURIComponent(each.judge)}` }, each.judge);
    const line = html("li", {}, tokenIcon(each.seat as never), ` ${colourOf(each.seat as never)}: ${VERDICTS[each.verdict]?.() ?? each.verdict}`,
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

function plyWanted(): number | null {
  const written = /^#ply=(\d+)$/.exec(location.hash)?.[1];
  return written === undefined ? null : Number(written);
}

async function start(host: HTMLElement): Promise<void> {
  const page = JSON.parse(host.dataset.replay ?? "") as ReplayPage;
  const decision = document.querySelector<HTMLElement>("#decision")!;
  const alternatives = document.querySelector<HTMLElement>("#alternatives")!;
  const name = page.layout === "standard" ? page.game : `${page.game}:${page.layout}`;
  let notes: Notes = { explained: [], alternatives: [], judged: [] };
  const [recording, response] = await Promise.all([
    recordingOfMoves(name, page.moves.map(({ move }) => move)),
    fetch(`/api/research/matches/${host.dataset.match}/notes`, { headers: { accept: "application/json" } }),
  ]);
  if (response.ok) notes = (await response.json()) as Notes;
  const loud: ReplayNote[] = notes.judged.flatMap((each) => (each.marked_ply === null ? [] : [{ ply: each.marked_ply, kind: "mark" as const, text: t("marked by {judge}", { judge: each.judge }) }]));
  const wanted = plyWanted();
  const replay = new Replay(host, recording, {
    you: null,
    notes: [...loud, ...page.moves.filter(({ seat }) => seat >= 0).map(({ ply, ms }) => ({ ply, kind: "time" as const, text: t("{n} s", { n: (ms / 1000).toFixed(1) }) }))],
    ...(wanted === null ? {} : { ply: wanted }),
    onPly: (ply) => {
      showDecision(decision, page, notes, ply);
      showAlternatives(alternatives, page, notes, ply);
      history.replaceState(null, "", ply === null ? location.pathname : `#ply=${ply}`);
    },
  });
  // The back button, or a link to another move of this match.
  window.addEventListener("hashchange", () => {
    const other = plyWanted();
    if (other !== null && other !== replay.ply) replay.jumpToPly(other);
  });
  showJudged(document.querySelector<HTMLElement>("#judged")!, notes.judged, (ply) => replay.jumpToPly(ply));
}

const host = document.querySelector<HTMLElement>("#replay");
if (host) void start(host);
