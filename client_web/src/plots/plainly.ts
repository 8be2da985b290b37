/** Ratings as they are told beside their intervals. */

import type { Rating, StrategyRow } from "./data";

export type Rated = StrategyRow & { readonly rating: Rating };

export function rated(rows: readonly StrategyRow[]): Rated[] {
  return rows.filter((row): row is Rated => row.rating !== null);
}

/**
 * With the plain means, which the intervals are about, in place of the smoothed ratings. Older ratings have the latter only: what lies
 * outside of the interval is told as its nearer end, because no number may contradict what stands beside it.
 */
export function plainly(rows: readonly StrategyRow[]): Rated[] {
  return rated(rows).map((row) => {
    const { plain, intervals } = row.rating;
    const mean = (of: "detection" | "fun" | "challenge"): number => plain?.[of] ?? within(row.rating[of], intervals[of]);
    return { ...row, rating: { ...row.rating, detection: mean("detection"), fun: mean("fun"), challenge: mean("challenge") } };
  });
}

const within = (value: number, [low, high]: readonly [number, number]): number => Math.min(Math.max(value, low), high);
