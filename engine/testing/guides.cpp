// SPDX-License-Identifier: Apache-2.0
#include "engine/testing/guides.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lang/cases.h"
#include "lang/reached_functions.h"

namespace komuz::engine {
namespace {

std::vector<u64>& of_type(Guides& guides, Scalar type) {
  return guides.cells[static_cast<u8>(type)];
}

// The number of an integer's cell, if it lies in the other type: cells of both are extended alike but for u64 and i64.
bool fits(u64 cell, Scalar from, Scalar to) {
  const Domain domain = whole_domain(to);
  const bool is_negative = is_signed(from) && static_cast<i64>(cell) < 0;
  if (is_negative) return is_signed(to) && static_cast<i64>(cell) >= static_cast<i64>(domain.least);
  return cell <= domain.most;
}

void add_integer(Guides& guides, Scalar type, u64 cell) {
  for (u8 other = 1; other < kScalarCount; ++other) {
    const Scalar to = static_cast<Scalar>(other);
    if (!is_integer(to)) continue;
    for (const u64 near : {cell - 1, cell, cell + 1})
      if (fits(near, type, to)) of_type(guides, to).push_back(near);
  }
}

template <class Float, class Bits>
void add_float(Guides& guides, Scalar type, u64 cell) {
  const Float x = std::bit_cast<Float>(static_cast<Bits>(cell));
  if (x != x) return;
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  for (const Float near :
       {x, -x, x + 1, x - 1, std::nextafter(x, kInfinity), std::nextafter(x, -kInfinity)})
    if (near == near) of_type(guides, type).push_back(std::bit_cast<Bits>(near));
}

}  // namespace

void add_guides(const CodeView& code, u32 function, Guides& guides) {
  const auto add = [&](Scalar type, u64 cell) {
    if (is_integer(type))
      add_integer(guides, type, cell);
    else if (type == Scalar::F64)
      add_float<f64, u64>(guides, type, cell);
    else if (type == Scalar::F32)
      add_float<f32, u32>(guides, type, cell);
  };
  for (const u32 reached : reached_functions(code, function)) {
    const Function& f = code.functions[reached];
    for (u32 at = f.code_begin; at < f.code_end; ++at) {
      const Instruction& i = code.instructions[at];
      if (i.op == Op::LoadConst) add(i.type, code.constants[i.b]);
      if (i.op != Op::LoadConsts) continue;
      for (u32 k = 0; k < i.a; ++k) add(i.type, code.constants[i.b + k]);
    }
  }
}

void settle_guides(Guides& guides) {
  for (std::vector<u64>& cells : guides.cells) {
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  }
}

}  // namespace komuz::engine
