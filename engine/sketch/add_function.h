// SPDX-License-Identifier: Apache-2.0
// Adds a function behind the functions of all variants of a sketch, such as the one that takes slices
// (slice_entry.h).
#pragma once
#include "engine/sketch/sketch_program.h"

namespace komuz::engine {

// Adds the last function of `bound`, which is the code of a variant with that function behind it. The function calls
// `called`. None: it would take the stack of some variants beyond the limit.
[[nodiscard]] std::optional<SketchProgram> with_last_function(const SketchProgram& sketch,
                                                              const Code& bound, u32 called,
                                                              u32 stack_limit);

}  // namespace komuz::engine
