// SPDX-License-Identifier: Apache-2.0
// Which pairs a model is judged by, and never sees in training.
#pragma once
#include "neural/corpus/corpus.h"

namespace komuz::neural {

// Longer: more than 64 words. Families: a variable that is stored in an arm which lies in an arm, or arms in the right
// operand of a lazy operator. Skeletons: one in twenty of the others.
[[nodiscard]] Split split_of(const WordLine& source);

}  // namespace komuz::neural
