// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text that is open in an editor, as `komuz check` says of its file: examples are tests, a text
// whose functions lack nothing but bodies is a harness, and a candidate defines what its harness leaves open.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/harness_names.h"
#include "engine/candidates/load_modules.h"
#include "frontend_gpu/frontend.h"
#include "lang/diagnostics.h"
#include "services/harness.h"

namespace komuz::services {

struct CheckedText {
  // What the diagnostics speak of: the text, and behind it what its modules say of themselves.
  std::string text;
  std::vector<Diagnostic> diagnostics;  // of the text itself, in its order
  bool is_harness = false;
  bool was_stopped = false;  // then nothing is known
  // For a program that names a harness by `use` and is not checked as its candidate: the harness, and the diagnostics
  // that are missing above because they only say that it is no module.
  UsedHarness used_harness;
  std::vector<Diagnostic> harness_diagnostics;
};

struct CheckOptions {
  // The harness whose candidate the text is, which has no fault and is one of the modules that are loaded; kNoModule:
  // none.
  u32 harness = kNoModule;
  std::string harness_entry = std::string(engine::kScoreFunction);
  // Where a harness may lie that the text names; empty: only among its modules.
  FindHarness find_harness = {};
};
// Loads the modules that it names.
[[nodiscard]] CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                                     const CheckOptions& how = {},
                                     const std::stop_token& stop = {});
// The same by a compiler for texts with examples that has these modules, which leaves the columns of the text; those
// of a harness or of a candidate, which is compiled once more, are not what is said of it. `compilation`: what came
// of it.
[[nodiscard]] CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                                     const CheckOptions& how, frontend::Compiler& compiler,
                                     const std::stop_token& stop,
                                     frontend::Compilation& compilation);

}  // namespace komuz::services
