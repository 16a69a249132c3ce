// SPDX-License-Identifier: Apache-2.0
// Komuz's own messages, as docs/lsp.md says them. Places count UTF-16 units, as VS Code does. Shared with the view, so it knows no VS Code.

export interface Place {
  readonly line: number;
  readonly character: number;
}
export interface Span {
  readonly start: Place;
  readonly end: Place;
}
/** JSON has no word for what is no number; null: the variant has no score. */
export type Score = number | "NaN" | "Infinity" | "-Infinity" | null;

export interface Choice {
  /** Empty: the hole has no name. */
  readonly hole: string;
  readonly range: Span;
  readonly text: string;
}
export interface WorstCase {
  /** The case's number, and the line of its file where it begins; both from 1. */
  readonly row: number;
  readonly line?: number;
  readonly expected: string;
  readonly actual: string;
  readonly inputs: readonly { readonly name: string; readonly value: string }[];
}
export interface RankingRow {
  readonly rank: number;
  readonly variant: string;
  readonly score: Score;
  /** Cases that are exactly as expected. */
  readonly passed?: number;
  readonly fuel?: number;
  readonly bytes?: number;
  readonly text?: string;
  readonly choices: readonly Choice[];
  /** Of the best alone. */
  readonly worst?: WorstCase;
}
export type RankingState = "none" | "running" | "done" | "failed";

/** The answer of `komuz/ranking`. Numbers of variants are decimal text: they may be beyond 2^53. */
export interface Ranking {
  readonly state: RankingState;
  readonly problem?: string;
  readonly version: number;
  /** `rows`: when they have been read. */
  readonly cases?: { readonly file: string; readonly rows?: number };
  readonly harness?: { readonly file: string };
  readonly score?: string;
  readonly lowerIsBetter?: boolean;
  readonly variants?: string;
  readonly evaluated?: number;
  readonly isSample?: boolean;
  readonly failed?: number;
  readonly total?: number;
  readonly rows?: readonly RankingRow[];
  readonly charts?: { readonly actualAgainstExpected?: readonly (readonly [number, number])[] };
}
/** What `komuz/rankingChanged` says: at most ten a second, and one at the end. */
export interface RankingChanged {
  readonly uri: string;
  readonly version: number;
  readonly state: RankingState;
  readonly problem?: string;
  readonly variants?: string;
  readonly evaluated?: number;
  readonly best?: { readonly variant: string; readonly score: Score };
}
/** The answer of `komuz/code`. */
export interface Code {
  readonly name: string;
  readonly range: Span;
  readonly text: string;
}
/** What the command `komuz.run` gives. */
export interface RunResult {
  readonly passed: boolean;
  readonly message: string;
  readonly ticks?: number;
  /** Of the first comparison that failed. */
  readonly expected?: string;
  readonly actual?: string;
}
