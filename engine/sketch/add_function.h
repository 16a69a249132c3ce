// SPDX-License-Identifier: Apache-2.0
// A function that all variants of a sketch have behind their own, such as the one that takes slices (slice_entry.h).
#pragma once
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

// The sketch with the last function of `bound`, which is the code of one of its variants with that function behind
// it. It calls `called`. None: there are variants whose stack it would take beyond the limit.
[[nodiscard]] std::optional<SketchProgram> with_last_function(const SketchProgram& sketch,
                                                              const Code& bound, u32 called,
                                                              u32 stack_limit);

}  // namespace komuz::engine
