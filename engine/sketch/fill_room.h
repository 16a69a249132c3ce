// SPDX-License-Identifier: Apache-2.0
// How much memory a thread of a device needs to write variants' texts. The text of the program
// itself is known; an expression from spaces is taken to have some dozens of parts at scale 1, as VariantMaker takes it.
#pragma once
#include "engine/sketch/fill_plan.h"
#include "engine/sketch/filling.h"

namespace komuz::engine {

[[nodiscard]] Filling<Bounded>::Room filling_room(const FillPlan& plan, const VariantPlan& variants,
                                                  u32 scale);
// Bytes of a text.
[[nodiscard]] u32 text_room(const FillPlan& plan, const VariantPlan& variants, u32 scale);

}  // namespace komuz::engine
