// SPDX-License-Identifier: Apache-2.0
// The order of values, for `cmp` and the keys of `sort_by`: which types have an order, in what steps their values
// are compared, and how much code that takes.
//
// A value whose cells lie in the order in which its parts are compared is compared cell by cell. Other values lie
// in slots and are compared by their parts. Elements are compared in a loop. Sums are compared first by the numbers
// of their alternatives; if these are equal, by the fields of that alternative, because its cells lie by type and
// not by field.
#pragma once
#include "frontend_gpu/questions/fields.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The most loops inside of each other.
inline constexpr u32 kMaxOrderLevels = 7;
// The most instructions that a comparison in a call of `cmp` may take.
inline constexpr u32 kMaxOrderCode = 2500;
// The most steps that lead to a part: types nest 64 deep.
inline constexpr u32 kMaxOrderDepth = 66;
// The fewest instructions before the fields of an alternative that lies in variables.
inline constexpr u32 kAlternativeCode = 4;

// Whether the scalars of successive cells come in the order of the blocks of a sum.
class RisingScalars {
 public:
  HD explicit RisingScalars(const Columns& c) : c_(c) {}
  // Adds the scalars of types. Returns false for an order that falls, and for arrays, lists, Options, and sums of
  // several cells.
  HD_COLD bool add(const Spelling& s, u32 from, u32 to) {
    for (u32 k = from; k < to; k += s.head(k)) {
      if (s.is_container(k)) return false;
      const bool is_sum = s.codes[k] == kSumCode;
      if (is_sum && type_cells(c_, made_type(c_, s.item(k))) != 1) return false;
      if (!is_sum && !s.is_scalar(k)) continue;
      const u8 scalar = is_sum ? static_cast<u8>(kTagScalar) : s.codes[k];
      if (scalar < last_) return false;
      last_ = scalar;
    }
    return true;
  }

 private:
  const Columns& c_;
  u8 last_ = 0;
};
// True if the cells of each alternative lie in the order of its fields.
HD_COLD bool is_sum_in_order(const Columns& c, TypeId sum) {
  Alternatives alternatives(c, sum);
  for (Index a = alternatives.next(); a != kNone; a = alternatives.next()) {
    const u32 count = fields_of(c, a) == kNone ? 0 : count_elements(c, fields_of(c, a));
    RisingScalars scalars(c);
    for (u32 k = 0; k < count; ++k) {
      const Spelling s = spell(c, alternative_field_type(c, sum, a, k));
      if (!s.fits() || !scalars.add(s, 0, s.length)) return false;
    }
  }
  return true;
}
// True if a value is compared by its parts.
HD_COLD bool is_ordered_by_parts(const Columns& c, TypeId type) {
  if (!is_tuple(type)) return false;
  const Spelling s = spell(c, type);
  for (u32 k = 0; s.fits() && k < s.length; k += s.head(k)) {
    if (s.codes[k] == kSumCode && !is_sum_in_order(c, made_type(c, s.item(k)))) return true;
    if (!s.is_container(k)) continue;
    if (s.codes[k] != kOptionCode || !RisingScalars(c).add(s, k + 1, s.skip(k))) return true;
  }
  return false;
}

// A step from a value to one of the things that it is made of.
struct OrderStep {
  enum class Into : u8 { Part, Element, Alternative };

  TypeId type = kTypeError;  // of the value
  Into into = Into::Part;
  u32 part = 0, parts = 1;  // which of how many parts, elements or fields
  u32 alternative = 0;
  Index constructor = kNone;  // of the alternative; kNone: it is `Some`

  HD_COLD static OrderStep first(const Columns& c, TypeId type) {
    OrderStep step{type};
    if (has_alternatives(c, type)) {
      step.into = Into::Alternative;
      step.parts = 0;
      (void)step.enter_next_alternative(c);
    } else if (has_elements(c, type)) {
      step.into = Into::Element;
    } else {
      step.parts = count_parts(c, type);
    }
    return step;
  }
  // Goes to the next alternative that has fields; false: there is none.
  HD_COLD bool enter_next_alternative(const Columns& c) {
    const bool is_first = parts == 0;
    part = 0;
    if (!is_sum(c, type)) {  // only `Some` has a field
      parts = alternative = 1;
      return is_first;
    }
    Alternatives alternatives(c, type);
    u32 number = 0;
    for (Index a = alternatives.next(); a != kNone; a = alternatives.next(), ++number) {
      if ((!is_first && number <= alternative) || fields_of(c, a) == kNone) continue;
      parts = count_elements(c, fields_of(c, a));
      alternative = number;
      constructor = a;
      if (parts != 0) return true;
    }
    return false;
  }
  // The type to which the step leads.
  [[nodiscard]] HD_COLD TypeId to(const Columns& c) const {
    switch (into) {
      case Into::Part: return field_type(c, type, part);
      case Into::Element: return settled(held_type(c, type));
      case Into::Alternative: return alternative_field_type(c, type, constructor, part);
    }
    return kTypeError;
  }
};

