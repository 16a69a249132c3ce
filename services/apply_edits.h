// SPDX-License-Identifier: Apache-2.0
// Applies the machine-applicable edits of a program's diagnostics until none is left. Text in, text out; knows
// neither files nor terminals.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "mend/mend.h"

namespace komuz::services {

// The text with edits that are in its order and do not touch each other. `edit_of`: the edit of an element of the list.
template <class List, class EditOf = std::identity>
[[nodiscard]] std::string with_edits(std::string_view text, const List& list, EditOf edit_of = {}) {
  std::string out;
  u32 at = 0;
  for (const auto& element : list) {
    const Edit& edit = std::invoke(edit_of, element);
    out.append(text.substr(at, edit.begin - at)).append(edit.text);
    at = edit.end;
  }
  return out.append(text.substr(at));
}

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
