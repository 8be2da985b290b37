/** The plots of the strategies: the space, and the share judged human of each beside that of real humans. */

import { t } from "../i18n";
import type { Humans, Rating, Strategies, StrategyRow } from "./data";
import type { Picture } from "./figure";
import { count, decimal, interval, percent } from "./format";
import { ofGame } from "./of_game";
import { type Rated, plainly, rated } from "./plainly";
import { BLUE, GREEN, INK, GREY, legend, Plot, plot } from "./plot";
import { space, told } from "./space";
import type { Column } from "./table";

const name: Column<StrategyRow> = { name: t("strategy"), value: (row) => row.strategy, link: (row) => address(row.strategy) };
const generation: Column<StrategyRow> = { name: t("generation"), value: (row) => row.generation };

/** The page of a strategy, in the game that this page is about. */
export function address(strategy: string): string {
  return ofGame(`/research/strategies/${encodeURIComponent(strategy)}`);
}

/** A value with the two ends of its interval, three columns in a file. */
function estimate(title: string, value: (rating: Rating) => number | null, ends: (rating: Rating) => readonly [number, number]): Column<Rated>[] {
  return [
    { name: title, value: ({ rating }) => value(rating), text: ({ rating }) => decimal(value(rating)) },
    { name: t("{name}, low", { name: title }), value: ({ rating }) => ends(rating)[0], text: ({ rating }) => decimal(ends(rating)[0]) },
    { name: t("{name}, high", { name: title }), value: ({ rating }) => ends(rating)[1], text: ({ rating }) => decimal(ends(rating)[1]) },
  ];
}

/** The space; what is chosen in it is told in `place`, also to those who do not see it. */
export function spacePicture(place: HTMLElement): Picture<Strategies, Rated> {
  const hint = t("Drag or use the arrow keys to turn it. Point at a strategy to choose it, or go from one to the next with comma and full stop; Enter opens the one that is chosen.");
  let kept: { readonly data: Strategies; readonly made: ReturnType<typeof space> } | null = null;
  return {
    name: "strategy-space",
    interactive: true,
    title: ({ strategies, human_point: human }) => {
      const all = plainly(strategies);
      const below = human?.detection.share == null ? 0 : all.filter(({ rating }) => rating.detection <= (human.detection.share ?? 0)).length;
      return t("{below} of {all} strategies are detected no more often than real humans", { below, all: all.length });
    },
    note: () => t("Plain means of all judgements; the diamond is that of real humans, the plane their rate of being judged artificial. Colour: generation. The chosen strategy shows its 95 % intervals."),
    draw: (data, width) => {
      if (kept?.data !== data) {
        place.textContent = hint;
        kept = { data, made: space(plainly(data.strategies), data.human_point, (row) => (place.textContent = row ? told(row) : hint)) };
        kept.made.svg.setAttribute("aria-label", t("Strategies by detection, fun and challenge. The table has the same numbers."));
      }
      kept.made.resize(width);
      return kept.made.svg;
    },
    rows: ({ strategies }) => plainly(strategies),
    columns: () => [
      name,
      generation,
      ...estimate(t("detection"), ({ detection }) => detection, ({ intervals }) => intervals.detection),
      ...estimate(t("fun"), ({ fun }) => fun, ({ intervals }) => intervals.fun),
      ...estimate(t("challenge"), ({ challenge }) => challenge, ({ intervals }) => intervals.challenge),
      { name: t("judgements"), value: ({ rating }) => rating.judgements },
    ],
  };
}

const ROW = 17;
const MOST = 20;

/** The most surely human first: by the lower end of the interval, so that a single judgement is not on top. */
function bySurety(strategies: readonly StrategyRow[]): Rated[] {
  const low = ({ rating: { judged_human: judged } }: Rated): number => (judged.share === null ? -1 : judged.interval[0]);
  return rated(strategies).sort((one, two) => low(two) - low(one));
}

