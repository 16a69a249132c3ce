// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "lang/sketch.h"

namespace komuz::engine {

// Point i of a grid from a to b with s points, as a cell of its type: of integers a + i; of floats a + (b - a) · i / s, over
// s - 1 when b is one of them, in f64 in this order; of logarithmic ones the same of the logarithms, by our log and exp. The
// first point is a, and the last one b when b is one of them, to the bit.
[[nodiscard]] u64 grid_value(const Grid& grid, u64 point);

}  // namespace komuz::engine
