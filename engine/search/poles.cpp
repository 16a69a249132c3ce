// SPDX-License-Identifier: Apache-2.0
#include "engine/search/poles.h"

#include <algorithm>
#include <bit>

#include "engine/search/operand_values.h"

namespace komuz::engine {
namespace {

bool changes_sign(std::span<const u64> cells, std::span<const Trap> traps) {
  bool is_below = false, is_above = false, is_other = false;
  for (size_t k = 0; k < cells.size(); ++k) {
    const f64 value = std::bit_cast<f64>(cells[k]);
    is_below |= traps[k] == Trap::None && value < 0;
    is_above |= traps[k] == Trap::None && value > 0;
    is_other |= traps[k] != Trap::None || value != 0;
  }
  return (is_below && is_above) || !is_other;
}

}  // namespace

std::vector<u32> find_poles(const CodeView& code, u32 function,
                            std::span<const std::vector<f64>> points) {
  std::vector<u32> out;
  const auto divides = [](Instruction i) {
    return (i.op == Op::Div || i.op == Op::Div0) && i.type == Scalar::F64;
  };
  visit_operands(
      code, function, points, divides,
      [&](u32 at, std::span<const u64> cells, std::span<const Trap> traps) {
        if (changes_sign(cells, traps) && std::ranges::find(out, code.places[at]) == out.end())
          out.push_back(code.places[at]);
      });
  return out;
}

}  // namespace komuz::engine
