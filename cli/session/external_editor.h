// SPDX-License-Identifier: Apache-2.0
// A text in the user's own editor.
#pragma once
#include <string>

#include "base/problem.h"

namespace komuz::cli {

// Opens it in $VISUAL or $EDITOR, in a file that nobody else can read, and gives what it is then. Where there is a problem
// the text stays as it was.
Problem edit_outside(std::string& text);

}  // namespace komuz::cli
