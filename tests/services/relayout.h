// SPDX-License-Identifier: Apache-2.0
// Writes formatted programs in other layouts.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::test {

enum class Relayout : u8 {
  Blanks,  // other blanks and line ends; `;` left out where a line end says it; numbers in parentheses. The same tree
  Comments,  // comments between tokens, too
};
// Of a source that is formatted, with its own comments left out.
[[nodiscard]] std::string relayout(frontend::Compiler& compiler, std::string_view source, u64 seed,
                                   Relayout kind);

}  // namespace komuz::test
