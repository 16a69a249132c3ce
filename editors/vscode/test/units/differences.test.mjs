// SPDX-License-Identifier: Apache-2.0
import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../dist/units/view/differences.mjs";

const choice = (hole, line, text) => ({ hole, range: { start: { line, character: 4 }, end: { line, character: 9 } }, text });
const row = (...choices) => ({ rank: 1, variant: "1", score: 0, text: "all of it", choices });

test("what all rows have is not said", () => {
  const rows = [row(choice("base", 0, "sqrt(l)"), choice("of", 1, "a")), row(choice("base", 0, "sqrt(l)"), choice("of", 1, "sin(a)"))];
  deepEqual(differences(rows), ["of = a", "of = sin(a)"]);
});
test("holes without a name are told apart by their places", () => {
  deepEqual(differences([row(choice("", 0, "1"), choice("", 1, "2")), row(choice("", 0, "1"), choice("", 1, "1"))]), ["2", "1"]);
});
test("a hole that only some have is said", () => {
  deepEqual(differences([row(choice("a", 0, "1"), choice("b", 1, "2")), row(choice("a", 0, "1"))]), ["b = 2", "all of it"]);
});
test("a row that is alone is said whole", () => deepEqual(differences([row(choice("a", 0, "1"))]), ["all of it"]));
test("of no rows nothing is said", () => deepEqual(differences([]), []));
