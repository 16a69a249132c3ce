// SPDX-License-Identifier: Apache-2.0
// What the tokens before a word say of its place, as they are written: no tree is needed, which a broken line has not.
#pragma once
#include <string>

#include "services/analysis.h"

namespace komuz::services {

// The last token that begins before a byte of the program; kNone: there is none.
[[nodiscard]] frontend::Index token_before(const Analysis& analysis, u32 byte);

// True behind a word that is followed by a name of the writer's own: `fn`, `const`, `for`.
[[nodiscard]] bool takes_new_name(const Analysis& analysis, u32 byte);
// True behind an operand on its line: only an operator or a word like `else` can continue it.
[[nodiscard]] bool is_behind_operand(const Analysis& analysis, u32 byte);
// True where an arm of a `match` begins.
[[nodiscard]] bool begins_arm(const Analysis& analysis, u32 byte);
// What closes all that is open in front of the byte, up to the item around it: `) }`.
[[nodiscard]] std::string open_brackets(const Analysis& analysis, u32 byte);
// The first token of the range of a grid, `?(0.0..1.0, `, between whose parentheses the byte is, behind the range; kNone: it is not.
[[nodiscard]] frontend::Index grid_around(const Analysis& analysis, u32 byte);

}  // namespace komuz::services
