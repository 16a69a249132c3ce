// SPDX-License-Identifier: Apache-2.0
// Recognises table files that are not text by their first bytes, and says how to convert them to text.
#pragma once
#include <string_view>

#include "base/problem.h"
#include "engine/support/shown.h"

namespace komuz::engine {

// Returns nothing if the file is of no known kind.
Problem foreign_file_error(std::string_view file, std::string_view bytes);

}  // namespace komuz::engine
