// CSV files made in the browser: no text of anybody becomes a formula, wherever a spreadsheet splits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./loading.mjs";

const { csvOf } = await load("plots/csv");
const FORMULAS = ["=1+1", "+1+1", "-1+A1", "@SUM(A1)", " =1", "\ufeff=1", "＝1"];

/** The fields of a file with one field. */
const only = (value) => csvOf([[value]]).replace(/\r\n$/, "").replace(/^"([^]*)"$/, (_, quoted) => quoted.replaceAll('""', '"'));

test("a formula is kept a text", () => {
  for (const formula of FORMULAS) assert.equal(only(formula), `'${formula}`);
});

test("both before and behind a sign at which it begins", () => {
  for (const sign of ["\t", "\r", "\n"]) assert.equal(only(`${sign}=1`), `'${sign}'=1`);
});

test("so is one behind a sign at which some spreadsheets split", () => {
  for (const sign of [";", "\t", "|", "\n", "\r"]) {
    for (const formula of [...FORMULAS, '"=1']) assert.deepEqual(only(`a${sign}${formula}${sign}b`).split(sign), ["a", `'${formula}`, "b"]);
  }
});

test("numbers and other texts stay as they are", () => {
  for (const value of [-0.5, 7, "-0.25", "3e-7", "a=b", "a; b", "1-1", true]) assert.equal(only(value), String(value));
  assert.equal(csvOf([["a", null], ['say "x"', "b,c"]]), 'a,\r\n"say ""x""","b,c"\r\n');
});
