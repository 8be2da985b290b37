/** The plots of the overview: what happened when, how long people waited, and where they left. */

import { t } from "../i18n";
import type { Bin, Overview, Period, Stage } from "./data";
import type { Picture } from "./figure";
import { count, decimal, moment, percent, timeTick, type Unit } from "./format";
import { BLUE, GREEN, GREY, INK, legend, Plot, plot, RED, SOFT } from "./plot";
import type { Column } from "./table";

const HEIGHT = 230;
const STAGES: Record<string, string> = {
  registered: t("registered"),
  confirmed: t("confirmed the address"),
  played: t("played a match"),
  judged: t("judged somebody"),
  came_back: t("played again"),
  ten_matches: t("played ten matches"),
};

let last = "";

/** Whether anything that is drawn has changed since it was asked for the last time. */
export function drawn(overview: Overview): boolean {
  const now = JSON.stringify([overview.periods, overview.waits, overview.stages]);
  const changed = now !== last;
  last = now;
  return changed;
}

function per(unit: Unit): string {
  return { hour: t("per hour"), day: t("per day"), week: t("per week") }[unit];
}

function time({ unit, periods }: Overview): Plot.ScaleOptions {
  const first = periods[0];
  const end = periods.at(-1);
  return { type: "utc", label: null, tickFormat: timeTick, ...(first && end && { domain: [new Date(first.at), after(end.at, unit)] }) };
}

function after(at: string, unit: Unit): Date {
  return new Date(Date.parse(at) + { hour: 1, day: 24, week: 168 }[unit] * 3_600_000);
}

function middle({ at }: Period, unit: Unit): Date {
  return new Date((Date.parse(at) + +after(at, unit)) / 2);
}

const when = (unit: Unit): Column<Period> => ({ name: t("from (UTC)"), value: ({ at }) => at, text: ({ at }) => moment(at, unit) });

/** Bars that stand on each other: one layer per key of a period. */
function bars(overview: Overview, width: number, label: string, layers: readonly (readonly [keyof Period, string, string])[]): SVGSVGElement {
  const pieces = overview.periods.flatMap((period) => {
    let low = 0;
    return layers.map(([key, text, colour]) => {
      const size = period[key] as number;
      low += size;
      return { from: new Date(period.at), to: after(period.at, overview.unit), low: low - size, high: low, size, text, colour };
    });
  });
  const tip = (piece: (typeof pieces)[number]) => `${moment(piece.from, overview.unit)}\n${piece.text}: ${count(piece.size)}`;
  return plot({
    width,
    height: HEIGHT,
    x: time(overview),
    y: { label, grid: true, ticks: 5, tickFormat: count, nice: true, ...(pieces.every(({ high }) => high === 0) && { domain: [0, 10] }) },
    marks: [
      ...layers.map(([, text, colour]) => Plot.rectY(pieces.filter((piece) => piece.text === text && piece.size > 0), { x1: "from", x2: "to", y1: "low", y2: "high", fill: colour, insetLeft: 0.5, insetRight: 0.5 })),
      Plot.ruleY([0], { stroke: INK }),
      Plot.tip(pieces.filter(({ size }) => size > 0), Plot.pointerX({ x: (piece) => (+piece.from + +piece.to) / 2, y: "high", title: tip })),
      ...(layers.length > 1 ? [legend(layers.map(([, text, colour]) => ({ text, colour })))] : []),
    ],
  });
}

const probands: Picture<Overview, Period> = {
  name: "probands",
  title: ({ totals, unit }) => t("{n} new probands, {unit}", { n: count(totals.probands), unit: per(unit) }),
  at: (period, { unit }) => [middle(period, unit), period.probands],
  draw: (overview, width) => bars(overview, width, t("new probands"), [["probands", t("new probands"), BLUE]]),
  rows: ({ periods }) => periods,
  columns: ({ unit }) => [when(unit), { name: t("new probands"), value: (period) => period.probands }],
};

