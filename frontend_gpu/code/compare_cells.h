// SPDX-License-Identifier: Apache-2.0
// `==`, `!=` and `cmp` of the two values on the stack, which have several cells.
#pragma once
#include "frontend_gpu/code/emit_place.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class Sink>
struct CompareCells : EmitPlace<Sink> {
  using Base = EmitPlace<Sink>;
  using Base::c, Base::sink;

  HD_COLD void operator()(Op op, TypeId type) const {
    if (op != Op::Cmp && is_bulk(c, type)) return as_blocks(op, type);
    cell_by_cell(op, type);
  }

 private:
  static constexpr u32 kSignedCells = 48;

  // The result for the cells so far lies on top of them. In `cmp` each cell counts half as much as the one before
  // it, so the first that differs decides. The sign of the sum is taken before the sum outgrows 64 bits.
  HD_COLD void cell_by_cell(Op op, TypeId type) const {
    const u32 n = type_cells(c, type);
    u32 k = 0;
    if (n == 0) return sink.constant(op == Op::Cmp ? Scalar::I64 : Scalar::Bool, op == Op::Eq);
    for_each_cell(c, type, [&](Scalar cell) {
      const u32 above = 2 * n - 1 - k + (k != 0);
      sink.op(Op::Copy, cell, above);
      sink.op(Op::Copy, cell, above - n + 1);
      sink.op(op, cell);
      if (k++ == 0) return;
      if (op != Op::Cmp) return sink.op(op == Op::Eq ? Op::And : Op::Or, Scalar::Bool);
      sink.op(Op::Copy, Scalar::I64, 1);
      sink.op(Op::AddWrap, Scalar::I64);
      sink.op(Op::AddWrap, Scalar::I64);
      if (k % kSignedCells == 0) sink.op(Op::Sign, Scalar::I64);
    });
    if (op == Op::Cmp) sink.op(Op::Sign, Scalar::I64);
    sink.op(Op::Project, Scalar::None, 1, (2 * n + 1) << 16 | 2 * n);
  }
  // The cells behind the length of a list are zero, so lists are equal if all their cells are.
  HD_COLD void as_blocks(Op op, TypeId type) const {
    const u32 n = type_cells(c, type);
    tick_elements(type, n);
    u32 end = 0;
    for_each_block(c, type, [&](Scalar scalar, u32 cells) {
      const u32 known = end != 0;
      end += cells;
      sink.op(Op::EqCells, scalar, cells, (n - end + known) << 16 | (2 * n - end + known));
      if (known != 0) sink.op(Op::And, Scalar::Bool);
    });
    if (op == Op::Ne) sink.op(Op::Not, Scalar::Bool);
    this->drop_below(1, 2 * n);
  }
  // Takes a tick for each element of the arrays, and of the left value's lists, that are not inside of others.
  HD_COLD void tick_elements(TypeId type, u32 n) const {
    const Spelling s = spell(c, type);
    u32 elements = 0, at = 0;
    for (u32 k = 0; k < s.length;) {
      if (s.codes[k] == kTupleCode || s.codes[k] == kRecordCode) {
        k += s.head(k);
        continue;
      }
      if (s.codes[k] == kArrayCode) elements += s.count(k);
      if (s.codes[k] == kListCode) {
        this->copy(Scalar::I64, 2 * n - 1 - at);
        this->op_none(Op::Ticks);
      }
      at += cells_of(s, k);
      k = s.skip(k);
    }
    if (elements == 0) return;
    this->constant(elements);
    this->op_none(Op::Ticks);
  }
  HD_COLD u32 cells_of(const Spelling& s, u32 k) const {
    Spelling part;
    for (u32 at = k; at < s.skip(k); ++at) part.add(s.codes[at]);
    Blocks blocks;
    add_container_blocks(c, part, blocks);
    u32 cells = 0;
    for (u32 b = 0; b < blocks.count; ++b) cells += blocks.cells[b];
    return cells;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
