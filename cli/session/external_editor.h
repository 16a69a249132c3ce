// SPDX-License-Identifier: Apache-2.0
// Edits a text in the user's own editor.
#pragma once
#include <string>

#include "base/problem.h"

namespace komuz::cli {

// Opens the text in $VISUAL or $EDITOR, in a file that nobody else can read, and replaces it by the result. After a
// problem the text stays as it was.
Problem edit_outside(std::string& text);

}  // namespace komuz::cli
