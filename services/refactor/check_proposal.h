// SPDX-License-Identifier: Apache-2.0
// Proves a proposal: compiles what comes of it, and compares.
#pragma once
#include <stop_token>

#include "services/refactor/proposals.h"

namespace komuz::services {

// True if the text has no diagnostic afterwards that it does not have now, and each expression that is put there has
// its type. A stop is no proof.
[[nodiscard]] bool is_proven(const Analysis& analysis, const Proposal& proposal,
                             const std::stop_token& stop);

}  // namespace komuz::services
