// SPDX-License-Identifier: Apache-2.0
// Chains and their lambdas as other languages write them: an index beside the element, `fold` with its arguments in
// another order, blocks that are lambdas. Each function returns false if it has nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `xs.map((b, i) => …)` where the elements are no pairs. Takes the pattern.
[[nodiscard]] bool refine_indexed(const Columns& c, Index pattern, Diagnostic& row);
// `xs.fold((a, x) => a + x, 0)`, `map(x => x + 1, xs)`: takes the arrow, or what stands where the lambda should.
// `xs.fold(0)((a, x) => …)`: takes the first call.
[[nodiscard]] bool refine_fold(const Columns& c, Index node, Diagnostic& row);
// `xs.map { it + 1 }`, `xs.map({ it + 1 })`, `xs.fold(0) { a, x -> a + x }`. Takes a token that the braces put in a
// wrong place.
[[nodiscard]] bool refine_block_lambda(const Columns& c, Index t, Diagnostic& row);
// `sorted(xs, key=x => -x)`, `max(xs, key=x => -x)`. Takes the parenthesis.
[[nodiscard]] bool refine_keyed(const Columns& c, Index open, Diagnostic& row);
// `lambda x: x + 1`, `fun x -> x + 1`: takes the word or what stands behind it. `\x -> x + 1`: takes the sign.
// Points at the head.
[[nodiscard]] bool refine_lambda_word(const Columns& c, Index t, Diagnostic& row);
// `xs.map(it + 1)`, `xs.map(_ + 1)`. Takes the name.
[[nodiscard]] bool refine_it(const Columns& c, Index name, Diagnostic& row);

// `|a: f64| -> f64 { a }`. Takes the first bar or the `:` behind it.
[[nodiscard]] bool refine_typed_bars(const Columns& c, Index t, Diagnostic& row);
// `xs.map(V)` with a constructor.
[[nodiscard]] bool refine_constructor_lambda(const Columns& c, Index t, Diagnostic& row);

// `(sum, i, x) => …` in a `fold` over pairs: which parameters stand for a pair.
void refine_fold_parameters(const Columns& c, Index pattern, Diagnostic& row);

}  // namespace komuz::frontend
