// What is told of a strategy never lies outside of the interval that stands beside it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./loading.mjs";

const { plainly } = await load("plots/plainly");

const rating = (detection, interval, plain) => ({
  detection, fun: 3, challenge: 2, plain,
  intervals: { detection: interval, fun: [2, 4], challenge: [1, 3] },
});

test("the plain mean is told where there is one", () => {
  const [row] = plainly([{ strategy: "A", rating: rating(0.73, [0.5, 0.57], { detection: 0.53, fun: 3.5, challenge: null }) }]);
  assert.deepEqual([row.rating.detection, row.rating.fun, row.rating.challenge], [0.53, 3.5, 2]);
});

test("ratings of before, which have a smoothed value only, are told within their interval", () => {
  const told = [0.73, 0.2, 0.55].map((value) => plainly([{ strategy: "A", rating: rating(value, [0.5, 0.57], null) }])[0].rating.detection);
  assert.deepEqual(told, [0.57, 0.5, 0.55]);
});
