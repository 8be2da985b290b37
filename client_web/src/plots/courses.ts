/** Plots of what changes with time: judgements of a strategy, learning of all persons, the weight of one. */

import { t } from "../i18n";
import type { Lesson, PersonPage, Course as Period, StrategyPage, WeightPoint } from "./data";
import type { Picture } from "./figure";
import { count, decimal, interval, moment, percent, timeTick } from "./format";
import { BLUE, GREEN, INK, legend, Plot, plot, RED, SOFT } from "./plot";

const HEIGHT = 280;

export const course: Picture<StrategyPage, Period> = {
  name: "judgements-over-time",
  title: ({ course: periods, human_point: human }) => {
    const line = smooth(periods);
    const [first, last] = [line[0], line.at(-1)];
    return first && last
      ? t("Judged artificial in {first} at first and in {last} lately; real humans in {humans}", { first: percent(first.share), last: percent(last.share), humans: percent(human?.detection.share) })
      : t("Nobody has judged yet");
  },
  note: () => t("Line: share judged artificial around each moment, from at least {n} judgements. Points: single periods, larger with more judgements, with 95 % intervals clustered by judge. Band: real humans over the whole study. “Cannot tell” counts as not detected.", { n: ENOUGH }),
  at: (period) => (period.artificial.share === null ? null : [at(period), period.artificial.share]),
  draw: ({ course: periods, human_point: human, unit }, width) =>
    plot({
      width,
      height: HEIGHT,
      x: { type: "utc", label: null, tickFormat: timeTick, insetLeft: 12, insetRight: 12 },
      r: { type: "identity" },
      y: { label: t("share judged artificial"), domain: [0, 1], grid: true, tickFormat: (value: number) => decimal(value, 1) },
      marks: [
        ...(human?.detection.share == null ? [] : [Plot.rect([human], { y1: human.detection.low, y2: human.detection.high, fill: GREEN, fillOpacity: 0.22 }), Plot.ruleY([human.detection.share], { stroke: GREEN, strokeDasharray: "5 3" })]),
        Plot.ruleX(periods, { x: at, y1: ({ artificial }: Period) => artificial.low, y2: ({ artificial }: Period) => artificial.high, stroke: RED, strokeOpacity: 0.25 }),
        Plot.dot(periods, { x: at, y: ({ artificial }: Period) => artificial.share, fill: RED, fillOpacity: 0.45, r: ({ artificial }: Period) => Math.min(7, 1.5 + Math.sqrt(artificial.of) / 2) }),
        Plot.line(smooth(periods), { x: at, y: "share", stroke: RED, strokeWidth: 3, curve: "monotone-x" }),
        Plot.ruleY([0], { stroke: INK }),
        Plot.tip(periods, Plot.pointerX({ x: at, y: ({ artificial }: Period) => artificial.share, title: ({ at: when, artificial }: Period) => `${moment(when, unit)}\n${decimal(artificial.share)} (${interval(artificial.low, artificial.high)})\n${t("{n} judgements", { n: count(artificial.of) })}` })),
        legend([{ text: t("this strategy"), colour: RED, shape: "dot" }, { text: t("humans"), colour: GREEN, shape: "band" }]),
      ],
    }),
  rows: ({ course: periods }) => periods,
  columns: ({ unit }) => [
    { name: t("from (UTC)"), value: ({ at: when }) => when, text: ({ at: when }) => moment(when, unit) },
    { name: t("judgements"), value: ({ artificial }) => artificial.of },
    { name: t("share judged artificial"), value: ({ artificial }) => artificial.share, text: ({ artificial }) => decimal(artificial.share) },
    { name: t("interval, low"), value: ({ artificial }) => artificial.low, text: ({ artificial }) => decimal(artificial.low) },
    { name: t("interval, high"), value: ({ artificial }) => artificial.high, text: ({ artificial }) => decimal(artificial.high) },
    { name: t("mean fun"), value: ({ fun }) => fun, text: ({ fun }) => decimal(fun) },
    { name: t("mean challenge"), value: ({ challenge }) => challenge, text: ({ challenge }) => decimal(challenge) },
  ],
};

function at({ at: when }: { readonly at: string }): Date {
  return new Date(when);
}

const ENOUGH = 30;

/** The share around each period: of as many neighbours, on both sides alike, as it takes for enough judgements, or of all. */
export function smooth(periods: readonly Pick<Period, "at" | "artificial">[], enough = ENOUGH): { readonly at: string; readonly share: number }[] {
  return periods.flatMap(({ at: when }, index) => {
    for (let reach = 0; ; reach += 1) {
      const near = periods.slice(Math.max(0, index - reach), index + reach + 1);
      const all = near.reduce((sum, { artificial }) => sum + artificial.of, 0);
      if (all < enough && near.length < periods.length) continue;
      return all ? [{ at: when, share: near.reduce((sum, { artificial }) => sum + (artificial.share ?? 0) * artificial.of, 0) / all }] : [];
    }
  });
}

const SIDES = [
  ["programs", t("programs detected"), BLUE, "programs_learnt"],
  ["humans", t("humans recognised"), GREEN, "humans_learnt"],
] as const;
const FEWEST = 5;

