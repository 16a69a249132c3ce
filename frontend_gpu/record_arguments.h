// SPDX-License-Identifier: Apache-2.0
// What the arguments of a record's constructor are for: `Name(a, b)`, `Name(y: b, x: a)` or `Name(..r, y: b)`.
#pragma once
#include "frontend_gpu/fields.h"
#include "frontend_gpu/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Of a call without errors.
class RecordArguments {
 public:
  HD RecordArguments(const Columns& c, Index call, Index paren) : c_(c), paren_(paren) {
    for (u32 k = 0; k < kMostFields; ++k) below_[k] = kNotGiven;
    ArgumentsBackwards arguments(c, call);
    u32 behind = 0;  // cells of the arguments behind it
    u32 next =
        count_elements(c, paren);  // behind the field that comes next where they are in order
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      const u32 cells = argument_cells(e);
      if (c.role[e] != Role::Argument) {
        below_[--next] = behind + cells;
      } else if (node_kind(c, e) == Node::Colon) {
        const u32 field = named_field(c, paren, c.left[e]);
        below_[field] = behind + cells;
        in_order_ &= field + 1 == next;
        next = field;
      } else {
        spread_ = behind + cells;
        in_order_ = false;
      }
      behind += cells;
    }
    cells_ = behind;
    in_order_ &= next == 0;
  }

  // Do they lie on the stack as the record's fields do?
  [[nodiscard]] HD bool are_in_order() const { return in_order_; }
  // All that they take on the stack.
  [[nodiscard]] HD u32 cells() const { return cells_; }
  // Cells of the arguments that lie below the value of a field.
  [[nodiscard]] HD u32 cells_below(u32 field) const {
    if (below_[field] != kNotGiven) return cells_ - below_[field];
    return cells_ - spread_ + cells_before(c_, paren_, field);  // in the record behind `..`
  }

 private:
  static constexpr u32 kMostFields = Spelling::kCapacity, kNotGiven = ~0u;

  // An argument that leaves takes the cells of what is wanted of it.
  [[nodiscard]] HD u32 argument_cells(Index e) const {
    const TypeId type = c_.type[e];
    return type_cells(c_, type == kTypeNever ? TypeId{c_.want[e]} : type);
  }

  const Columns& c_;
  Index paren_;
  u32 cells_ = 0, spread_ = 0;
  bool in_order_ = true;
  u32 below_[kMostFields];  // cells of a field's argument and of those behind it
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
