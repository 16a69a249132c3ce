// SPDX-License-Identifier: Apache-2.0
// Which operations the checker accepts on cells of given types. It is asked once for each three types.
#pragma once
#include "lang/types.h"
#include "neural/tokens/word_set.h"

namespace komuz::neural {

// Pure operations, IF, AND and OR behind a topmost cell of type `top`, with `below` and `third` under it. None: the
// region has no such cell.
[[nodiscard]] const WordSet& words_on(Scalar top, Scalar below, Scalar third);

}  // namespace komuz::neural
