// SPDX-License-Identifier: Apache-2.0
// Random types, values and files of cases, sound and damaged, for the readers. Each returns the fault; empty if there
// is none.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::engine {

struct ValueFuzzers {
  // Text, JSON and cells of values equal the reference's, and written values can be read back.
  [[nodiscard]] std::string agrees(u64 seed);
  // A damaged text is refused with a place inside it, or is a value that can be read back.
  [[nodiscard]] std::string damaged_value(u64 seed);
  // A damaged type is refused, or is a type whose text can be read back.
  [[nodiscard]] std::string damaged_type(u64 seed);
  // A damaged file of cases is refused with a place, or makes a suite.
  [[nodiscard]] std::string damaged_cases(u64 seed);
  // An entry that returns an element of a slice returns the reference's element, or traps INDEX.
  [[nodiscard]] std::string slices(u64 seed);

  u64 read = 0, refused = 0;  // damaged texts
  u64 compound = 0;  // values of more than a few cells, of types with a layout of their own
};

}  // namespace komuz::engine
