// SPDX-License-Identifier: Apache-2.0
// Where the types of what stands at a place are defined: of a value, of what a function gives, of a field. Of an
// Option, a list or a tuple those of its parts.
#pragma once
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

// Each once; empty: nothing there has a type that some text defines.
[[nodiscard]] std::vector<TextPlace> find_type_definitions(const Analysis& analysis, u32 place);

}  // namespace komuz::services