const matches: Picture<Overview, Period> = {
  name: "matches",
  title: ({ totals, unit }) => t("{n} matches, {unit}", { n: count(totals.matches), unit: per(unit) }),
  at: (period, { unit }) => [middle(period, unit), period.matches],
  draw: (overview, width) => bars(overview, width, t("matches"), [["matches", t("matches"), BLUE]]),
  rows: ({ periods }) => periods,
  columns: ({ unit }) => [when(unit), { name: t("matches"), value: (period) => period.matches }],
};

const SHEETS = [
  ["finished", t("finished"), GREEN],
  ["skipped", t("skipped"), RED],
  ["expired", t("closed unfinished"), GREY],
  ["open", t("still open"), BLUE],
] as const;

const questionnaires: Picture<Overview, Period> = {
  name: "questionnaires",
  title: ({ totals, unit }) => t("{share} of the questionnaires that are over were finished, {unit}", { share: percent(totals.finished.share), unit: per(unit) }),
  note: () => t("Over means finished, skipped or closed unfinished. Those still open are drawn but do not count in the share."),
  at: (period, { unit }) => [middle(period, unit), SHEETS.reduce((sum, [key]) => sum + period[key], 0)],
  draw: (overview, width) => bars(overview, width, t("questionnaires"), SHEETS),
  rows: ({ periods }) => periods,
  columns: ({ unit }) => [when(unit), ...SHEETS.map(([key, text]): Column<Period> => ({ name: text, value: (period) => period[key] }))],
};

const standIns: Picture<Overview, Period> = {
  name: "drop-outs",
  title: ({ totals }) => t("In {share} of the matches somebody left and a stand-in played on", { share: percent(totals.stand_ins.share, 1) }),
  note: () => t("Points: share of the matches that began then. Lines: 95 % interval (Wilson)."),
  at: (period, { unit }) => (period.stand_ins.share === null ? null : [middle(period, unit), period.stand_ins.share]),
  draw: (overview, width) => {
    const known = overview.periods.filter(({ stand_ins }) => stand_ins.share !== null);
    const centre = (period: Period) => middle(period, overview.unit);
    return plot({
      width,
      height: HEIGHT,
      x: time(overview),
      y: { label: t("share of matches"), grid: true, ticks: 5, tickFormat: (value: number) => percent(value), domain: [0, 1], ...(known.length > 0 && { domain: [0, Math.min(1, Math.max(0.1, ...known.map(({ stand_ins }) => stand_ins.high)))] }) },
      marks: [
        Plot.ruleY([0], { stroke: INK }),
        ...(overview.totals.stand_ins.share === null ? [] : [Plot.ruleY([overview.totals.stand_ins.share], { stroke: SOFT, strokeDasharray: "4 3" })]),
        Plot.ruleX(known, { x: centre, y1: ({ stand_ins }) => stand_ins.low, y2: ({ stand_ins }) => stand_ins.high, stroke: RED, strokeOpacity: 0.55, strokeWidth: 1.5 }),
        Plot.dot(known, { x: centre, y: ({ stand_ins }) => stand_ins.share, fill: RED, r: 3 }),
        Plot.tip(known, Plot.pointerX({ x: centre, y: ({ stand_ins }) => stand_ins.share, title: ({ at, stand_ins }) => `${moment(at, overview.unit)}\n${percent(stand_ins.share, 1)} (${percent(stand_ins.low, 1)} … ${percent(stand_ins.high, 1)})\n${t("of {n} matches", { n: count(stand_ins.of) })}` })),
      ],
    });
  },
  rows: ({ periods }) => periods,
  columns: ({ unit }) => [
    when(unit),
    { name: t("matches"), value: ({ stand_ins }) => stand_ins.of },
    { name: t("share with a stand-in"), value: ({ stand_ins }) => stand_ins.share, text: ({ stand_ins }) => percent(stand_ins.share, 1) },
    { name: t("interval, low"), value: ({ stand_ins }) => stand_ins.low, text: ({ stand_ins }) => percent(stand_ins.low, 1) },
    { name: t("interval, high"), value: ({ stand_ins }) => stand_ins.high, text: ({ stand_ins }) => percent(stand_ins.high, 1) },
  ],
};

