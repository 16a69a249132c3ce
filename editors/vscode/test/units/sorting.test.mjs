// SPDX-License-Identifier: Apache-2.0
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { clicked, sorted } from "../../dist/units/view/sorting.mjs";

const row = (rank, variant, score) => ({ rank, variant, score, text: `f${variant}`, choices: [] });
const order = (rows, column, isDescending = false) => sorted(rows, { column, isDescending }).map(({ rank }) => rank);

test("numbers of variants beyond 2^53 are compared digit by digit", () => {
  const rows = [row(1, "9007199254740993", 0), row(2, "9007199254740992", 0), row(3, "72", 0), row(4, "100", 0)];
  deepEqual(order(rows, "variant"), [3, 4, 2, 1]);
});
test("what has no score is last, upwards as well as behind infinities", () => {
  const rows = [row(1, "1", "NaN"), row(2, "2", "Infinity"), row(3, "3", 1), row(4, "4", null), row(5, "5", "-Infinity")];
  deepEqual(order(rows, "score"), [5, 3, 2, 1, 4]);
});
test("equal rows keep the order of the ranking, also downwards", () => {
  const rows = [row(3, "1", 2), row(1, "2", 2), row(2, "3", 1)];
  deepEqual(order(rows, "score"), [2, 1, 3]);
  deepEqual(order(rows, "score", true), [1, 3, 2]);
});
test("sorting leaves the rows themselves alone", () => {
  const rows = [row(2, "2", 2), row(1, "1", 1)];
  sorted(rows, { column: "rank", isDescending: false });
  equal(rows[0].rank, 2);
});
test("a second click turns a column around, another column begins upwards", () => {
  const once = clicked({ column: "rank", isDescending: false }, "score");
  deepEqual(once, { column: "score", isDescending: false });
  deepEqual(clicked(once, "score"), { column: "score", isDescending: true });
  deepEqual(clicked({ column: "score", isDescending: true }, "rank"), { column: "rank", isDescending: false });
});
