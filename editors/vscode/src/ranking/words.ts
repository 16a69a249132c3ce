// SPDX-License-Identifier: Apache-2.0
// Numbers and states of a ranking in words: the view, the status bar and messages say the same.
import type { Ranking, Score } from "../server/protocol";

/** `1251` as `1,251`. Any number of digits. */
export function grouped(count: string | number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Six digits, as `komuz eval` shows them. */
export function scoreWords(score: Score): string {
  if (score === null) return "–";
  return typeof score === "number" ? String(Number(score.toPrecision(6))) : { NaN: "NaN", Infinity: "inf", "-Infinity": "-inf" }[score];
}

export const countOf = (count: string | number, noun: string): string => `${grouped(count)} ${noun}${String(count) === "1" ? "" : "s"}`;

/** `1,251 variants · 36 cases of periods.csv · squared (smaller is better) · 3 failed`. */
export function summary(ranking: Ranking): string {
  const parts: string[] = [];
  const { variants, evaluated = 0, cases, harness, score, failed = 0, lowerIsBetter } = ranking;
  if (variants !== undefined) parts.push(countOf(variants, "variant"));
  if (variants !== undefined && String(evaluated) !== variants)
    parts.push(ranking.state === "running" ? `${grouped(evaluated)} evaluated so far` : `a sample of ${grouped(evaluated)}`);
  if (cases) parts.push(cases.rows === undefined ? cases.file : `${countOf(cases.rows, "case")} of ${cases.file}`);
  if (harness) parts.push(`harness ${harness.file}`);
  if (score !== undefined) parts.push(lowerIsBetter === undefined ? score : `${score} (${lowerIsBetter ? "smaller" : "larger"} is better)`);
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  return parts.join(" · ");
}

/** How much is done, from 0 to 1; undefined where nobody knows. */
export function progress(ranking: Ranking): number | undefined {
  const all = Number(ranking.variants);
  return ranking.evaluated !== undefined && all > 0 ? Math.min(1, ranking.evaluated / all) : undefined;
}
