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

struct HarnessItem {
  std::string name;
  std::string text;  // from its name on, as words: what makes another item of it
  bool is_public = false;
};

struct HarnessItems {
  std::string file;               // without its folder
  std::string module;             // the name by which candidates use it
  std::vector<std::string> open;  // functions without a body
  std::vector<HarnessItem> own;   // others that have names
  // What its `score` takes, where these are types of the language.
  std::vector<services::SnippetName> columns;
};
[[nodiscard]] HarnessItems list_harness_items(frontend::Compiler& compiler, std::string_view path,
                                              std::string_view program);

// Of a program that has items of the harness, functions that it leaves open, with what they need, and `line`, the function
// that calls it. Items of the harness are imported; those that the session has defined otherwise, or that are private there, are
// the candidate's own. What does not carry over, as a `score` that the session has changed, is said in comments at the top.
// Empty: it has none of the open ones.
[[nodiscard]] std::string candidate_text(const HarnessItems& harness, frontend::Compiler& compiler,
                                         const std::string& program, std::string_view line);

}  // namespace komuz::repl
