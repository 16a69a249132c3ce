// SPDX-License-Identifier: Apache-2.0
// Applies the machine-applicable edits of a program's diagnostics until none is left. Text in, text out; knows
// neither files nor terminals.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"

namespace komuz::services {

// Which edits are wanted.
enum class FixKind : u8 {
  All,
  Spelling,  // words of other languages that we have, too, and a missing `rec`: the formatter's edits
};

// An applied edit, in the words of its diagnostic.
struct AppliedFix {
  DiagnosticCode code;
  u32 line;  // of the mended place in the final text, from 1
  std::string message;
};
struct Fixed {
  std::string text;
  std::vector<AppliedFix> fixes;  // in the order of the text
};

// Each round compiles the text and makes all edits that do not touch each other. An edit that leads back to an
// earlier text ends the work. So does a stop: the result is then that of the rounds before.
[[nodiscard]] Fixed fix_source(frontend::Compiler& compiler, std::string_view source, FixKind kind,
                               const std::stop_token& stop = {});

}  // namespace komuz::services
