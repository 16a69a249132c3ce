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
  std::vector<std::string> action_kinds;  // those that it takes, and all below them; empty: all
  bool resolves_action_edits = false;     // the edit of one may come when it is chosen
  bool has_file_operations = false;       // it tells of files that it creates, renames and deletes
  bool has_settings = false;              // it answers what is set for a folder
  // What is set from the beginning; `komuz` of `initializationOptions`.
  Json first_settings;
  std::vector<std::string>
      retried;                // requests that it sends again if the text has changed meanwhile
  bool has_progress = false;  // it shows what the server begins by itself
  struct {
    bool watched_files = false, configuration = false;
  } registers;                                           // what it sends once it is told to
  bool has_snippets = false, has_label_details = false;  // of completions
  bool resolves_completion_edits = false;  // it asks for `additionalTextEdits` when it needs them
  bool can_prepare_rename = false;
  bool resolves_hint_edits = false;   // it asks for the edits of a hint when it needs them
  bool resolves_hint_places = false;  // … and for what its label leads to
  bool folds_lines_only = false;
  bool has_lenses = false;
  bool refreshes_hints = false, refreshes_lenses = false,
       refreshes_tokens = false;  // it asks for them again when it is told to
  bool shows_rankings = false;    // it is told of each change of one; lenses may name its commands
  struct {
    bool related = false, version = false, description = false, data = false;
    bool unneeded = false;  // the tag
    bool refresh = false;   // it pulls them again when it is told to
  } diagnostics;
};
[[nodiscard]] Client read_client(const Json& initialize);
// The path of a folder of a workspace; empty: it is none of this machine.
[[nodiscard]] std::string folder_path(const Json& uri);

}  // namespace komuz::lsp
