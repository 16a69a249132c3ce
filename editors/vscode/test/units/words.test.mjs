// SPDX-License-Identifier: Apache-2.0
import { equal } from "node:assert/strict";
import { test } from "node:test";
import { grouped, progress, scoreWords, summary } from "../../dist/units/ranking/words.mjs";

test("counts have groups, whatever their length", () => {
  equal(grouped("1251"), "1,251");
  equal(grouped(999), "999");
  equal(grouped("123456789012345678901234567890"), "123,456,789,012,345,678,901,234,567,890");
});
test("scores have six digits, and words where they are no numbers", () => {
  equal(scoreWords(0.000770123456), "0.000770123");
  equal(scoreWords(2), "2");
  equal(scoreWords("-Infinity"), "-inf");
  equal(scoreWords(null), "–");
});
const done = { state: "done", version: 1, variants: "1251", evaluated: 1251, cases: { file: "periods.csv", rows: 36 }, score: "squared", lowerIsBetter: true, failed: 3 };
test("the summary says what was ranked, on what and how", () => {
  equal(summary(done), "1,251 variants · 36 cases of periods.csv · squared (smaller is better) · 3 failed");
  equal(summary({ ...done, variants: "1", evaluated: 1, failed: 0 }), "1 variant · 36 cases of periods.csv · squared (smaller is better)");
});
test("a sample is no whole, and what runs is not done", () => {
  equal(summary({ ...done, variants: "99999", failed: 0, isSample: true }).split(" · ")[1], "a sample of 1,251");
  equal(summary({ ...done, state: "running", evaluated: 10 }).split(" · ")[1], "10 evaluated so far");
  equal(progress({ ...done, state: "running", evaluated: 625.5 }), 0.5);
  equal(progress({ state: "running", version: 1 }), undefined);
});
test("cases that have not been read have no number", () => {
  equal(summary({ state: "failed", version: 1, cases: { file: "periods.csv" }, score: "squared" }), "periods.csv · squared");
});
test("of nothing nothing is said", () => equal(summary({ state: "none", version: 1 }), ""));
