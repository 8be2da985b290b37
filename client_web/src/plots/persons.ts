/** The plots of the persons: the person-item map and what the groups detect. */

import { svg as make } from "../table/svg";
import { language, t } from "../i18n";
import type { AttributeReport, AttributeRow, Group, Item, MapBin, PersonsOverview } from "./data";
import type { Picture } from "./figure";
import { count, decimal, percent } from "./format";
import { BLUE, GREEN, INK, legend, Plot, plot, RED, SOFT } from "./plot";

const ROW = 17;
const MOST_ITEMS = 30;
const HUMAN = "human";
const REACH = 1.96;

type MapRow = { readonly what: string; readonly low: number; readonly high: number; readonly persons: number | null; readonly item: Item | null };

/** The items that are drawn: "human" and the most often judged strategies, the hardest first. */
function drawnItems({ rasch }: PersonsOverview): Item[] {
  const items = [...(rasch?.items ?? [])].sort((one, two) => Number(two.item === HUMAN) - Number(one.item === HUMAN) || two.trials - one.trials);
  return items.slice(0, MOST_ITEMS).sort((one, two) => two.difficulty - one.difficulty);
}

export const wrightMap: Picture<PersonsOverview, MapRow> = {
  name: "person-item-map",
  title: ({ rasch, experts, persons }) =>
    rasch ? t("Abilities spread by {sd} logits; {experts} of {persons} persons are super experts", { sd: decimal(rasch.ability_sd), experts: count(experts), persons: count(persons) }) : t("Nobody has judged yet"),
  note: (found) =>
    t("Above: persons by ability. Below: how hard strategies are to detect, with 95 % intervals; 0 is the mean strategy. A person as able as a strategy is difficult detects it half of the time. “human” counts against those who call humans artificial. Reliability: persons {persons}, strategies {items}.", {
      persons: decimal(found.rasch?.reliability.wle),
      items: decimal(found.rasch?.reliability.items),
    }) + ((found.rasch?.items.length ?? 0) > MOST_ITEMS ? ` ${t("Drawn: the {n} most often judged.", { n: MOST_ITEMS })}` : ""),
  draw: (found, width) => {
    const items = drawnItems(found);
    const bound = found.criteria?.rule === "bounds" ? found.criteria.margin : null;
    const bins = found.rasch?.map ?? [];
    const narrow = width < 520;
    const letters = Math.floor((narrow ? width - 70 : width * 0.42) / 7.3);
    const short = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    const low = Math.min(-2, ...bins.map((bin) => bin.low), ...items.map(({ difficulty, se }) => difficulty - REACH * Math.min(se, 2)));
    const high = Math.max(2, ...bins.map((bin) => bin.high), ...items.map(({ difficulty, se }) => difficulty + REACH * Math.min(se, 2)));
    const shared = { width, marginLeft: narrow ? 44 : 24 + 7.3 * Math.min(letters, Math.max(12, ...items.map(({ item }) => item.length))), marginRight: 16 };
    const x = { domain: [low, high], grid: true };
    const above = plot({
      ...shared,
      height: 190,
      marginBottom: 8,
      x: { ...x, axis: null },
      y: { label: t("persons"), ticks: 4, tickFormat: count },
      marks: [
        Plot.rectY(bins, { x1: "low", x2: "high", y: "persons", fill: BLUE, insetLeft: 0.5, insetRight: 0.5 }),
        ...(bound !== null ? [Plot.ruleX([bound], { stroke: RED, strokeDasharray: "4 3" })] : []),
        ...(bound !== null && !narrow ? [Plot.text([t("super experts lie surely above")], { x: bound, frameAnchor: "top", dx: 5, textAnchor: "start", fill: RED, dy: -14 })] : []),
        Plot.ruleY([0], { stroke: INK }),
        Plot.tip(bins, Plot.pointerX({ x: ({ low: from, high: to }: MapBin) => (from + to) / 2, y: "persons", title: ({ low: from, high: to, persons }: MapBin) => `${decimal(from, 1)} … ${decimal(to, 1)} ${t("logits")}\n${t("{n} persons", { n: count(persons) })}` })),
      ],
    });
    const below = plot({
      ...shared,
      height: 60 + items.length * (narrow ? ROW * 1.9 : ROW),
      marginTop: 8,
      x: { ...x, label: t("ability and difficulty (logits)") },
      y: { label: null, domain: items.map(({ item }) => item), axis: narrow ? null : "left", tickSize: 0, tickFormat: short },
      marks: [
        Plot.ruleX([0], { stroke: SOFT }),
        Plot.ruleY(items, { y: "item", x1: ({ difficulty, se }: Item) => Math.max(low, difficulty - REACH * se), x2: ({ difficulty, se }: Item) => Math.min(high, difficulty + REACH * se), stroke: INK, strokeWidth: 1.3 }),
        Plot.dot(items.filter(({ item }) => item !== HUMAN), { y: "item", x: "difficulty", r: 4, fill: BLUE, stroke: INK }),
        Plot.dot(items.filter(({ item }) => item === HUMAN), { y: "item", x: "difficulty", r: 6, fill: GREEN, stroke: INK, symbol: "diamond" }),
        ...(narrow ? [Plot.text(items, { y: "item", frameAnchor: "left", text: ({ item }: Item) => short(item), textAnchor: "start", dy: -10, fill: INK })] : []),
        Plot.tip(items, Plot.pointerY({ y: "item", x: "difficulty", title: ({ item, difficulty, se, infit_at_estimate, outfit_at_estimate, trials, ones }: Item) => `${item}\nδ ${decimal(difficulty)} ± ${decimal(REACH * se)}\n${t("detected {ones} of {trials}", { ones: count(ones), trials: count(trials) })}\n${t("Infit, conventional")} ${decimal(infit_at_estimate)}\n${t("Outfit, conventional")} ${decimal(outfit_at_estimate)}` })),
      ],
    });
    return stacked([above, below], width);
  },
  rows: ({ rasch }) => [
    ...(rasch?.items ?? []).map((item): MapRow => ({ what: item.item, low: item.difficulty - REACH * item.se, high: item.difficulty + REACH * item.se, persons: null, item })),
    ...(rasch?.map ?? []).map((bin): MapRow => ({ what: t("persons"), low: bin.low, high: bin.high, persons: bin.persons, item: null })),
  ],
  columns: () => [
    { name: t("item or persons"), value: ({ what }) => what },
    { name: t("from (logits)"), value: ({ low }) => low, text: ({ low }) => decimal(low) },
    { name: t("to (logits)"), value: ({ high }) => high, text: ({ high }) => decimal(high) },
    { name: t("persons"), value: ({ persons }) => persons },
    { name: t("difficulty"), value: ({ item }) => item?.difficulty ?? null, text: ({ item }) => decimal(item?.difficulty) },
    { name: t("standard error"), value: ({ item }) => item?.se ?? null, text: ({ item }) => decimal(item?.se) },
    { name: t("Infit, over the posterior"), value: ({ item }) => item?.infit ?? null, text: ({ item }) => decimal(item?.infit) },
    { name: t("Outfit, over the posterior"), value: ({ item }) => item?.outfit ?? null, text: ({ item }) => decimal(item?.outfit) },
    { name: t("Infit, conventional"), value: ({ item }) => item?.infit_at_estimate ?? null, text: ({ item }) => decimal(item?.infit_at_estimate) },
    { name: t("Outfit, conventional"), value: ({ item }) => item?.outfit_at_estimate ?? null, text: ({ item }) => decimal(item?.outfit_at_estimate) },
    { name: t("judged"), value: ({ item }) => item?.trials ?? null },
    { name: t("detected"), value: ({ item }) => item?.ones ?? null },
  ],
};

