// SPDX-License-Identifier: Apache-2.0
// What a client says of itself when it begins: how it counts columns, what it can show, where it works. What it does not say it
// does not have.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lsp/text/positions.h"
#include "lsp/wire/json_text.h"

namespace komuz::lsp {

// The numbers of symbols and of completions that every client knows; others only where it lists them.
struct Client {
  Encoding encoding = Encoding::Utf16;
  std::vector<std::string> folders;  // paths of its workspace
  std::optional<i64> process;        // it ends with this one

  bool has_markdown_hover = false, has_markdown_completion = false, has_markdown_signature = false;
  bool has_symbol_tree = false;
  bool has_parameter_offsets = false;  // of signatures; else parameters are texts
  bool has_versioned_edits = false;    // `documentChanges`
  bool has_action_literals = false, has_preferred_actions = false;
  bool has_snippets = false, has_label_details = false;  // of completions
  bool resolves_completion_edits = false;  // it asks for `additionalTextEdits` when it needs them
  bool can_prepare_rename = false;
  bool resolves_hint_edits = false;  // it asks for the edits of a hint when it needs them
  bool folds_lines_only = false;
  bool has_lenses = false;
  bool refreshes_hints = false,
       refreshes_lenses = false;  // it asks for them again when it is told to
  bool shows_rankings = false;    // it is told of each change of one; lenses may name its commands
  struct {
    bool related = false, version = false, description = false, data = false;
    bool unneeded = false;  // the tag
    bool refresh = false;   // it pulls them again when it is told to
  } diagnostics;
};
[[nodiscard]] Client read_client(const Json& initialize);

}  // namespace komuz::lsp
