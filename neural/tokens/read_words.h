// SPDX-License-Identifier: Apache-2.0
// Words → the code of a lone function. Operations on constants that do not trap are calculated: so a target says constants
// that its source does not have.
#pragma once
#include "base/problem.h"
#include "lang/check/check_code.h"
#include "lang/code.h"
#include "neural/tokens/source.h"

namespace komuz::neural {

// The words up to END, as a target of the source. The function's slots are the source's parameters, its local slots, and
// those that the target has besides: local slots of the source are taken by those of the target with the same types.
// The code is checked. A problem: the words are none that a Decoding allows.
[[nodiscard]] Result<Code> read_words(const Source& source, std::span<const u8> words);
// The same with the workspace of a thread.
[[nodiscard]] Result<Code> read_words(const Source& source, std::span<const u8> words,
                                      CodeChecker& checker);

}  // namespace komuz::neural
