// SPDX-License-Identifier: Apache-2.0
// What is pasted as text of an input.
#pragma once
#include <string>
#include <string_view>

namespace komuz::editor {

// Line ends are `\n`, none at the end, so that nothing runs before Enter. Where it starts with a prompt it is taken for what a
// session showed: the inputs without their prompts, and not the answers.
[[nodiscard]] std::string from_paste(std::string_view pasted);

}  // namespace komuz::editor
