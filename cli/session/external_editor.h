// SPDX-License-Identifier: Apache-2.0
// Edits a text in the user's own editor.
#pragma once
#include <string>

namespace komuz::cli {

// Opens the text in $VISUAL or $EDITOR, in a file that nobody else can read, and replaces it by the result. Returns
// the fault; the text then stays as it was.
[[nodiscard]] std::string edit_outside(std::string& text);

}  // namespace komuz::cli
