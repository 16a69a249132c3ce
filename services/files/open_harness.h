// SPDX-License-Identifier: Apache-2.0
// Reads a harness from its file, and finds out whether it can score candidates.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/candidates/load_modules.h"
#include "services/harness.h"

namespace komuz::services {

struct OpenedHarness {
  u32 number = kNoModule;       // among the modules
  bool needs_too_many = false;  // modules: it is not compiled
  HarnessProblem fault;         // of a harness with diagnostics, these are those of its module
};
// Compiles a harness into `modules`. A problem: it cannot be read.
[[nodiscard]] Result<OpenedHarness> open_harness(const std::string& path, std::string_view entry,
                                                 engine::ModuleLoader& modules);

}  // namespace komuz::services