// Goes through the parts of a value in the order in which they are compared. Steps 0 to n - 1 lead to a part. Calls
// the visitor:
//   enter(steps, n)       step n comes next, into the first element, part or alternative; false: that is enough
//   part(steps, n, type)  a part that is compared by its cells
//   leave(steps, n)       the element, the parts or the alternative behind step n have been compared
//   again(steps, n)       step n leads into the next alternative
template <class Visitor>
HD_COLD void walk_order(const Columns& c, TypeId type, Visitor& visitor) {
  OrderStep steps[kMaxOrderDepth];
  u32 n = 0;
  for (TypeId at = type;; at = steps[n - 1].to(c)) {
    for (; is_ordered_by_parts(c, at); at = steps[n++].to(c)) {
      steps[n] = OrderStep::first(c, at);
      if (!visitor.enter(steps, n)) return;
    }
    visitor.part(steps, n, at);
    while (n != 0 && ++steps[n - 1].part == steps[n - 1].parts) {
      visitor.leave(steps, n - 1);
      OrderStep& step = steps[n - 1];
      if (step.into == OrderStep::Into::Alternative && step.enter_next_alternative(c)) {
        visitor.again(steps, n - 1);
        break;
      }
      --n;
    }
    if (n == 0) return;
  }
}

struct OrderSize {
  bool is_ordered = true;
  u32 levels = 0;  // arrays, lists and slices inside of each other
  u32 code = 0;    // the most instructions of the comparison (order_values.h)
};
// Measures a comparison, as a visitor of walk_order.
struct MeasureOrder {
  const Columns& c;
  u32 indices;  // numbers of elements on the way to the part
  OrderSize size{};
  u32 level = 0, alternatives = 0;  // loops and alternatives around the part

  HD_COLD bool enter(const OrderStep* steps, u32 n) {
    const OrderStep& step = steps[n];
    if (step.into == OrderStep::Into::Element) {
      if (level == kMaxOrderLevels || (n != 0 && is_slice(c, step.type))) size.is_ordered = false;
      size.code += 20 * indices++ + 40;
      if (++level > size.levels) size.levels = level;
    } else if (step.into == OrderStep::Into::Alternative) {
      size.code += 10 * indices + 14;
      again(steps, n);
    }
    if (size.code > kMaxOwnCode || n + 1 == kMaxOrderDepth) size.is_ordered = false;
    return size.is_ordered;
  }
  HD_COLD void part(const OrderStep*, u32, TypeId type) {
    const u32 cells = type_cells(c, type);
    size.code += cells * (10 * indices + 8);
    if (alternatives != 0) size.code += cells * 6 + 8;
  }
  HD void leave(const OrderStep* steps, u32 n) {
    if (steps[n].into == OrderStep::Into::Element) --indices, --level;
    if (steps[n].into == OrderStep::Into::Alternative) --alternatives;
  }
  HD void again(const OrderStep*, u32) {
    size.code += 5 * indices + kAlternativeCode + 3;
    ++alternatives;
  }
};
// Measures the comparison of two values. `outer`: how many numbers of elements lead to the values; 0 for variables.
// All values have an order, except slices inside of other types, and values whose comparison takes too much code.
HD_COLD OrderSize order_size(const Columns& c, TypeId type, u32 outer = 0) {
  MeasureOrder measure{c, outer};
  if (spell(c, type).fits())
    walk_order(c, type, measure);
  else
    measure.size.is_ordered = false;
  return measure.size;
}
// True if `cmp` takes values of the type.
HD_COLD bool is_ordered(const Columns& c, TypeId type) {
  const OrderSize size = order_size(c, type);
  return size.is_ordered && size.code <= kMaxOrderCode;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
