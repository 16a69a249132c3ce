// SPDX-License-Identifier: Apache-2.0
// The instructions that read and write places (storage.h). The indices of a place are on the stack, the first one
// deepest. `above` is the number of cells on top of the last index.
#pragma once
#include "frontend_gpu/code/storage.h"
#include "lang/code.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Copying a value of arrays and lists takes a tick for so many cells.
inline constexpr u32 kCellsATick = 8;

template <class Sink>
struct EmitPlace {
  const Columns& c;
  Sink& sink;

  HD void constant(u64 value) const { sink.constant(Scalar::I64, value); }
  HD void op(Op op) const { sink.op(op, Scalar::I64); }
  // Copies the cell, or the block of cells, that lies below `depth` cells.
  HD void copy(Scalar type, u32 depth, u32 cells = 1) const {
    sink.op(Op::Copy, type, depth, cells - 1);
  }
  // Keeps the `kept` topmost cells and drops `dropped` cells below them.
  HD void drop_below(u32 kept, u32 dropped) const {
    if (dropped != 0) sink.op(Op::Project, Scalar::None, kept, (kept + dropped) << 16 | dropped);
  }
  HD void zeros(Scalar type, u32 cells) const {
    sink.constant(type, 0);
    if (cells > 1) sink.op(Op::Repeat, Scalar::None, 1, cells);
  }
  // Makes the topmost cell, an integer, an index. An integer that is too large becomes negative.
  HD void to_index(TypeId type) const {
    if (type != type_of(Scalar::I64) && is_scalar(type))
      sink.op(Op::Wrap, Scalar::I64, static_cast<u32>(as_scalar(type)));
  }
  HD void require(Trap trap) const { sink.op(Op::Require, Scalar::None, static_cast<u32>(trap)); }

  // `gap`: the number of cells between the last two indices.
  HD_COLD void offset(const Place& p, u32 b, u32 above, u32 gap = 0) const {
    for (u32 level = 0; level < p.levels; ++level) {
      const u32 behind = p.levels - 1 - level;
      copy(Scalar::I64, above + behind + (behind != 0 ? gap : 0) + (level != 0));
      if (p.stride[level][b] != 1) {
        constant(p.stride[level][b]);
        op(Op::MulWrap);
      }
      if (level != 0) op(Op::AddWrap);
    }
    if (p.levels == 0) constant(0);
    if (p.is_referred && p.first[b] != 0) {
      constant(p.first[b]);
      op(Op::AddWrap);
    }
  }
  HD_COLD void load_block(const Place& p, u32 b, u32 above, u32 gap = 0) const {
    if (p.is_referred) {
      sink.op(Op::LoadVar, reference_to(p.scalar[b]), p.reference[b]);
      offset(p, b, above + 1, gap);
      return sink.op(Op::LoadRef, p.scalar[b], p.count[b]);
    }
    if (p.levels == 0) return load_slots(p.first[b], p.scalar[b], p.count[b]);
    offset(p, b, above, gap);
    sink.op(Op::LoadAt, p.scalar[b], p.first[b], access(p, b));
  }
  // Stores the cells on top.
  HD_COLD void store_block(const Place& p, u32 b, u32 above, u32 gap = 0) const {
    if (p.levels == 0) {
      if (p.count[b] == 1) return sink.op(Op::StoreVar, p.scalar[b], p.first[b]);
      return sink.op(Op::StoreVars, Scalar::None, p.first[b], p.count[b]);
    }
    offset(p, b, above + p.count[b], gap);
    sink.op(Op::StoreAt, p.scalar[b], p.first[b], access(p, b));
  }
  // Loads all blocks. The last index is on top.
  HD_COLD void load(const Place& p, bool keeps_indices = false) const {
    copy_ticks(p.type, p.cells());
    load_cells(p, keeps_indices);
  }
  // Loads all blocks without the ticks of a copy.
  HD_COLD void load_cells(const Place& p, bool keeps_indices = false) const {
    if (p.levels == 1 && p.blocks == 1 && !p.is_referred && !keeps_indices) {
      if (p.stride[0][0] != 1) {
        constant(p.stride[0][0]);
        op(Op::MulWrap);
      }
      return sink.op(Op::LoadAt, p.scalar[0], p.first[0], access(p, 0));
    }
    u32 above = 0;
    for (u32 b = 0; b < p.blocks; above += p.count[b++]) load_block(p, b, above);
    if (!keeps_indices) drop_below(above, p.levels);
  }
  // Stores a value. Its cells are on top, then `between` others, then the indices.
  HD_COLD void store(const Place& p, u32 between, u32 gap = 0) const {
    u32 above = p.cells() + between;
    for (u32 b = p.blocks; b-- > 0;) {
      above -= p.count[b];
      store_block(p, b, above, gap);
    }
  }
  HD_COLD void copy_ticks(TypeId type, u32 cells) const {
    if (cells < kCellsATick || !is_tuple(type) || !spell(c, type).has_containers) return;
    constant(cells / kCellsATick);
    op_none(Op::Ticks);
  }
  HD void op_none(Op op) const { sink.op(op, Scalar::None); }

