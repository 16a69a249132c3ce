// SPDX-License-Identifier: Apache-2.0
// What the extension and its ranking view say to each other.
import type { Ranking, Span } from "../server/protocol";

export type ToView =
  | { readonly kind: "ranking"; readonly file: string; readonly ranking: Ranking; readonly canSearch: boolean }
  | { readonly kind: "program"; readonly variant: string; readonly text: string }
  /** Something did not work: words for a person. */
  | { readonly kind: "problem"; readonly words: string };

export type FromView =
  | { readonly kind: "ready" }
  /** More rows: so many in all. */
  | { readonly kind: "rows"; readonly count: number }
  | { readonly kind: "show" | "fill" | "keep"; readonly variant: string }
  | { readonly kind: "fillBest" | "search" }
  /** The hole that an alternative was chosen for. */
  | { readonly kind: "reveal"; readonly range: Span }
  /** A line of the file of cases, from 1. */
  | { readonly kind: "openCase"; readonly line: number };

/** A document is remembered by the view, for a window that is opened again. */
export interface ViewState {
  readonly uri: string;
}
