// SPDX-License-Identifier: Apache-2.0
// Statements and blocks that say something else than what is meant: `=` for `==`, a block that ends without its
// value, a `return` without a value, a test without a name.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Each of these returns false if it has nothing to say. This one takes tokens of a doc example that is not one
// expression; doc_examples.h describes how an example is read.
[[nodiscard]] bool refine_example(const Columns& c, Index t, Diagnostic& row);
// `test { … }`, `prop (n: i64) { … }`, `test adds() { … }`: these words are names if no string stands behind them.
[[nodiscard]] bool refine_unnamed(const Columns& c, Index node, Diagnostic& row);
// `n = 3` where a `bool` is wanted. Takes the assignment or kNone.
[[nodiscard]] bool refine_comparison(const Columns& c, Index assign, Diagnostic& row);
// `for … { … } -1`: a loop is no operand, so its block ends a statement.
[[nodiscard]] bool refine_loop_end(const Columns& c, Index node, Diagnostic& row);

// `let s = x - y`, and `-s` on the next line. Takes the `let`, or the `s`, which is not known there.
[[nodiscard]] bool refine_sign_line(const Columns& c, Index let, Diagnostic& row);
[[nodiscard]] bool refine_own_value(const Columns& c, Index name, Diagnostic& row);

// A value of another type than the wanted one: a block that ends without its value.
void refine_mismatch(const Columns& c, Index node, Diagnostic& row);
// `var y: i64;`. The row keeps the name, and for the edit its type.
void refine_binding(const Columns& c, Index node, Diagnostic& row);
// `return;`, which is meant so where the function's result is `()`.
void refine_return(const Columns& c, Index t, Diagnostic& row);

// The statement before a `;` behind which nothing stands; kNone: it is another `;`.
[[nodiscard]] Index last_statement(const Columns& c, Index semi);

// A `=` where a value stands. A comparison is meant, or the change of a variable, which gives no value.
void become_assigned(const Columns& c, Index sign, Diagnostic& row);

// A `let` on the line below an operator whose operand is missing.
[[nodiscard]] bool refine_missing_operand(const Columns& c, Index t, Diagnostic& row);
// `n //= 2`, where the comment leaves only `n`.
[[nodiscard]] bool refine_commented_update(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
