// SPDX-License-Identifier: Apache-2.0
// Other sources that say the same: operands of sums and comparisons change places, and so do variables (`let`) of which the
// later one does not use the earlier one. Renaming makes none: a source has no names, and its parameters, slots and
// constants are numbered in the order of their first words.
#pragma once
#include "base/random.h"
#include "neural/tokens/write_words.h"

namespace komuz::neural {

// False: it has come out as it was.
[[nodiscard]] bool vary(Random& random, const Source& source, const WordLine& line,
                        Source& other_source, WordLine& other);

}  // namespace komuz::neural
