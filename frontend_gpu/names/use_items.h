// SPDX-License-Identifier: Apache-2.0
// The `use` items of a program, found in its tokens alone.
#pragma once
#include <string>
#include <vector>

#include "frontend_gpu/columns/columns.h"

namespace komuz::frontend {

// True if the program has `use` items.
[[nodiscard]] bool names_modules(const Columns& c);
// The paths that its `use` items name.
[[nodiscard]] std::vector<std::string> list_paths(const Columns& c);
// The tokens of the words `use` behind which these paths stand.
[[nodiscard]] std::vector<Index> find_uses(const Columns& c, const std::vector<std::string>& paths);
// The token of the `pub` of a `pub use`; kNone: there is none.
[[nodiscard]] Index find_public_use(const Columns& c);

}  // namespace komuz::frontend
