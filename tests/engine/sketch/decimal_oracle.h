// SPDX-License-Identifier: Apache-2.0
// Points of grids by GMP and MPFR, from the ends as they are written to the shortest decimal near the exact point.
// For each number of digits it tries the nearest decimal with so many.
#pragma once
#include <string>

#include "lang/types.h"

namespace komuz::engine::test {

// Ends and results have the form `-123e-7`.
[[nodiscard]] std::string linear_point_text(Scalar type, const std::string& low,
                                            const std::string& high, u64 point, u32 parts);
[[nodiscard]] std::string log_point_text(Scalar type, const std::string& low,
                                         const std::string& high, u64 point, u32 parts);

// By the C library.
[[nodiscard]] u64 nearest_cell_of(Scalar type, const std::string& text);

}  // namespace komuz::engine::test
