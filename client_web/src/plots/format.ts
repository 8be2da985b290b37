/** Numbers and times as the page's language writes them, and as the server's tables do (server/web/figures.py). */

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
  return value == null || !Number.isFinite(value) ? NOTHING : fixed(value, digits);
}

export function percent(value: number | null | undefined, digits = 0): string {
  return value == null ? NOTHING : `${fixed(100 * value, digits)}\u00a0%`; // a line never ends between the two
}

/** With so many digits after the decimal sign, and a real minus sign. */
function fixed(value: number, digits: number): string {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
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

const months = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
const dayAndMonth = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" });

/** What stands at a tick of a time axis: the finest part that differs, and below it the next coarser one where it changes. */
export function timeTick(at: Date, index: number, ticks: readonly Date[] = [at]): string {
  const [upper, lower] = ticks.some((tick) => tick.getUTCHours() + tick.getUTCMinutes() > 0)
    ? [(tick: Date) => clock.format(tick), (tick: Date) => dayAndMonth.format(tick)]
    : ticks.some((tick) => tick.getUTCDate() > 1)
      ? [(tick: Date) => String(tick.getUTCDate()), (tick: Date) => months.format(tick)]
      : [(tick: Date) => months.format(tick), (tick: Date) => String(tick.getUTCFullYear())];
  const before = ticks[index - 1];
  return before && lower(before) === lower(at) ? upper(at) : `${upper(at)}\n${lower(at)}`;
}
