// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/grid_value.h"

#include <bit>

#include "lang/cases.h"
#include "lang/eval_cells.h"

namespace komuz::engine {

namespace {

// An operation on one value.
u64 evaluate(Op op, Scalar type, Scalar from, u64 cell) {
  const u64 operands[3] = {cell, 0, 0};  // as many as any operation reads
  return eval_cells({op, type, static_cast<u16>(from), 0}, operands).value;
}
f64 apply(Op op, f64 x) {
  return std::bit_cast<f64>(evaluate(op, Scalar::F64, Scalar::None, std::bit_cast<u64>(x)));
}
f64 as_f64(Scalar type, u64 cell) {
  return std::bit_cast<f64>(type == Scalar::F64 ? cell
                                                : evaluate(Op::Convert, Scalar::F64, type, cell));
}

}  // namespace

u64 grid_value(const Grid& grid, u64 point) {
  if (!is_float(grid.type)) return grid.low + point;
  // The ends are as they are written, which the way through f64 and logarithms would miss by a little.
  if (point == 0) return grid.low;
  if (grid.is_inclusive && point == grid.points - 1) return grid.high;
  f64 a = as_f64(grid.type, grid.low), b = as_f64(grid.type, grid.high);
  if (grid.is_logarithmic) a = apply(Op::Log, a), b = apply(Op::Log, b);
  const u64 parts = grid.points - (grid.is_inclusive ? 1 : 0);
  f64 value = a + (b - a) * static_cast<f64>(point) / static_cast<f64>(parts);
  if (grid.is_logarithmic) value = apply(Op::Exp, value);
  const u64 bits = value != value ? kCanonicalNan64 : std::bit_cast<u64>(value);
  return grid.type == Scalar::F64 ? bits : evaluate(Op::Convert, grid.type, Scalar::F64, bits);
}

}  // namespace komuz::engine
