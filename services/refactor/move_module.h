// SPDX-License-Identifier: Apache-2.0
// A module gets another path: the edits of a text that uses it. Its `use` items name the new path, and where the
// module's name is another one, so does what stands before a `.`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "mend/mend.h"
#include "services/analysis.h"

namespace komuz::services {

// True if a `use` can name it: names with dots between them.
[[nodiscard]] bool may_be_module_path(std::string_view path);

struct ModuleMove {
  std::string from, to;  // `lib.packing`, as this text names it before and afterwards
};
// In the order of the text. `analysis`: of the text with the modules as they were before.
[[nodiscard]] std::vector<Edit> move_modules(const Analysis& analysis,
                                             const std::vector<ModuleMove>& moves);

}  // namespace komuz::services
