// SPDX-License-Identifier: Apache-2.0
// The `use` items of a program, by its tokens alone.
#pragma once
#include <string>
#include <vector>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

// Are there `use` items? Looks at tokens alone.
[[nodiscard]] bool names_modules(const Columns& c);
// The paths that they name.
[[nodiscard]] std::vector<std::string> list_paths(const Columns& c);
// A `pub use`: the token of its `pub`; kNone: there is none.
[[nodiscard]] Index find_public_use(const Columns& c);

}  // namespace komuz::frontend
