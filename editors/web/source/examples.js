// SPDX-License-Identifier: Apache-2.0
// The examples that the page offers: sketches of examples/sketches/ and their cases, which the executable carries (CMakeLists.txt).

export const EXAMPLES = [
  { title: "The period of a pendulum", sketch: "formula.komuz", cases: "periods.csv", score: "squared" },
  { title: "The mass of a fast body", sketch: "mass.komuz", cases: "I.10.7.csv", score: "relative" },
  { title: "A rule on lists", sketch: "caesar.komuz", cases: "caesar_3_modulo_4.jsonl" },
];

const text = async (name) => {
  const answer = await fetch("examples/" + name);
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  return answer.text();
};

/** The texts of an example. Its sketch names its cases, if it has no line for that. */
export async function load({ sketch, cases, score }) {
  const [program, rows] = await Promise.all([text(sketch), text(cases)]);
  const head = `//! cases: ${cases}\n` + (score ? `//! score: ${score}\n` : "");
  return { program: /^\/\/! cases:/m.test(program) ? program : head + program, cases, rows };
}
