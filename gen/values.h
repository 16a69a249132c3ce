// SPDX-License-Identifier: Apache-2.0
// Random values of scalar types, often at the edges of their ranges, as cells and as literals.
#pragma once
#include <string>

#include "base/random.h"
#include "lang/type_codes.h"

namespace komuz::gen {

// A canonical cell of the type (lang/cases.h).
[[nodiscard]] u64 random_cell(Random& random, Scalar type);
// A literal of the type. A float always has a point or an exponent. A negative one starts with `-`.
[[nodiscard]] std::string random_literal(Random& random, Scalar type);

}  // namespace komuz::gen
