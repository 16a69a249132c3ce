// SPDX-License-Identifier: Apache-2.0
// The memory that a thread of a device needs to write variants' texts. The text of the program itself is known. At
// scale 1, an expression from spaces is assumed to have some dozens of parts, as in VariantMaker.
#pragma once
#include "engine/sketch/fill_plan.h"
#include "engine/sketch/filling.h"

namespace komuz::engine {

[[nodiscard]] Filling<Bounded>::Room filling_room(const FillPlan& plan, const VariantPlan& variants,
                                                  u32 scale);
// Bytes of a text.
[[nodiscard]] u32 text_room(const FillPlan& plan, const VariantPlan& variants, u32 scale);

}  // namespace komuz::engine