export const learning: Picture<readonly Lesson[], Lesson> = {
  name: "learning",
  title: (lessons) => {
    const [first, later] = [mean(lessons.slice(0, 5)), mean(lessons.slice(-5))];
    return first === null || later === null
      ? t("Nobody has judged yet")
      : t("Programs are detected in {first} of the first judgements and in {later} of the last ones shown", { first: percent(first), later: percent(later) });
  },
  note: () => t("At each number every person counts once; 95 % intervals (Wilson). Only those who went on are in the later points; the dashed lines show what all who began would have shown, had nobody left. Where the two part, people left rather than learnt."),
  at: ({ number, programs }) => (programs.share === null ? null : [number, programs.share]),
  draw: (lessons, width) => {
    const points = SIDES.flatMap(([side, text, colour]) => lessons.filter((lesson) => lesson[side].of >= FEWEST).map(({ number, [side]: share }) => ({ number, ...share, text, colour })));
    return plot({
      width,
      height: HEIGHT,
      x: { label: t("number of the judgement"), domain: [1, Math.max(10, lessons.length)] },
      y: { label: t("share right"), domain: [0, 1], grid: true, tickFormat: (value: number) => decimal(value, 1) },
      marks: [
        Plot.ruleY([0], { stroke: INK }),
        ...SIDES.flatMap(([side, text, colour, learnt]) => {
          const own = points.filter((point) => point.text === text);
          const stayed = lessons.filter((lesson) => lesson[side].of >= FEWEST && lesson[learnt]?.right != null);
          return [
            Plot.areaY(own, { x: "number", y1: "low", y2: "high", fill: colour, fillOpacity: 0.18 }),
            Plot.line(own, { x: "number", y: "share", stroke: colour, strokeWidth: 2 }),
            Plot.line(stayed, { x: "number", y: (lesson: Lesson) => lesson[learnt]?.right, stroke: colour, strokeWidth: 2, strokeDasharray: "2 4" }),
          ];
        }),
        Plot.tip(points, Plot.pointer({ x: "number", y: "share", title: ({ number, text, share, low, high, of }: (typeof points)[number]) => `${text}, ${number}.\n${decimal(share)} (${interval(low, high)})\n${t("{n} persons", { n: count(of) })}` })),
        legend(SIDES.map(([, text, colour]) => ({ text, colour, shape: "dash" }))),
      ],
    });
  },
  rows: (lessons) => lessons,
  columns: () => [
    { name: t("number of the judgement"), value: ({ number }) => number },
    ...SIDES.flatMap(([side, text, , learnt]) => [
      { name: text, value: (lesson: Lesson) => lesson[side].share, text: (lesson: Lesson) => decimal(lesson[side].share) },
      { name: t("{name}, low", { name: text }), value: (lesson: Lesson) => lesson[side].low, text: (lesson: Lesson) => decimal(lesson[side].low) },
      { name: t("{name}, high", { name: text }), value: (lesson: Lesson) => lesson[side].high, text: (lesson: Lesson) => decimal(lesson[side].high) },
      { name: t("{name}, persons", { name: text }), value: (lesson: Lesson) => lesson[side].of },
      { name: t("{name}, had nobody left", { name: text }), value: (lesson: Lesson) => lesson[learnt]?.right ?? null, text: (lesson: Lesson) => decimal(lesson[learnt]?.right) },
    ]),
  ],
};

function mean(lessons: readonly Lesson[]): number | null {
  const [right, all] = lessons.reduce(([sum, of], { programs }) => [sum + (programs.share ?? 0) * programs.of, of + programs.of], [0, 0]);
  return all ? right / all : null;
}

export const weight: Picture<PersonPage, WeightPoint> = {
  name: "learning-curve",
  title: ({ history }) => t("After {n} judgements the weight is {weight}", { n: history.length, weight: decimal(history.at(-1)?.overall) }),
  note: () => t("The weight starts at 0 and follows each judgement: upwards where it was right (above), downwards where it was wrong (below). A sudden change of habit shows learning or falsifying."),
  at: ({ number, overall }) => [number, overall],
  draw: ({ history }, width) =>
    plot({
      width,
      height: HEIGHT,
      x: { label: t("number of the judgement"), domain: [0, Math.max(10, history.length)] },
      y: { label: t("weight"), domain: [-0.06, 1.06], grid: true, ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: (value: number) => decimal(value) },
      marks: [
        Plot.ruleY([0], { stroke: SOFT }),
        Plot.line([{ number: 0, overall: 0 }, ...history], { x: "number", y: "overall", stroke: BLUE, strokeWidth: 2 }),
        Plot.dot(history.filter(({ right }) => right), { x: "number", y: 1.04, fill: GREEN, r: 2.2 }),
        Plot.dot(history.filter(({ right }) => !right), { x: "number", y: -0.04, stroke: RED, symbol: "times", r: 2.6 }),
        Plot.tip(history, Plot.pointerX({ x: "number", y: "overall", title: ({ number, seat_truth: truth, right, overall }: WeightPoint) => `${number}. ${truth}\n${right ? t("judged rightly") : t("judged wrongly")}\n${t("weight")} ${decimal(overall)}` })),
        legend([{ text: t("weight"), colour: BLUE, shape: "dash" }, { text: t("judged rightly"), colour: GREEN, shape: "dot" }, { text: t("judged wrongly"), colour: RED, shape: "dot" }]),
      ],
    }),
  rows: ({ history }) => history,
  columns: () => [
    { name: t("number of the judgement"), value: ({ number }) => number },
    { name: t("when (UTC)"), value: ({ at: when }) => when, text: ({ at: when }) => moment(when, "hour") },
    { name: t("match"), value: ({ match }) => match, text: ({ match }) => String(match), link: ({ match }) => `/research/matches/${match}` },
    { name: t("seat was"), value: ({ seat_truth: truth }) => truth },
    { name: t("right"), value: ({ right }) => right, text: ({ right }) => (right ? t("yes") : t("no")) },
    { name: t("weight"), value: ({ overall }) => overall, text: ({ overall }) => decimal(overall) },
  ],
};
