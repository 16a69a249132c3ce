// SPDX-License-Identifier: Apache-2.0
// A harness that a session has loaded, and what inputs make for it: of a program with both, the candidate alone, as
// `komuz eval --harness` takes it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "services/snippet.h"

namespace komuz::repl {

struct HarnessItems {
  std::string module;             // the name by which candidates use it
  std::vector<std::string> open;  // functions without a body
  std::vector<std::string> own;   // other items that have names
  // What its `score` takes, where these are types of the language.
  std::vector<services::SnippetName> columns;
};
[[nodiscard]] HarnessItems list_harness_items(frontend::Compiler& compiler, std::string_view path,
                                              std::string_view program);

// Of a program that has items of the harness, functions that it leaves open, with what they need, and `line`, the function
// that calls it. Empty: it has none of the open ones.
[[nodiscard]] std::string candidate_text(const HarnessItems& harness, frontend::Compiler& compiler,
                                         const std::string& program, std::string_view line);

}  // namespace komuz::repl
