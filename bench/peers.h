// SPDX-License-Identifier: Apache-2.0
// Other compilers doing the work of the end-to-end benchmark: those that the build found.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/ints.h"

namespace komuz::bench {

inline constexpr std::array<const char*, 7> kVariables = {"a", "b", "c", "x", "y", "z", "w"};

// Columns of doubles, one for each variable in order.
struct RegressionCases {
  std::array<std::vector<f64>, kVariables.size()> columns;
  std::vector<f64> expected;

  [[nodiscard]] u32 count() const { return static_cast<u32>(expected.size()); }
};

struct Peer {
  const char* name;
  u32 candidates;  // as many as it is given unless told otherwise: it is slower than Komuz
  // The sum of squared errors of each expression. Each is a source of its own, compiled by itself, whose loop over the
  // cases computes the sum. False: the compiler refused one.
  bool (*score)(std::span<const std::string> expressions, const RegressionCases& cases,
                std::vector<f64>& scores);
};

// LuaJIT (its JIT on, C arrays through its FFI) and libtcc. `left_out` names those that were not found.
[[nodiscard]] std::vector<Peer> peers();
[[nodiscard]] const char* peers_left_out();

}  // namespace komuz::bench
