// SPDX-License-Identifier: Apache-2.0
// Draws and changes of variants in lists that cannot grow, as on a device, compared with the host's.
#pragma once
#include <string>

#include "engine/sketch/variants.h"

namespace komuz::test {

// Empty: both give the same, as far as the lists have room.
[[nodiscard]] std::string compare_variation(const engine::VariantPlan& plan, u64 seed);

}  // namespace komuz::test