/** Pictures one below the other as one, so that they are downloaded together. */
function stacked(parts: readonly SVGSVGElement[], width: number): SVGSVGElement {
  let y = 0;
  for (const part of parts) {
    part.setAttribute("y", String(y));
    y += part.viewBox.baseVal.height;
  }
  return make("svg", { class: "plot", width, height: y, viewBox: `0 0 ${width} ${y}` }, ...parts);
}

const MOST_STRATEGIES = 12;

type GroupCell = { readonly group: string; readonly strategy: string; readonly detection: number };

/** So many strategies, those first on which the groups differ most. */
function cells({ groups }: PersonsOverview, most: number): GroupCell[] {
  const spread = new Map<string, number>();
  for (const strategy of Object.keys(groups[0]?.detection ?? {})) {
    const rates = groups.map(({ detection }) => detection[strategy] ?? 0);
    spread.set(strategy, Math.max(...rates) - Math.min(...rates));
  }
  const chosen = [...spread].sort((one, two) => two[1] - one[1]).slice(0, most).map(([strategy]) => strategy);
  return chosen.flatMap((strategy) => groups.map((group) => ({ group: groupName(group), strategy, detection: group.detection[strategy] ?? 0 })));
}

function groupName({ group, persons }: Group): string {
  return t("group {n} ({persons})", { n: group + 1, persons: count(persons) });
}

