// SPDX-License-Identifier: Apache-2.0
// Heads of functions as other languages write them: `def f(x: float) -> float:`, `fn f(n: i64) -> i64:`,
// `fn f(n: i64 = 3)`.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

// Takes a row that says that `def` is no word, or that what stands at or behind the `:` is no item.
void refine_definition(const Columns& c, Diagnostic& row);
// `const f = (a, b) => a + b;`. Takes the arrow; false: it is another one.
[[nodiscard]] bool refine_constant_function(const Columns& c, Index arrow, Diagnostic& row);
// `K = 2.0`, `f = x => x + 1` between items. Takes the `=` or a token behind it; false: it is something else.
[[nodiscard]] bool refine_bare_item(const Columns& c, Index t, Diagnostic& row);
// `fn f<T: Ord>(a: T)`. Takes the `:`, or the `=` in `<T: Add<Output = T>>`; false: it is another one.
[[nodiscard]] bool refine_type_bound(const Columns& c, Index sign, Diagnostic& row);
// `fn f(n: i64 = 3)`. Takes the `=`; false: it is another one.
[[nodiscard]] bool refine_default(const Columns& c, Index assign, Diagnostic& row);

// `fn f(a i64)`, `fn f(a, b []f64)`. Takes a token of the type; false: it is something else.
[[nodiscard]] bool refine_bare_parameter(const Columns& c, Index t, Diagnostic& row);

// `fn f(var n: i64)`. Takes the word before the name.
[[nodiscard]] bool refine_declared_parameter(const Columns& c, Index t, Diagnostic& row);

}  // namespace komuz::frontend
