// SPDX-License-Identifier: Apache-2.0
// What two sources have in common that differ only in constants, in the order of operands, and in names.
#pragma once
#include "neural/tokens/write_words.h"

namespace komuz::neural {

// Equal for sources that have the same operations on parameters of the same types, whatever their constants are and
// whichever operand of a sum comes first.
[[nodiscard]] u64 skeleton_hash(const WordLine& source);
// Of the words and types themselves. Words of sources have no values of constants, and no names.
[[nodiscard]] u64 line_hash(const WordLine& source);

// Operations whose operands may change places.
[[nodiscard]] bool is_commutative(Op op);
// The operation that says the same of operands in the other order: of `<` it is `>`. The operation itself: there is none.
[[nodiscard]] Op mirrored(Op op);

}  // namespace komuz::neural
