// SPDX-License-Identifier: Apache-2.0
// What an editor shows of a diagnostic beside its sentence: other places that it speaks of, and whether what it marks
// could go.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostics.h"

namespace komuz::services {

struct RelatedPlace {
  u32 begin = 0, end = 0;  // bytes of the text
  std::string message;
};
[[nodiscard]] std::vector<RelatedPlace> related_places(const Diagnostic& d, std::string_view text);

// Does nothing need what is marked? Editors show it faded.
[[nodiscard]] bool is_unneeded(DiagnosticCode code);

}  // namespace komuz::services