export const groupMap: Picture<PersonsOverview, GroupCell> = {
  name: "groups",
  title: ({ groups }) =>
    groups.length > 1 ? t("{n} groups of persons detect different strategies", { n: groups.length }) : t("The persons do not fall into groups: one pattern of detections explains them all"),
  note: () => t("How often each group detects a strategy, those first on which the groups differ most; the table has all. The number of groups is the one with the smallest BIC; numbers of persons in brackets."),
  at: ({ group, strategy }) => [group, strategy],
  draw: (found, width) => {
    const all = cells(found, MOST_STRATEGIES);
    const strategies = [...new Set(all.map(({ strategy }) => strategy))];
    const letters = Math.floor((width * 0.5) / 6.7);
    const short = (text: string) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);
    return plot({
      width,
      height: 60 + strategies.length * 20,
      marginTop: 30,
      marginBottom: 10,
      marginLeft: 24 + 7.3 * Math.min(letters, Math.max(8, ...strategies.map((strategy) => strategy.length))),
      x: { label: null, domain: found.groups.map(groupName), axis: "top", tickSize: 0, ...(width < 520 && { tickFormat: (_: string, index: number) => String(index + 1) }) },
      y: { label: null, domain: strategies, tickSize: 0, tickFormat: short },
      marks: [
        Plot.cell(all, { x: "group", y: "strategy", fill: BLUE, fillOpacity: ({ detection }: GroupCell) => 0.06 + 0.6 * detection, inset: 1 }),
        Plot.text(all, { x: "group", y: "strategy", text: ({ detection }: GroupCell) => percent(detection), fill: INK }),
      ],
      opacity: { type: "identity" },
    });
  },
  rows: (found) => cells(found, Infinity),
  columns: () => [
    { name: t("strategy"), value: ({ strategy }) => strategy },
    { name: t("group (persons)"), value: ({ group }) => group },
    { name: t("detection"), value: ({ detection }) => detection, text: ({ detection }) => decimal(detection) },
  ],
};

/** What can be told of those who say the same of themselves: two shares, programs detected and humans not accused. */
const SHARES = [
  ["detected", t("programs detected"), BLUE],
  ["not_accused", t("humans not called artificial"), GREEN],
] as const;

