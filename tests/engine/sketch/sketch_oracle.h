// SPDX-License-Identifier: Apache-2.0
// All variants of a sketch by trying them: the reference for engine/sketch/variants.h, which counts instead.
#pragma once
#include <vector>

#include "engine/sketch/variants.h"

namespace komuz::engine::test {

// The lists of decisions in order; at most `most`, so that a large sketch ends, too.
[[nodiscard]] std::vector<Decisions> tried_variants(const Sketch& sketch, size_t most);

}  // namespace komuz::engine::test
