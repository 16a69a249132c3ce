// SPDX-License-Identifier: Apache-2.0
// Statements and blocks that say something else than what is meant: an `=` for a `==`, a block that ends without its value, a
// `return` without one, a test without its name.
#pragma once
#include "frontend_gpu/findings/habits/refine_text.h"

namespace komuz::frontend {

// Each is false where it has nothing to say.
// What stands in a doc example and is not one expression; doc_examples.h says how it is read.
[[nodiscard]] bool refine_example(const Columns& c, Index t, Diagnostic& row);
// `test { … }`, `prop (n: i64) { … }`, `test adds() { … }`: these words are names where no string stands behind them.
[[nodiscard]] bool refine_unnamed(const Columns& c, Index node, Diagnostic& row);
// `n = 3` where a `bool` is wanted, of the assignment or of none
[[nodiscard]] bool refine_comparison(const Columns& c, Index assign, Diagnostic& row);
// `for … { … } -1`: a loop is no operand, so its block ends a statement.
[[nodiscard]] bool refine_loop_end(const Columns& c, Index node, Diagnostic& row);

// `let s = x - y`, and `-s` on the next line: of the `let`, or of the `s` that is not known there
[[nodiscard]] bool refine_sign_line(const Columns& c, Index let, Diagnostic& row);
[[nodiscard]] bool refine_own_value(const Columns& c, Index name, Diagnostic& row);

// Of a value that has another type than the one that is wanted: a block that ends without it
void refine_mismatch(const Columns& c, Index node, Diagnostic& row);
// `var y: i64;`: the name, and its type for the edit
void refine_binding(const Columns& c, Index node, Diagnostic& row);
// `return;`: where the function's result is `()`, that is what is meant.
void refine_return(const Columns& c, Index t, Diagnostic& row);

// Of a `;` behind which nothing stands: the statement before it; else kNone.
[[nodiscard]] Index last_statement(const Columns& c, Index semi);

// Of an `=` where a value stands: a comparison is meant, or what changes a variable, which gives no value.
void become_assigned(const Columns& c, Index sign, Diagnostic& row);

// A `let` on the line below an operator, which lacks its operand
[[nodiscard]] bool refine_missing_operand(const Columns& c, Index t, Diagnostic& row);
// `n //= 2`, of which the comment leaves `n` alone
[[nodiscard]] bool refine_commented_update(const Columns& c, Index node, Diagnostic& row);

}  // namespace komuz::frontend
