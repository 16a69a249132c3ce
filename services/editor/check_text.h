// SPDX-License-Identifier: Apache-2.0
// What is wrong with a text that is open in an editor, as `komuz check` says of its file: examples are tests, and a text whose
// functions lack nothing but bodies is a harness.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"
#include "frontend_gpu/frontend.h"
#include "lang/diagnostics.h"

namespace komuz::services {

struct CheckedText {
  // What the diagnostics speak of: the text, and behind it what its modules say of themselves.
  std::string text;
  std::vector<Diagnostic> diagnostics;  // of the text itself, in its order
  bool is_harness = false;
  bool was_stopped = false;  // then nothing is known
};
// Loads the modules that it names.
[[nodiscard]] CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                                     const std::stop_token& stop = {});
// The same by a compiler for texts with examples that has these modules, which leaves the columns of the text; those of a
// harness, which is compiled once more, are not what is said of it. `compilation`: what came of it.
[[nodiscard]] CheckedText check_text(std::string_view text, engine::ModuleLoader& modules,
                                     frontend::Compiler& compiler, const std::stop_token& stop,
                                     frontend::Compilation& compilation);

}  // namespace komuz::services
