// SPDX-License-Identifier: Apache-2.0
// What each argument of a record's constructor is for: `Name(a, b)`, `Name(y: b, x: a)` or `Name(..r, y: b)`.
#pragma once
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/types/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Takes a call without errors. The record's type fits a Spelling.
class RecordArguments {
 public:
  HD RecordArguments(const Columns& c, Index call, Index paren) : c_(c) {
    ElementsBackwards fields(c, paren);
    fields_ = count_elements(c, paren);
    u32 number = fields_;
    for (Index f = fields.next(); f != kNone; f = fields.next()) {
      field_[--number] = c.right[f];
      below_[number] = kNotGiven;
    }
    ArgumentsBackwards arguments(c, call);
    u32 behind = 0;      // cells of the arguments behind this one
    u32 next = fields_;  // behind the next field, if arguments are in order
    u32 spread = 0;      // cells of `..r` and of all behind it
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      behind += argument_cells(e);
      const bool named = c.role[e] == Role::Argument;
      if (named && node_kind(c, e) == Node::Spread) {
        spread = behind;
        in_order_ = false;
        continue;
      }
      const u32 field = named ? named_field(c, paren, c.left[e]) : next - 1;
      in_order_ &= field + 1 == next;
      next = field;
      if (field < fields_) below_[field] = behind;
    }
    cells_ = behind;
    in_order_ &= next == 0;
    u32 before = 0;  // cells of the fields before this one in `..r`
    for (u32 k = 0; k < fields_; ++k) {
      below_[k] = cells_ - (below_[k] == kNotGiven ? spread - before : below_[k]);
      before += type_cells(c, field_type(k));
    }
  }

  // True if the arguments lie on the stack in the order of the record's fields.
  [[nodiscard]] HD bool are_in_order() const { return in_order_; }
  // All cells of the arguments on the stack.
  [[nodiscard]] HD u32 cells() const { return cells_; }
  [[nodiscard]] HD u32 fields() const { return fields_; }
  [[nodiscard]] HD TypeId field_type(u32 field) const {
    return settled(declared_type(c_, field_[field]));
  }
  // The number of cells below the value of a field.
  [[nodiscard]] HD u32 cells_below(u32 field) const { return below_[field]; }

 private:
  static constexpr u32 kMostFields = Spelling::kCapacity, kNotGiven = ~0u;

  // An argument takes the cells of the type that is wanted, even if it leaves. By themselves, `x: Some(1)` and
  // `x: []` have other types.
  [[nodiscard]] HD u32 argument_cells(Index e) const {
    return type_cells(c_, settled(TypeId{c_.want[e]}));
  }

  const Columns& c_;
  u32 fields_ = 0, cells_ = 0;
  bool in_order_ = true;
  Index field_[kMostFields];  // the node of its type
  u32 below_[kMostFields];
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
