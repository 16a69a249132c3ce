// SPDX-License-Identifier: Apache-2.0
// Programs whose heads end in blocks: `if (true && { c }) {`. The generator puts each block into its own parentheses.
#pragma once
#include <string>
#include <string_view>

#include "frontend_gpu/frontend.h"

namespace komuz::test {

// A source that compiles, with conditions, guards and ends of ranges in blocks, and the parentheses that they need.
[[nodiscard]] std::string with_block_heads(frontend::Compiler& compiler, std::string_view source);

}  // namespace komuz::test
