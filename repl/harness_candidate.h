// SPDX-License-Identifier: Apache-2.0
// Extracts, from a program with a session's loaded harness and the inputs for it, the candidate alone, in the form
// that `komuz eval --harness` takes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "services/snippet.h"

namespace komuz::repl {

struct HarnessItem {
  std::string name;
  std::string text;  // from its name on, as words; items with other texts differ
  bool is_public = false;
};

struct HarnessItems {
  std::string file;               // without its folder
  std::string module;             // by which candidates use it
  std::vector<std::string> open;  // functions without a body
  std::vector<HarnessItem> own;   // other items with names
  // The parameters of its `score`, if their types belong to the language.
  std::vector<services::SnippetName> columns;
};
[[nodiscard]] HarnessItems list_harness_items(frontend::Compiler& compiler, std::string_view path,
                                              std::string_view program);

// For a program with items of the harness: the functions that the harness leaves open, with all that they need, and
// `line`, the function that calls them. Items of the harness are imported. Items that the session has redefined, or
// that are private in the harness, become the candidate's own. Comments at the top mention what does not carry over,
// such as a `score` that the session has changed. Empty if the program has none of the open functions.
[[nodiscard]] std::string candidate_text(const HarnessItems& harness, frontend::Compiler& compiler,
                                         const std::string& program, std::string_view line);

}  // namespace komuz::repl
