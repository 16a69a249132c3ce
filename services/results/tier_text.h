// SPDX-License-Identifier: Apache-2.0
// Which programs ran as cheaper code, and why, in words. It depends on the clock, and is part of no report.
#pragma once
#include <string>

#include "neural/tier/tier.h"

namespace komuz::services {

// Lines such as
//   tier: hybrid
//   tier: 2 programs ran as cheaper code by rules
//   tier: 998 programs were over before cheaper code could pay
//   tier: 14 windows looked at in 0.021 s, 3 of them known already; 5 got cheaper, 4 by the same terms
//   tier: 18,976 cases on cheaper code in 0.025 s, about 0.031 s as they were: 0.006 s gained, -0.015 s with the search
// then a line for each of the first programs that were looked at, and for what is missing.
[[nodiscard]] std::string tier_text(const neural::Tier& tier);

}  // namespace komuz::services
