// SPDX-License-Identifier: Apache-2.0
// Types as other languages write them: `Vec<i64>`, `list[i64]`, `fn(i64) -> i64`.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Each of these returns false if it has nothing to say. This one takes a `<`, or a token behind it that an angle
// put in a wrong place.
[[nodiscard]] bool refine_angles(const Columns& c, Index t, Diagnostic& row);
// Takes the `[` behind the name of a type that has no brackets.
[[nodiscard]] bool refine_type_brackets(const Columns& c, Index bracket, Diagnostic& row);
// `xs: []T`, `xs: []const T`, `xs: [8]T`. Takes the T.
[[nodiscard]] bool refine_leading_brackets(const Columns& c, Index t, Diagnostic& row);
// `type P = P { x: f64 };`. Takes the brace.
[[nodiscard]] bool refine_type_braces(const Columns& c, Index t, Diagnostic& row);
// `str` and the like as the type of a parameter. The row keeps where the type ends.
[[nodiscard]] bool refine_text_type(const Columns& c, Index t, Diagnostic& row);
// Takes an arrow, or `Fn`, in the type of a parameter, a variable or a result.
[[nodiscard]] bool refine_function_type(const Columns& c, Index t, Diagnostic& row);

// `xs: [i64] in 0..10` of a property. Takes the type or the range.
[[nodiscard]] bool refine_elements_range(const Columns& c, Index node, Diagnostic& row);

// `-> Vec<i64> {` of a function that seems to lack its body, because the block belongs to what the `>` compares.
void refine_result(const Columns& c, Index t, Diagnostic& row);
// `type P = { x: f64 };`. Takes the brace, and points at all of the braces.
void refine_type_body(const Columns& c, Index t, Diagnostic& row);

// The first alternative of the sum that type_brief.h packed; kNone: the type is no sum.
[[nodiscard]] Index first_of_sum(const Columns& c, u32 brief);

// `f: fn(i64) -> i64`: the `fn` starts an item. Joins the findings that this causes in both items.
void refine_function_types(const Columns& c, std::vector<Finding>& findings);

// `type A = P(Option[i64]) | Q;`. Takes the bracket behind a type that has no name.
[[nodiscard]] bool refine_field_type(const Columns& c, Index bracket, Diagnostic& row);

}  // namespace komuz::frontend
