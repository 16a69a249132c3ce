// SPDX-License-Identifier: Apache-2.0
// Operations on many cells of a lane at once. They are out of line, since they loop, and would take registers from
// the interpreter.
#pragma once
#include "vm/cuda/warp_compute.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

// MoveCells and MoveConstants. Cells are moved one after the other, since a moved cell may be the source of the next
// move.
HD_COLD void move_cells(Quad* frame, const u64* constants, WarpOp op, CaseBits active) {
  const bool is_wide = (op.flags & WarpOp::kLeftWide) != 0;
  const bool are_cells = op.code == warp_opcode(WarpControl::MoveCells);
  u32 from = are_cells ? op.a : op.d;
  for (u32 k = 0; k < op.b; ++k, from += are_cells ? op.d : op.a)
    store_cell(frame, op.c + k, is_wide,
               are_cells ? load_cell(frame, from, is_wide) : splat_cases(constants[from]), active);
}

template <class T>
HD CaseBits equal_cells_of(const Quad* a_cells, const Quad* b_cells, u32 count) {
  constexpr bool is_wide = sizeof(T) == 8;
  CaseBits equal = kAllCases;
  for (u32 cell = 0; cell < count; ++cell) {
    const CaseValues a = load_cell(a_cells, cell, is_wide);
    const CaseValues b = load_cell(b_cells, cell, is_wide);
    for (u32 k = 0; k < kCasesPerLane; ++k)
      if (!evaluate_compare<Op::Eq>(case_value<T>(a, k), case_value<T>(b, k))) equal &= ~(1u << k);
  }
  return equal;
}

// EqCells: returns the cases in which all pairs are equal.
HD_COLD CaseBits equal_cells(const Quad* frame, u32 a, u32 b, u32 cells) {
  switch (static_cast<Scalar>(cells >> 16)) {
    case Scalar::None:
      break;
// clang-format off
#define SCALAR(Name, spelling, T, bytes, cls) \
  case Scalar::Name: return equal_cells_of<T>(frame + a * kQuadsPerCell, frame + b * kQuadsPerCell, cells & 0xFFFF);
#include "lang/types.def"
      // clang-format on
  }
  return 0;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
