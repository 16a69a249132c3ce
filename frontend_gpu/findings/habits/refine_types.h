// SPDX-License-Identifier: Apache-2.0
// Refinements of what stands where a type does: `Vec<i64>`, `list[i64]`, `fn(i64) -> i64`.
#pragma once
#include <vector>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Each is false where it has nothing to say.
// Of a `<`, or of what an angle makes of the tokens behind it
[[nodiscard]] bool refine_angles(const Columns& c, Index t, Diagnostic& row);
// Of the `[` behind the name of a type that takes none
[[nodiscard]] bool refine_type_brackets(const Columns& c, Index bracket, Diagnostic& row);
// `xs: []T`, `xs: []const T`, `xs: [8]T`, of the T
[[nodiscard]] bool refine_leading_brackets(const Columns& c, Index t, Diagnostic& row);
// `type P = P { x: f64 };`, of the brace
[[nodiscard]] bool refine_type_braces(const Columns& c, Index t, Diagnostic& row);
// Of `str` and the like as the type of a parameter: where it ends
[[nodiscard]] bool refine_text_type(const Columns& c, Index t, Diagnostic& row);
// Of an arrow, or of `Fn`, in the type of a parameter, of a variable or of a result
[[nodiscard]] bool refine_function_type(const Columns& c, Index t, Diagnostic& row);

// `xs: [i64] in 0..10` of a property, of the type or the range
[[nodiscard]] bool refine_elements_range(const Columns& c, Index node, Diagnostic& row);

// `-> Vec<i64> {` of a function that lacks its body: the block belongs to what the `>` compares.
void refine_result(const Columns& c, Index t, Diagnostic& row);
// `type P = { x: f64 };`, of the brace: all of the braces
void refine_type_body(const Columns& c, Index t, Diagnostic& row);

// The first alternative of the sum that a type is, as type_brief.h packs it; kNone: it is none.
[[nodiscard]] Index first_of_sum(const Columns& c, u32 brief);

// `f: fn(i64) -> i64`: its `fn` starts an item. One finding for what that makes of both items.
void refine_function_types(const Columns& c, std::vector<Finding>& findings);

// `type A = P(Option[i64]) | Q;`, of the bracket behind a type that has no name
[[nodiscard]] bool refine_field_type(const Columns& c, Index bracket, Diagnostic& row);

}  // namespace komuz::frontend
