// SPDX-License-Identifier: Apache-2.0
// Where the name at a place is defined. A source text and a place in, a place out.
#pragma once
#include "services/analysis.h"

namespace komuz::services {

// Nothing where no name stands, or one that is built in. Of a module its text, from its first byte to its first byte.
[[nodiscard]] std::optional<TextPlace> find_definition(const Analysis& analysis, u32 place);

}  // namespace komuz::services
