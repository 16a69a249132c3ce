// SPDX-License-Identifier: Apache-2.0
// The rows of the table in the order that a reader asks for.
import type { RankingRow, Score } from "../server/protocol";

export const columns = ["rank", "variant", "score", "passed", "fuel", "bytes", "text"] as const;
export type Column = (typeof columns)[number];
export interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

/** What is no number stands last. */
function compareScores(a: Score, b: Score): number {
  const [first, second] = [Number(a ?? NaN), Number(b ?? NaN)];
  if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
  return first < second ? -1 : first > second ? 1 : 0;
}
/** Numbers of variants may be beyond 2^53. */
function compareNumbers(a: string, b: string): number {
  return a.length - b.length || compareTexts(a, b);
}
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const comparisons: Record<Column, (a: RankingRow, b: RankingRow) => number> = {
  rank: (a, b) => a.rank - b.rank,
  variant: (a, b) => compareNumbers(a.variant, b.variant),
  score: (a, b) => compareScores(a.score, b.score),
  passed: (a, b) => (a.passed ?? 0) - (b.passed ?? 0),
  fuel: (a, b) => (a.fuel ?? 0) - (b.fuel ?? 0),
  bytes: (a, b) => (a.bytes ?? 0) - (b.bytes ?? 0),
  text: (a, b) => compareTexts(a.text ?? "", b.text ?? ""),
};

/** Rows that are equal stay in the order of the ranking. */
export function sorted(rows: readonly RankingRow[], { column, isDescending }: Order): RankingRow[] {
  const compare = comparisons[column];
  return [...rows].sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)) || a.rank - b.rank);
}

/** Another click turns the column around. */
export function clicked(order: Order, column: Column): Order {
  return { column, isDescending: order.column === column && !order.isDescending };
}
