// SPDX-License-Identifier: Apache-2.0
// The machine-applicable edits of a program's diagnostics, applied until none is left. Takes text and gives text; it
// knows neither files nor terminals.
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
  Spelling,  // words of other languages that have one of ours, and `rec` where it is missing: what the formatter writes
};

// An edit that was made, in the words of its diagnostic.
struct AppliedFix {
  DiagnosticCode code;
  u32 line;  // of the text that came of all edits, from 1: there is what was mended
  std::string message;
};
struct Fixed {
  std::string text;
  std::vector<AppliedFix> fixes;  // in the order of the text
};

// Each round compiles the text and makes all edits that do not touch each other. An edit that leads back to an earlier
// text ends it, and so does a stop: then it is what came of the rounds before.
[[nodiscard]] Fixed fix_source(frontend::Compiler& compiler, std::string_view source, FixKind kind,
                               const std::stop_token& stop = {});

}  // namespace komuz::services
