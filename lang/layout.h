// SPDX-License-Identifier: Apache-2.0
// The places of a value's cells. A layout is a list of blocks; the cells of a block have one scalar type.
//
//   scalar            one block of one cell
//   tuple, record     the layouts of the elements, one behind the other
//   array of n        the blocks of the element, each n times as long: element i of a block of c cells lies at i·c
//   list up to n      an i64, the length, then the layout of an array of n; cells behind the length are zero
//   sum, Option       a u8, the number of the alternative (Option: 0 None, 1 Some), then one block for each scalar
//                     type, in the order of types.def. A block is as long as the alternative with the most cells of the
//                     type needs. It holds the blocks of the alternative's fields, one behind the other; the rest is
//                     zero
//   slice             an i64, the length, then for each block of the element one reference to such cells
//
// So an index operation touches cells of one type only, and two values have the same bits exactly if all cells are
// equal.
//
// To use it, walk a type in prefix order and tell a Layout what comes; it visits the blocks.
#pragma once
#include "lang/types.h"

namespace komuz {

inline constexpr u32 kMaxTypeCells = 0xFFFF;  // of an array, a list, a sum or an Option
inline constexpr u32 kMaxTypeDepth = 32;  // arrays, lists, sums, Options and slices in one another

struct LayoutBlock {
  Scalar scalar = Scalar::None;
  u32 cells = 0;  // kMaxTypeCells + 1: more than that
  bool operator==(const LayoutBlock&) const = default;
};

// The type of a cell that refers to cells of a type.
inline constexpr u8 kReferenceBit = 0x20;
HD constexpr Scalar reference_to(Scalar s) {
  return static_cast<Scalar>(kReferenceBit | static_cast<u8>(s));
}
inline constexpr u32 kCellTypeCount = kReferenceBit + kScalarCount;  // of numbers below it
// The type that a reference refers to.
HD constexpr Scalar referred(Scalar s) {
  return static_cast<Scalar>(static_cast<u8>(s) & ~kReferenceBit);
}
HD constexpr bool is_reference(Scalar s) { return (static_cast<u8>(s) & kReferenceBit) != 0; }
// True if a cell of a frame may have this type: a scalar, or a reference to one.
HD constexpr bool is_cell_type(Scalar s) {
  return referred(s) != Scalar::None && static_cast<u8>(referred(s)) < kScalarCount;
}
// The type with which a machine moves a cell: references have 64 bits.
HD constexpr Scalar moved_as(Scalar s) { return is_reference(s) ? Scalar::U64 : s; }

template <class Visit>
class Layout {
 public:
  HD explicit Layout(Visit visit) : visit_(visit) { frames_[0] = {}; }

  HD void add(Scalar scalar, u32 count = 1) { put(scalar, count); }
  HD void open_array(u32 count) { push({limited(u64{top().times} * count), top().sum}); }
  HD void open_list(u32 capacity) {
    add(Scalar::I64);
    open_array(capacity);
  }
  HD void open_slice() {
    add(Scalar::I64);
    open_array(1);
    refers_ = true;
  }
  // Followed by each alternative's fields, with end_alternative() behind them.
  HD void open_sum() {
    add(Scalar::U8);
    push({1, depth_ + 1});
    for (u32 s = 0; s < kScalarCount; ++s) sums_[depth_].cells[s] = sums_[depth_].most[s] = 0;
  }
  HD void end_alternative() {
    Sum& sum = sums_[depth_];
    for (u32 s = 0; s < kScalarCount; ++s) {
      if (sum.cells[s] > sum.most[s]) sum.most[s] = sum.cells[s];
      sum.cells[s] = 0;
    }
  }
  HD void close_sum() {
    const Sum& sum = sums_[depth_--];
    for (u32 s = 0; s < kScalarCount; ++s)
      if (sum.most[s] != 0) put(static_cast<Scalar>(s), sum.most[s]);
  }
  // For types other than sums.
  HD void close() {
    if (--depth_ == 0) refers_ = false;
  }
  [[nodiscard]] HD bool is_full() const { return depth_ == kMaxTypeDepth; }

 private:
  struct Frame {
    u32 times = 1;  // how often the present part is repeated in the innermost sum, or in the value
    u32 sum = 0;    // the frame of the innermost sum; 0: none
  };
  struct Sum {
    u32 cells[kScalarCount], most[kScalarCount];  // of the alternative so far, and over all
  };

  HD static u32 limited(u64 cells) {
    return cells > kMaxTypeCells ? kMaxTypeCells + 1 : static_cast<u32>(cells);
  }
  HD const Frame& top() const { return frames_[depth_]; }
  HD void push(Frame frame) { frames_[++depth_] = frame; }
  HD void put(Scalar scalar, u32 count) {
    const u32 cells = limited(u64{top().times} * count);
    if (top().sum != 0) {
      u32& sum = sums_[top().sum].cells[static_cast<u8>(scalar)];
      sum = limited(u64{sum} + cells);
    } else if (refers_) {
      visit_(LayoutBlock{reference_to(scalar), 1});
    } else {
      visit_(LayoutBlock{scalar, cells});
    }
  }

  Visit visit_;
  Frame frames_[kMaxTypeDepth + 1];  // by depth; the first is around all
  Sum sums_[kMaxTypeDepth + 1];      // for the frames that are sums
  u32 depth_ = 0;
  bool refers_ = false;  // inside a slice
};

}  // namespace komuz
