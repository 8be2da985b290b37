/** The plots of the judges: the ROC curve of their stated probabilities, and whether these are right. */

import { t } from "../i18n";
import type { CalibrationBin, RocPoint, Statistics } from "./data";
import type { Picture } from "./figure";
import { count, decimal, interval, percent } from "./format";
import { BLUE, INK, Plot, plot, SOFT } from "./plot";

const HEIGHT = 320;
const share = { domain: [0, 1], grid: true, tickFormat: (value: number) => decimal(value, 1) };
const CHANCE = [
  [0, 0],
  [1, 1],
];

export const rocCurve: Picture<Statistics, RocPoint> = {
  name: "roc",
  title: ({ judges }) => (judges?.auc == null ? t("Too few judgements with sureness for a ROC curve") : t("A program seems more artificial than a human in {share} of all pairs", { share: percent(judges.auc) })),
  note: ({ judges }) =>
    t("Verdict and sureness give a stated probability; each point takes everything from one probability on for “artificial”. The dashed line is a coin. Area {auc} ({interval}); use it to compare judges or studies whatever their caution.", {
      auc: decimal(judges?.auc),
      interval: judges?.auc_interval ? interval(...judges.auc_interval) : "–",
    }),
  at: ({ false_alarms: alarms, hits }) => [alarms, hits],
  draw: ({ checks }, width) =>
    plot({
      width,
      height: HEIGHT,
      x: { label: t("humans called artificial"), ...share },
      y: { label: t("programs called artificial"), ...share },
      marks: [
        Plot.line(CHANCE, { stroke: SOFT, strokeDasharray: "5 3" }),
        Plot.line(checks?.roc ?? [], { x: "false_alarms", y: "hits", stroke: BLUE, strokeWidth: 2 }),
        Plot.tip(checks?.roc ?? [], Plot.pointer({ x: "false_alarms", y: "hits", title: ({ from_probability: from, hits, false_alarms: alarms }: RocPoint) => `${t("from {share} on", { share: percent(Math.min(1, from)) })}\n${percent(hits)} / ${percent(alarms)}` })),
      ],
    }),
  rows: ({ checks }) => checks?.roc ?? [],
  columns: () => [
    { name: t("stated probability from"), value: ({ from_probability: from }) => Math.min(1, from), text: ({ from_probability: from }) => decimal(Math.min(1, from)) },
    { name: t("programs called artificial"), value: ({ hits }) => hits, text: ({ hits }) => decimal(hits) },
    { name: t("humans called artificial"), value: ({ false_alarms: alarms }) => alarms, text: ({ false_alarms: alarms }) => decimal(alarms) },
  ],
};

export const calibrated: Picture<Statistics, CalibrationBin> = {
  name: "calibration",
  title: ({ checks }) => {
    const sure = checks?.calibration?.bins.at(-1);
    return sure ? t("Called artificial with {stated}, seats are programs in {share}", { stated: percent(sure.stated), share: percent(sure.artificial.share) }) : t("Nobody has said yet how sure he or she is");
  },
  note: ({ checks }) =>
    t("On the dashed line people are as often right as they say; lines: 95 % intervals clustered by judge. Brier’s score is {miscalibration} (miscalibration) − {resolution} (resolution) + {uncertainty} (uncertainty). Use it before sureness is taken at its word.", {
      miscalibration: decimal(checks?.calibration?.miscalibration, 3),
      resolution: decimal(checks?.calibration?.resolution, 3),
      uncertainty: decimal(checks?.calibration?.uncertainty, 3),
    }),
  at: ({ stated, artificial }) => (artificial.share === null ? null : [stated, artificial.share]),
  draw: ({ checks }, width) => {
    const bins = checks?.calibration?.bins ?? [];
    return plot({
      width,
      height: HEIGHT,
      x: { label: t("stated probability of “artificial”"), ...share },
      y: { label: t("share of programs"), ...share },
      marks: [
        Plot.line(CHANCE, { stroke: SOFT, strokeDasharray: "5 3" }),
        Plot.ruleX(bins, { x: "stated", y1: ({ artificial }: CalibrationBin) => artificial.interval[0], y2: ({ artificial }: CalibrationBin) => artificial.interval[1], stroke: INK, strokeWidth: 1.3 }),
        Plot.dot(bins, { x: "stated", y: ({ artificial }: CalibrationBin) => artificial.share, r: 4.5, fill: BLUE, stroke: INK }),
        Plot.tip(bins, Plot.pointer({ x: "stated", y: ({ artificial }: CalibrationBin) => artificial.share, title: ({ stated, artificial }: CalibrationBin) => `${percent(stated)}: ${percent(artificial.share)}\n${t("{n} judgements by {judges} persons", { n: count(artificial.judgements), judges: count(artificial.judges) })}` })),
      ],
    });
  },
  rows: ({ checks }) => checks?.calibration?.bins ?? [],
  columns: () => [
    { name: t("stated probability of “artificial”"), value: ({ stated }) => stated, text: ({ stated }) => decimal(stated) },
    { name: t("share of programs"), value: ({ artificial }) => artificial.share, text: ({ artificial }) => decimal(artificial.share) },
    { name: t("interval, low"), value: ({ artificial }) => artificial.interval[0], text: ({ artificial }) => decimal(artificial.interval[0]) },
    { name: t("interval, high"), value: ({ artificial }) => artificial.interval[1], text: ({ artificial }) => decimal(artificial.interval[1]) },
    { name: t("judgements"), value: ({ artificial }) => artificial.judgements },
  ],
};
