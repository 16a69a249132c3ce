// SPDX-License-Identifier: Apache-2.0
// Files that hold a table, and are no text: what they are by their first bytes, and how a text is made of them.
#pragma once
#include <string_view>

#include "base/problem.h"
#include "engine/support/shown.h"

namespace komuz::engine {

// Nothing: it is no file of a kind that is known.
Problem foreign_file_error(std::string_view file, std::string_view bytes);

}  // namespace komuz::engine
