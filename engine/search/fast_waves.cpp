// SPDX-License-Identifier: Apache-2.0
#include "engine/search/fast_waves.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "engine/search/operand_values.h"

namespace komuz::engine {
namespace {

// Two arguments a period tell waves apart where nothing is off (Nyquist, 1928); rows have noise.
constexpr f64 kLongestStep = std::numbers::pi / 2;

bool is_fast(std::span<const u64> cells, std::span<const Trap> traps, f64 share) {
  std::vector<f64> arguments;
  for (size_t k = 0; k < cells.size(); ++k)
    if (const f64 value = std::bit_cast<f64>(cells[k]);
        traps[k] == Trap::None && std::isfinite(value))
      arguments.push_back(value);
  std::ranges::sort(arguments);
  arguments.erase(std::ranges::unique(arguments).begin(), arguments.end());
  if (arguments.size() < 2) return false;
  const f64 steps = static_cast<f64>(arguments.size() - 1) * share;
  return arguments.back() - arguments.front() > kLongestStep * steps;
}

}  // namespace

bool has_fast_waves(const CodeView& code, u32 function, std::span<const std::vector<f64>> points,
                    f64 share) {
  bool out = false;
  const auto is_wave = [](Instruction i) {
    return (i.op == Op::Sin || i.op == Op::Cos || i.op == Op::Tan) && i.type == Scalar::F64;
  };
  visit_operands(code, function, points, is_wave,
                 [&](u32, std::span<const u64> cells, std::span<const Trap> traps) {
                   out = out || is_fast(cells, traps, share);
                 });
  return out;
}

}  // namespace komuz::engine
