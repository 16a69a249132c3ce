// SPDX-License-Identifier: Apache-2.0
// The door of mend/: of a diagnostic and its source, the sentence that is said and the edit that is offered. What other languages
// write is told and rewritten in mend/habits/.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lang/diagnostics.h"

namespace komuz {

// One sentence, with the arguments filled in.
[[nodiscard]] std::string diagnostic_message(const Diagnostic& d, std::string_view source);

// Replace bytes [begin, end) by `text`.
struct Edit {
  u32 begin = 0, end = 0;
  std::string text;
};
// The one machine-applicable edit that mends it, where there is one.
[[nodiscard]] std::optional<Edit> diagnostic_fix(const Diagnostic& d, std::string_view source);

}  // namespace komuz