export const attributeReport: Picture<AttributeReport, AttributeRow> = {
  name: "persons-by-profile",
  title: ({ text, rows }) => {
    const known = rows.filter(({ detected }) => detected.share !== null).sort((one, two) => (two.detected.share ?? 0) - (one.detected.share ?? 0));
    const [most, least] = [known[0], known.at(-1)];
    return most && least && most !== least
      ? t("{name}: “{most}” detects {high} of the programs, “{least}” {low}", { name: inWords(text), most: valueOf(most), high: percent(most.detected.share), least: valueOf(least), low: percent(least.detected.share) })
      : t("{name}: too few have answered to compare them", { name: inWords(text) });
  },
  note: () => t("Shares with 95 % intervals clustered by person, of those who are rated and gave this answer in their profile; numbers of persons in brackets. Nobody has to answer, so these are not random samples."),
  draw: ({ rows }, width) => {
    const letters = Math.floor((width * 0.42) / 7);
    const label = (row: AttributeRow) => `${valueOf(row).slice(0, letters)} (${count(row.persons)})`;
    const points = rows.flatMap((row) => SHARES.map(([key, text, colour]) => ({ row, text, colour, ...row[key] }))).filter(({ share }) => share !== null);
    return plot({
      width,
      height: 100 + rows.length * 30,
      marginLeft: 24 + 7 * Math.min(letters, Math.max(8, ...rows.map((row) => label(row).length))),
      marginRight: 16,
      x: { label: t("share"), domain: [0, 1], grid: true, tickFormat: (value: number) => decimal(value, 1) },
      y: { label: null, domain: rows.map(label), tickSize: 0 },
      marks: SHARES.flatMap(([, text, colour], index): Plot.Markish[] => {
        const own = points.filter((point) => point.text === text);
        const dy = index ? 5 : -5;
        return [
          Plot.ruleY(own, { y: ({ row }) => label(row), x1: "low", x2: "high", stroke: colour, strokeWidth: 1.6, dy }),
          Plot.dot(own, { y: ({ row }) => label(row), x: "share", r: 4.5, fill: colour, stroke: INK, dy, symbol: index ? "diamond" : "circle" }),
        ];
      }).concat([
        Plot.tip(points, Plot.pointer({ x: "share", y: ({ row }) => label(row), title: ({ row, text, share, low, high, of }: (typeof points)[number]) => `${valueOf(row)}\n${text}: ${decimal(share)} (${decimal(low)} … ${decimal(high)})\n${t("{n} judgements", { n: count(of) })}` })),
        legend(SHARES.map(([, text, colour]) => ({ text, colour, shape: "dot" }))),
      ]),
    });
  },
  rows: ({ rows }) => rows,
  columns: ({ text, rows }) => [
    { name: inWords(text), value: valueOf },
    { name: t("persons"), value: ({ persons }) => persons },
    { name: t("super experts"), value: ({ experts }) => experts },
    ...SHARES.flatMap(([key, name]) => [
      { name, value: (row: AttributeRow) => row[key].share, text: (row: AttributeRow) => decimal(row[key].share) },
      { name: t("{name}, low", { name }), value: (row: AttributeRow) => row[key].low, text: (row: AttributeRow) => decimal(row[key].low) },
      { name: t("{name}, high", { name }), value: (row: AttributeRow) => row[key].high, text: (row: AttributeRow) => decimal(row[key].high) },
    ]),
    { name: t("mean ability (logits)"), value: ({ ability }) => ability.mean, text: ({ ability }) => decimal(ability.mean) },
    { name: t("mean ability, low"), value: ({ ability }) => ability.low, text: ({ ability }) => decimal(ability.low) },
    { name: t("mean ability, high"), value: ({ ability }) => ability.high, text: ({ ability }) => decimal(ability.high) },
    ...(rows[0]?.groups ?? []).map((_, group) => ({ name: t("in group {n}", { n: group + 1 }), value: (row: AttributeRow) => row.groups[group] ?? 0 })),
  ],
};

const countries = new Intl.DisplayNames([language], { type: "region" });

function inWords(text: Readonly<Record<string, string>>): string {
  return text[language] ?? text["en"] ?? "";
}

/** An answer in the reader's language; those without words of their own are countries. */
function valueOf({ value, text }: AttributeRow): string {
  return inWords(text) || (/^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value);
}
