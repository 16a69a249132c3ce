// SPDX-License-Identifier: Apache-2.0
// Converts a paste to the text of an input.
#pragma once
#include <string>
#include <string_view>

namespace komuz::editor {

// Line ends become `\n`, with none at the end, so that nothing runs before Enter. A paste that starts with a prompt
// is taken for the output of a session: its inputs are kept without their prompts, its answers are dropped.
[[nodiscard]] std::string from_paste(std::string_view pasted);

}  // namespace komuz::editor
