// SPDX-License-Identifier: Apache-2.0
// Whole statements of a block that become a function: of the variables that they use, giving what is used behind them.
#pragma once
#include "services/refactor/proposals.h"

namespace komuz::services {

// For those that fill bytes [begin, end) of the text but for blanks. None: others than whole ones do, they leave the function or a loop
// around them, they have a hole, or what they give has no form.
[[nodiscard]] std::vector<Proposal> extract_statements(const Analysis& analysis, u32 begin,
                                                       u32 end);

}  // namespace komuz::services
