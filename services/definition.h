// SPDX-License-Identifier: Apache-2.0
// Finds where the name at a place is defined. A source text and a place in, a place out.
#pragma once
#include "services/analysis.h"

namespace komuz::services {

// Nothing if there is no name, or a built-in one. For a module, the range from its first byte to its first byte.
[[nodiscard]] std::optional<TextPlace> find_definition(const Analysis& analysis, u32 place);

}  // namespace komuz::services