export const judgedHuman: Picture<Strategies, Rated> = {
  name: "judged-human",
  title: ({ strategies, margin }) => {
    const all = rated(strategies);
    return t("{equivalent} of {all} strategies pass for human within ±{margin}", { equivalent: all.filter(({ rating }) => rating.equivalence.equivalent).length, all: all.length, margin: percent(margin) });
  },
  note: ({ humans, strategies }) =>
    (humans?.share == null
      ? t("Nobody has judged a human yet, so there is no yardstick.")
      : t("Share of judgements that said “human” (their number), ordered by the lower end of its 95 % interval. Intervals know that answers of one judge resemble each other. Band: real humans, {share} ({interval}) of {n} judgements.", { share: decimal(humans.share), interval: interval(...humans.interval), n: count(humans.judgements) })) + (rated(strategies).length > MOST ? ` ${t("Drawn: the {n} most surely human; the table has all.", { n: MOST })}` : ""),
  at: ({ strategy, rating }) => (rating.judged_human.share === null ? null : [rating.judged_human.share, strategy]),
  draw: ({ strategies, humans }, width) => {
    const rows = bySurety(strategies).slice(0, MOST);
    const narrow = width < 520;
    const letters = Math.floor((narrow ? width - 40 : width * 0.42) / 7.3);
    const short = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    const share = ({ rating }: Rated) => rating.judged_human.share;
    const judged = new Map(rows.map(({ strategy, rating }) => [strategy, count(rating.judged_human.judgements)]));
    const counted = (strategy: string) => `${short(strategy)} (${judged.get(strategy)})`;
    const kind = ({ rating, known }: Rated) => (!known ? "unknown" : rating.equivalence.equivalent ? "equal" : "other");
    return plot({
      width,
      height: 92 + rows.length * (narrow ? ROW * 1.9 : ROW),
      marginLeft: narrow ? 16 : 64 + 7.3 * Math.min(letters, Math.max(0, ...rows.map(({ strategy }) => strategy.length))),
      marginRight: 16,
      x: { label: t("share judged human"), domain: [0, 1], grid: true, tickFormat: (value: number) => decimal(value, 1) },
      y: { label: null, domain: rows.map(({ strategy }) => strategy), axis: narrow ? null : "left", tickSize: 0, tickFormat: counted },
      marks: [
        ...yardstick(humans),
        Plot.ruleY(rows, { y: "strategy", x1: ({ rating }) => rating.judged_human.interval[0], x2: ({ rating }) => rating.judged_human.interval[1], stroke: INK, strokeWidth: 1.3, strokeOpacity: ({ known }: Rated) => (known ? 1 : 0.35) }),
        Plot.dot(rows, { y: "strategy", x: share, r: 4.5, fill: kind, stroke: INK, symbol: ({ rating }: Rated) => (rating.equivalence.equivalent ? "diamond" : "circle") }),
        ...(narrow ? [Plot.text(rows, { y: "strategy", x: 0, text: ({ strategy }: Rated) => counted(strategy), textAnchor: "start", dy: -11, fill: INK })] : []),
        Plot.tip(rows, Plot.pointerY({ y: "strategy", x: share, title: ({ strategy, rating }: Rated) => `${strategy}\n${decimal(rating.judged_human.share)} (${interval(...rating.judged_human.interval)})\n${t("{n} judgements by {judges} persons", { n: count(rating.judged_human.judgements), judges: count(rating.judged_human.judges) })}` })),
        legend([{ text: t("equivalent"), colour: GREEN, shape: "dot" }, { text: t("not shown to be"), colour: BLUE, shape: "dot" }, { text: t("too few judgements"), colour: GREY, shape: "dot" }, { text: t("humans"), colour: GREEN, shape: "band" }]),
      ],
      color: { domain: ["equal", "other", "unknown"], range: [GREEN, BLUE, GREY] },
      symbol: { legend: false },
    });
  },
  rows: ({ strategies }) => bySurety(strategies),
  columns: () => [
    name,
    ...estimate(t("share judged human"), ({ judged_human: judged }) => judged.share, ({ judged_human: judged }) => judged.interval),
    ...estimate(t("difference from humans"), ({ difference_from_humans: difference }) => difference.estimate, ({ difference_from_humans: difference }) => difference.interval),
    { name: t("equivalence, p"), value: ({ rating }) => rating.equivalence.p, text: ({ rating }) => decimal(rating.equivalence.p, 3) },
    { name: t("judgements"), value: ({ rating }) => rating.judged_human.judgements },
    { name: t("judges"), value: ({ rating }) => rating.judged_human.judges },
  ],
};

/** Where real humans are: a band of their interval and a line at their share. */
function yardstick(humans: Humans | null): Plot.Markish[] {
  if (humans?.share == null) return [];
  return [
    Plot.rect([humans], { x1: humans.interval[0], x2: humans.interval[1], fill: GREEN, fillOpacity: 0.22 }),
    Plot.ruleX([humans.share], { stroke: GREEN, strokeDasharray: "5 3", strokeWidth: 1.5 }),
  ];
}

