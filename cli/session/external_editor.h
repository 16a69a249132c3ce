// SPDX-License-Identifier: Apache-2.0
// A text in the user's own editor.
#pragma once
#include <string>

namespace komuz::cli {

// Opens it in $VISUAL or $EDITOR, in a file that nobody else can read, and gives what it is then. Returns what went wrong; then
// the text stays as it was.
[[nodiscard]] std::string edit_outside(std::string& text);

}  // namespace komuz::cli
