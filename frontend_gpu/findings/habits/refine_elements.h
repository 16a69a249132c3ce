// SPDX-License-Identifier: Apache-2.0
// Lists and tuples, and questions to them, as other languages write them. Each function returns false if it has
// nothing to say.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// `xs[0:2]`, `xs[1..]`. Takes a mark in the brackets.
[[nodiscard]] bool refine_slice(const Columns& c, Index t, Diagnostic& row);
// `[x * 2 for x in xs]`. Takes the `for`.
[[nodiscard]] bool refine_comprehension(const Columns& c, Index t, Diagnostic& row);
// `[...xs, 3]`, `[*xs, 3]`. Takes the sign before the list.
[[nodiscard]] bool refine_spread(const Columns& c, Index t, Diagnostic& row);
// `{"a": 1}` and `{1, 2}`. Takes what stands directly in the braces.
[[nodiscard]] bool refine_collection(const Columns& c, Index node, Diagnostic& row);
// `let m = {};`. Takes an index into `m`, and points at the braces.
[[nodiscard]] bool refine_empty_braces(const Columns& c, Index index, Diagnostic& row);
// `?a{x, y}`. Takes a token that the braces put in a wrong place.
[[nodiscard]] bool refine_choice_braces(const Columns& c, Index t, Diagnostic& row);
// `3 in xs`
[[nodiscard]] bool refine_in(const Columns& c, Index node, Diagnostic& row);
// `let (x: a, y: b) = t`, `let (a: i64, b: i64) = t`, `type P = (x: f64, y: f64);`. Takes the `:`.
[[nodiscard]] bool refine_tuple_name(const Columns& c, Index colon, Diagnostic& row);
// `P(x = 1.0)`, `f(n=3)`. Takes the `=`.
[[nodiscard]] bool refine_field_colon(const Columns& c, Index assign, Diagnostic& row);
// `[1, true]`. Takes the element that does not fit.
[[nodiscard]] bool refine_element_types(const Columns& c, Index element, Diagnostic& row);

}  // namespace komuz::frontend
