/** Numbers and times as the pages write them. Statistics have a decimal point in both languages, as in the server's tables. */

import { language } from "../i18n";

const counts = new Intl.NumberFormat(language === "de" ? "de" : "en");
const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const hours = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat(language, { timeStyle: "short", hourCycle: "h23", timeZone: "UTC" });

export type Unit = "hour" | "day" | "week";

export const NOTHING = "–";

export function count(value: number): string {
  return counts.format(value);
}

export function decimal(value: number | null | undefined, digits = 2): string {
  return value == null || !Number.isFinite(value) ? NOTHING : value.toFixed(digits).replace("-", "−");
}

export function percent(value: number | null | undefined, digits = 0): string {
  return value == null ? NOTHING : `${(100 * value).toFixed(digits)} %`;
}

export function interval(low: number, high: number): string {
  return `${decimal(low)} … ${decimal(high)}`;
}

/** The beginning of an hour, day or week, in UTC as everywhere in the study. */
export function moment(at: string | Date, unit: Unit): string {
  return (unit === "hour" ? hours : days).format(new Date(at));
}

export function timeOfDay(at: string): string {
  return `${clock.format(new Date(at))} UTC`;
}
