// SPDX-License-Identifier: Apache-2.0
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { linearScale, logScale, scaleFor } from "../../dist/units/view/scale.mjs";

test("ticks are round numbers without the errors of sums", () => {
  deepEqual(linearScale(0, 1).ticks, [0, 0.5, 1]);
  deepEqual(linearScale(0.1, 0.7, 6).ticks, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  deepEqual(linearScale(-3, 3).ticks, [-2, 0, 2]);
});
test("one value has a place in the middle", () => {
  for (const value of [0, 7, -2.5, 1e-300]) ok(Math.abs(linearScale(value, value).place(value) - 0.5) < 1e-12);
});
test("values far apart are shown by powers of ten", () => {
  const scale = scaleFor([0.001, 1, 100]);
  deepEqual(scale.ticks, [0.001, 0.1, 10]);
  equal(scale.place(0.001), 0);
  equal(scale.place(100), 1);
});
test("zero and what is below it are not", () => {
  ok(scaleFor([0, 1000]).place(500) === 0.5);
});
test("no value and half of all powers of ten do not stop it", () => {
  equal(scaleFor([]).place(0.5), 0.5);
  ok(logScale(1e-300, 1e300).ticks.length <= 6);
});
test("a hundred thousand values are no stack", () => {
  const values = Array.from({ length: 100_000 }, (_, i) => i);
  equal(scaleFor(values).place(99_999), 1);
});
