// SPDX-License-Identifier: Apache-2.0
// Other compilers, as far as the build found them, that do the work of the end-to-end benchmark.
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
  u32 candidates;  // how many it gets by default, as it is slower than Komuz
  // Computes the sum of squared errors of each expression. Each expression is a source of its own and is compiled
  // by itself; its loop over the cases computes the sum. Returns false if the compiler refused one.
  bool (*score)(std::span<const std::string> expressions, const RegressionCases& cases,
                std::vector<f64>& scores);
};

// LuaJIT (with its JIT, and C arrays through its FFI) and libtcc. `left_out` names those that were not found.
[[nodiscard]] std::vector<Peer> peers();
[[nodiscard]] const char* peers_left_out();

}  // namespace komuz::bench
