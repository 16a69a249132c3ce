// SPDX-License-Identifier: Apache-2.0
// The programs that fuzzers compile, each named by a seed. What runs them is in fuzzers.h.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::test {

// A program without errors.
[[nodiscard]] std::string fuzzed_program(u64 seed);
// A sketch without errors.
[[nodiscard]] std::string fuzzed_sketch(u64 seed);
// Such a program, or in a quarter of all cases such a sketch, that was damaged in one to three places.
[[nodiscard]] std::string damaged_program(u64 seed);

}  // namespace komuz::test
