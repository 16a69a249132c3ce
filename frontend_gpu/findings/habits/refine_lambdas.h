// SPDX-License-Identifier: Apache-2.0
// Chains and their lambdas as other languages write them: an index beside the element, `fold` with its arguments in another
// order, blocks that are lambdas. Each is false where it has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `xs.map((b, i) => …)` of elements that are no pairs, of the pattern
[[nodiscard]] bool refine_indexed(const Columns& c, Index pattern, Diagnostic& row);
// `xs.fold((a, x) => a + x, 0)`, `map(x => x + 1, xs)`, of the arrow or of what stands where the lambda should;
// `xs.fold(0)((a, x) => …)`, of the first call
[[nodiscard]] bool refine_fold(const Columns& c, Index node, Diagnostic& row);
// `xs.map { it + 1 }`, `xs.map({ it + 1 })`, `xs.fold(0) { a, x -> a + x }`, of what the braces make of it
[[nodiscard]] bool refine_block_lambda(const Columns& c, Index t, Diagnostic& row);
// `sorted(xs, key=x => -x)`, `max(xs, key=x => -x)`, of the parenthesis
[[nodiscard]] bool refine_keyed(const Columns& c, Index open, Diagnostic& row);
// `lambda x: x + 1`, `fun x -> x + 1`, of the word or what stands behind it; `\x -> x + 1`, of the sign: the head
[[nodiscard]] bool refine_lambda_word(const Columns& c, Index t, Diagnostic& row);
// `xs.map(it + 1)`, `xs.map(_ + 1)`, of the name
[[nodiscard]] bool refine_it(const Columns& c, Index name, Diagnostic& row);

// `|a: f64| -> f64 { a }`: bars, of the first one or of the `:` behind it.
[[nodiscard]] bool refine_typed_bars(const Columns& c, Index t, Diagnostic& row);
// `xs.map(V)` of a constructor
[[nodiscard]] bool refine_constructor_lambda(const Columns& c, Index t, Diagnostic& row);

// `(sum, i, x) => …` of a `fold`: which parameters a pair has, where the elements are pairs
void refine_fold_parameters(const Columns& c, Index pattern, Diagnostic& row);

}  // namespace komuz::frontend
