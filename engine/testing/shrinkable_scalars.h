// SPDX-License-Identifier: Apache-2.0
// Scalars as numbers: the simpler the value, the smaller the number. Property runs draw, keep and shrink values as
// such numbers. Not part of the engine's door.
//
//   integer  0 is the value nearest to 0 in its range; the others follow by their distance from it, the larger first
//   float    0, 1, 2, … below 2^53; then fractions, those of few bits first; then infinity and NaN. The sign is a
//            choice of its own
#pragma once
#include <vector>

#include "lang/types.h"

namespace komuz::engine {

// Values of a scalar type between two cells, both included. Floats without a range include NaN.
struct Domain {
  Scalar type = Scalar::None;
  u64 least = 0, most = 0;
  bool has_nan = false;
};
// All values of a type.
[[nodiscard]] Domain whole_domain(Scalar type);
// `first .. last`, as a property's range gives them; it is not empty.
[[nodiscard]] Domain range_domain(Scalar type, u64 first, u64 last, bool has_last);

// A value. Its integer part is also tried when it is made simpler.
struct Choice {
  u64 number = 0;
  bool is_negative = false;  // of a float
};
[[nodiscard]] Choice choice_of(const Domain& domain, u64 cell);
// A value outside of the domain becomes the nearest end.
[[nodiscard]] u64 cell_of(const Domain& domain, Choice choice);

// 0, ±1, the ends of the domain and their neighbours and, for floats, -0, infinities, NaN and the smallest and
// largest numbers: each of these that lies in the domain, once, the simplest first.
[[nodiscard]] std::vector<u64> edge_cells(const Domain& domain);
// A value from 128 random bits: near 0 as often as far from it.
[[nodiscard]] u64 random_cell(const Domain& domain, u64 random, u64 more);

}  // namespace komuz::engine