const waits: Picture<Overview, Bin> = {
  name: "waiting-times",
  title: ({ totals }) =>
    totals.wait_median === null || totals.wait_most === null
      ? t("Nobody was seated from the lobby yet")
      : t("Half of the probands wait less than {median} s, nine of ten less than {most} s", { median: decimal(totals.wait_median, 1), most: decimal(totals.wait_most, 1) }),
  note: () => t("Time from entering the lobby to the table."),
  at: ({ low, high, count: n }) => [(low + high) / 2, n],
  draw: ({ waits: bins, totals }, width) =>
    plot({
      width,
      height: HEIGHT,
      x: { label: t("waited (s)"), domain: [0, bins.at(-1)?.high ?? 20] },
      y: { label: t("probands"), grid: true, ticks: 5, tickFormat: count, ...(bins.length === 0 && { domain: [0, 10] }) },
      marks: [
        Plot.rectY(bins, { x1: "low", x2: "high", y: "count", fill: BLUE, insetLeft: 0.5, insetRight: 0.5 }),
        Plot.ruleY([0], { stroke: INK }),
        ...(totals.wait_median === null ? [] : [Plot.ruleX([totals.wait_median], { stroke: INK, strokeDasharray: "4 3" }), Plot.text([t("median")], { x: totals.wait_median, frameAnchor: "top", dx: 5, dy: -14, textAnchor: "start", fill: INK })]),
        Plot.tip(bins, Plot.pointerX({ x: ({ low, high }) => (low + high) / 2, y: "count", title: ({ low, high, count: n }) => `${decimal(low, 0)} … ${decimal(high, 0)} s\n${count(n)}` })),
      ],
    }),
  rows: ({ waits: bins }) => bins,
  columns: () => [
    { name: t("from (s)"), value: ({ low }) => low, text: ({ low }) => decimal(low, 1) },
    { name: t("to (s)"), value: ({ high }) => high, text: ({ high }) => decimal(high, 1) },
    { name: t("probands"), value: ({ count: n }) => n },
  ],
};

const stages: Picture<Overview, Stage> = {
  name: "stages",
  title: ({ stages: all }) => {
    const [registered, judged] = ["registered", "judged"].map((name) => all.find((stage) => stage.name === name)?.persons ?? 0);
    return registered ? t("{share} of those who registered have judged somebody", { share: percent((judged ?? 0) / registered) }) : t("Nobody has registered yet");
  },
  note: () => t("How far those got who registered in the chosen time."),
  at: ({ name, persons }) => [persons, name],
  draw: ({ stages: all }, width) => {
    const most = Math.max(1, ...all.map(({ persons }) => persons));
    return plot({
      width,
      height: HEIGHT,
      marginLeft: Math.min(170, width * 0.42),
      marginTop: 10,
      marginRight: 88,
      x: { label: t("probands"), tickFormat: count, ticks: Math.max(2, Math.floor(width / 160)), domain: [0, most] },
      y: { label: null, domain: all.map(({ name }) => name), tickFormat: (name: string) => STAGES[name] ?? name, tickSize: 0 },
      marks: [
        Plot.barX(all, { x: "persons", y: "name", fill: BLUE, insetTop: 3, insetBottom: 3 }),
        Plot.text(all, { x: "persons", y: "name", text: ({ persons }) => `${count(persons)} · ${percent(persons / most)}`, textAnchor: "start", dx: 5, fill: INK }),
        Plot.ruleX([0], { stroke: INK }),
      ],
    });
  },
  rows: ({ stages: all }) => all,
  columns: () => [
    { name: t("stage"), value: ({ name }) => STAGES[name] ?? name },
    { name: t("probands"), value: ({ persons }) => persons },
  ],
};

export const pictures = { probands, matches, questionnaires, standIns, waits, stages };