  // The number of elements in the place.
  HD_COLD void length(const Place& p, u32 above, u32 gap = 0) const {
    const Container own = container_of(c, p.type);
    switch (own.form) {
      case TypeForm::Slice: return sink.op(Op::LoadVar, Scalar::I64, p.length_slot);
      case TypeForm::List: {
        if (!p.is_referred && p.levels == 0) return sink.op(Op::LoadVar, Scalar::I64, p.first[0]);
        return load_block(p, 0, above, gap);
      }
      case TypeForm::Array:
      case TypeForm::Option:
      case TypeForm::Tuple:
      case TypeForm::Record:
      case TypeForm::Sum: return constant(own.count);
    }
  }
  // Checks that the index on top lies in the place below it.
  HD_COLD void check_index(const Place& p, u32 gap = 0) const {
    length(p, 1 + gap);
    op(Op::CheckIndex);
  }
  // True if the access itself checks that the only index lies in the array.
  HD bool checks_itself(const Place& element) const {
    return element.levels == 1 && element.blocks == 1 && element.count[0] == 1 &&
           !element.is_referred;
  }
  // Checks the indices of path `node`, above which `above` cells lie.
  HD_COLD void check_indices(Index node, u32 above) const {
    Place p;
    find_place(c, node, p);
    const u32 levels = p.levels;
    if (checks_itself(p) && is_array_element(node)) return;
    u32 level = levels;
    Index indices[kMaxLevels];
    for (Index i = node; i != kNone; i = step_base(c, i))
      if (node_kind(c, i) == Node::Index && level != 0) indices[--level] = i;
    for (level = 0; level < levels; ++level) {
      const u32 on_top = above + levels - 1 - level;
      copy(Scalar::I64, on_top);
      find_place(c, c.left[indices[level]], p);
      length(p, on_top + 2);
      op(Op::CheckIndex);
      sink.op(Op::Project, Scalar::None, 0, 1 << 16);
    }
  }

  // A reference to the cells of a block.
  HD_COLD void refer(const Place& p, u32 b, u32 above) const {
    if (p.is_referred) {
      sink.op(Op::LoadVar, reference_to(p.scalar[b]), p.reference[b]);
      if (is_slice(c, p.type)) return;
    } else {
      const u32 cells = p.reach[b] + p.count[b];
      constant(cells);
      sink.op(Op::Ref, p.scalar[b], cells != 0 ? p.first[b] : 0, cells);
      if (p.levels == 0) return;
    }
    offset(p, b, above + 1);
    offset(p, b, above + 2);
    constant(p.count[b]);
    op(Op::AddWrap);
    sink.op(Op::RefPart, p.scalar[b]);
  }
  // A slice of all elements of the place.
  HD_COLD void slice(const Place& p) const {
    length(p, 0);
    u32 above = 1;
    for (u32 b = first_element_block(p); b < p.blocks; ++b) refer(p, b, above++);
    drop_below(above, p.levels);
  }
  HD u32 first_element_block(const Place& p) const {
    return container_of(c, p.type).form == TypeForm::List ? 1 : 0;
  }

 private:
  HD static u32 access(const Place& p, u32 b) {
    return u32{p.count[b]} << 16 | (p.reach[b] + p.count[b]);
  }
  HD_COLD void load_slots(u32 slot, Scalar type, u32 cells) const {
    if (cells == 1) return sink.op(Op::LoadVar, type, slot);
    sink.op(Op::LoadVars, Scalar::None, slot, cells);
  }
  // True if the last step of the path is an index of an array.
  HD bool is_array_element(Index node) const {
    return node_kind(c, node) == Node::Index && has_form(c, c.type[c.left[node]], TypeForm::Array);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
