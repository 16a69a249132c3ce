// SPDX-License-Identifier: Apache-2.0
// The door of mend/: a diagnostic and its source in, the sentence to say and the edit to offer out. mend/habits/
// reports and rewrites texts of other languages.
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
// The one machine-applicable edit that mends it, if there is one.
[[nodiscard]] std::optional<Edit> diagnostic_fix(const Diagnostic& d, std::string_view source);

}  // namespace komuz
