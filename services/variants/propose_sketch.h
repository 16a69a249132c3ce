// SPDX-License-Identifier: Apache-2.0
// Proposes a sketch for a signature: what a search may start from where nobody knows more of the function than its types.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"

namespace komuz::services {

// "fn(xs: [i64]) -> i64", also with `pub` and a name, gives a program of one function and the spaces that it takes expressions from:
//
//   floats of floats     regression: constants that a search fits, operators, common functions
//   numbers of numbers   arithmetic, conditions
//   bool                 logic: comparisons of the parameters, `&&`, `||`, `!`
//   of lists             elements that are kept, what is made of each, and how they are reduced
//   bytes                the same, with classes of characters: a list of u8 is a text
//   lists                elements that are kept, and what is made of each
//
// Parameters are numbers, bool, and slices, lists and arrays of these; the result is one of them, but no slice. The text is formatted,
// compiles, and has variants. A problem: the signature is none, or has other types.
[[nodiscard]] Result<std::string> propose_sketch(std::string_view signature);

}  // namespace komuz::services
