// SPDX-License-Identifier: Apache-2.0
// The edits that mend what is wrong with a text, one by one, as an editor offers them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mend/mend.h"

namespace komuz::services {

struct OfferedFix {
  std::string title;  // "replace `x` with `y`"
  Edit edit;
};
// `text`: what the diagnostic speaks of, of which the first `size` bytes are the document. Nothing: nobody knows an
// edit.
[[nodiscard]] std::optional<OfferedFix> offered_fix(const Diagnostic& d, std::string_view text,
                                                    size_t size);

// The edits of all diagnostics of one code, in the order of the text: of those that touch each other the first.
[[nodiscard]] std::vector<Edit> fixes_of_code(std::span<const Diagnostic> diagnostics,
                                              DiagnosticCode code, std::string_view text,
                                              size_t size);

}  // namespace komuz::services
