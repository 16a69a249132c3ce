// SPDX-License-Identifier: Apache-2.0
// Writes formatted programs in other layouts.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::test {

enum class Relayout : u8 {
  Blanks,  // other blanks and line ends; fewer `;` where line ends imply them; numbers in parentheses. The same tree
  Comments,  // also comments between tokens
};
// For a formatted source, without its own comments.
[[nodiscard]] std::string relayout(frontend::Compiler& compiler, std::string_view source, u64 seed,
                                   Relayout kind);

}  // namespace komuz::test
