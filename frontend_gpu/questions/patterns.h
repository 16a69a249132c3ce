// SPDX-License-Identifier: Apache-2.0
// Patterns of the arms of `match`: which part of the value each node stands for, the part's type, and its cells.
//
//   match s {                     Body(Match(s), Block(Comma(…)))
//       Rect(lo, hi) if c => e,   Lambda(Guard(pattern, c), e)
//       _ => f,                   Lambda(pattern, f)
//   }
#pragma once
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/questions/flat_types.h"
#include "frontend_gpu/questions/tuple_patterns.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A match's block owns its arms. An arm, the node `=>`, owns its pattern. The Body stands right before its block.
HD Index arms_block(const Columns& c, Index arm) { return c.owner[arm]; }
HD Index match_of_block(const Columns& c, Index block) { return c.left[block - 1]; }
HD Index match_of_arm(const Columns& c, Index arm) { return match_of_block(c, arms_block(c, arm)); }
HD Index block_of_match(const Columns& c, Index match) { return c.right[c.end[match]]; }
HD Index guard_of(const Columns& c, Index arm) {
  const Index left = c.left[arm];
  return node_kind(c, left) == Node::Guard ? left : kNone;
}
HD Index pattern_of(const Columns& c, Index arm) {
  const Index guard = guard_of(c, arm);
  return guard == kNone ? c.left[arm] : c.left[guard];
}
HD bool is_whole_pattern(Role role) {
  return role == Role::ArmPattern || role == Role::ArmName || role == Role::ArmUse;
}
HD bool is_pattern_name(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Name && is_in_arm(node_context(c, i)) &&
         (c.role[i] == Role::Bind || c.role[i] == Role::ArmName);
}
// Goes through the arms of a match in order.
class Arms {
 public:
  HD Arms(const Columns& c, Index match)
      : c_(c), block_(block_of_match(c, match)), at_(block_), end_(c.end[block_]) {}
  // The `=>` of the next arm, kNone at the end.
  HD Index next() {
    while (++at_ < end_) {
      if (node_kind(c_, at_) != Node::Lambda || node_context(c_, at_) != Context::MatchArms ||
          c_.owner[at_] != block_)
        continue;
      const Index arm = at_;
      at_ = c_.end[arm] - 1;  // arms inside of this arm belong to other matches
      return arm;
    }
    return kNone;
  }

 private:
  const Columns& c_;
  Index block_, at_, end_;
};
// True if no arm follows this one; a `,` may.
HD bool is_last_arm(const Columns& c, Index arm) {
  return c.end[arm] + 1 >= c.end[arms_block(c, arm)];
}

// What the name of a constructor before `(` refers to; kNone if the name is none.
HD Index constructor_of(const Columns& c, Index call) {
  const Index name = c.left[call];
  return node_context(c, name) == Context::PatternCallee ? Index{c.ref[name]} : kNone;
}

// The part of a value for which a pattern stands.
struct PatternPlace {
  TypeId type = kTypeError;  // kTypeError: the pattern around it does not fit
  u16 offset[kMaxBlocks];    // of the part's blocks of cells, among the cells of the value
};

class LocatePattern {
 public:
  HD LocatePattern(const Columns& c, PatternPlace& place) : c_(c), place_(place) {}

  // Finds the part for which node `leaf` of the pattern `root` stands in a value of the type.
  HD_COLD void operator()(Index root, Index leaf, TypeId type) {
    place_.type = kTypeError;
    place_.offset[0] = 0;
    if (!is_value(type) || !is_small(c_, settled(type))) return;
    if (!climb(root, leaf)) return;
    place_.type = settled(type);
    u32 at = 0, block = 0;
    for_each_block(c_, place_.type, [&](Scalar, u32 count) {
      place_.offset[block++] = static_cast<u16>(at);
      at += count;
    });
    while (levels_ != 0 && place_.type != kTypeError) {
      const Level& level = level_[--levels_];
      if (node_context(c_, level.paren) == Context::PatternOpen)
        enter_constructor(level.paren, level.element);
      else if (has_comma(c_, level.paren))
        enter_tuple(level.paren, level.element);
    }
  }

 private:
  static constexpr u32 kMaxLevels = 127;  // of constructors and tuples: types nest no deeper
  static constexpr u32 kMaxClimb = 1024;  // a pattern of more nodes is too large
  struct Level {
    Index paren, element;
  };

  // Climbs from the leaf, and notes each pair of parentheses and the element of it that the leaf lies in.
  HD bool climb(Index root, Index leaf) {
    levels_ = 0;
    Index element = leaf;
    u32 steps = 0;
    for (Index at = leaf; at != root; at = parent_of(c_, at)) {
      if (++steps > kMaxClimb) return false;
      count_work(c_, 1);
      if (node_kind(c_, at) != Node::Comma) element = at;
      const Index above = parent_of(c_, at);
      if (node_kind(c_, above) != Node::Paren) continue;
      if (node_context(c_, above) != Context::PatternOpen && !has_comma(c_, above)) continue;
      if (levels_ == kMaxLevels) return false;
      level_[levels_++] = {above, element};
    }
    return true;
  }
  [[nodiscard]] HD u32 count(Index paren) const {
    return count_elements(c_, paren, kMaxTypeElements + 1);
  }
  HD void fail() { place_.type = kTypeError; }

  HD void enter_tuple(Index paren, Index element) {
    if (!is_plain_tuple(c_, place_.type) || count(paren) > kMaxTypeElements) return fail();
    const TuplePattern own = tuple_pattern(c_, paren);
    const u32 parts = count_parts(c_, place_.type);
    if (!own.fits(parts) || own.misplaced != kNone) return fail();
    enter_part(own.part_of(element_number(c_, paren, element), parts));
  }
  HD void enter_constructor(Index paren, Index element) {
    const Index ref = constructor_of(c_, paren - 1);
    if (names_collection(ref, Collection::Some)) return enter_option(paren, element);
    if (ref >= kBuiltinRef || node_kind(c_, element) == Node::Spread) return fail();
    const TypeId type = constructed_type(c_, ref);
    const Index fields = fields_of(c_, c_.bind_node[ref]);
    if (!is_tuple(type) || !is_tuple(place_.type) || fields == kNone ||
        tuple_node(type) != tuple_node(place_.type) || count(paren) > kMaxTypeElements)
      return fail();
    const bool named = node_kind(c_, element) == Node::Colon;
    const u32 number =
        named ? named_field(c_, fields, c_.left[element]) : element_number(c_, paren, element);
    if (number >= count_elements(c_, fields)) return fail();
    if (is_sum(c_, type)) return enter_alternative(c_.bind_node[ref], number);
    enter_part(number);
  }
  HD void enter_option(Index paren, Index element) {
    const bool alone = node_kind(c_, element) != Node::Spread &&
                       node_kind(c_, element) != Node::Colon && count(paren) == 1;
    if (!is_option(c_, place_.type) || !alone) return fail();
    enter_alternative(kNone, 0);
  }
  // Enters an element of a tuple or record, whose blocks lie one behind the other.
  HD void enter_part(u32 number) {
    u32 blocks = 0;
    const auto type_of_part = [&](u32 k) {
      return settled(part_type(c_, place_.type, part_at(c_, place_.type, k)));
    };
    for (u32 k = 0; k < number; ++k)
      for_each_block(c_, type_of_part(k), [&](Scalar, u32) { ++blocks; });
    place_.type = type_of_part(number);
    u32 own = 0;
    for_each_block(c_, place_.type, [&](Scalar, u32) {
      place_.offset[own] = place_.offset[blocks + own];
      ++own;
    });
  }
  HD void enter_alternative(Index constructor, u32 number) {
    u16 first[kCellTypeCount] =
        {};  // of the blocks behind the number of the alternative, by scalar
    u32 block = 0;
    for_each_block(c_, place_.type, [&](Scalar scalar, u32) {
      if (block != 0) first[static_cast<u8>(scalar)] = place_.offset[block];
      ++block;
    });
    u32 own = 0;
    for_each_alternative_block(
        c_, place_.type, constructor, number, [&](Scalar scalar, u32 before, u32) {
          place_.offset[own++] = static_cast<u16>(first[static_cast<u8>(scalar)] + before);
        });
    place_.type = alternative_field_type(c_, place_.type, constructor, number);
  }

  const Columns& c_;
  PatternPlace& place_;
  Level level_[kMaxLevels];
  u32 levels_ = 0;
};

// True if the cells of the part lie one behind the other.
HD bool is_contiguous(const Columns& c, const PatternPlace& place) {
  u32 block = 0, next = place.offset[0];
  bool contiguous = true;
  for_each_block(c, place.type, [&](Scalar, u32 count) {
    contiguous &= place.offset[block++] == next;
    next += count;
  });
  return contiguous;
}

// What the passes keep for a pattern's node that tests a cell or binds a name: `given` is 1 + the number of its
// first cell in the value, or 0 for a name whose cells do not lie together; `type` is its type; `cell` is what the
// test compares with.
HD bool lies_together(const Columns& c, Index i) { return c.given[i] != 0; }
HD u32 first_cell(const Columns& c, Index i) { return c.given[i] - 1u; }

// A name that is bound on several sides of a `|` is one variable, the last of these bindings, which uses find. It
// has slots of its own.
HD Index last_of_name(const Columns& c, u32 b) {
  const Index root = pattern_of(c, c.owner[c.bind_node[b]]);
  u32 last = b;
  for (u32 k = b + 1; k < c.binds && c.bind_node[k] < c.end[root]; ++k)
    if (same_text(c, c.bind_node[k], c.bind_node[b])) last = k;
  return last;
}
// True if a name of a pattern needs slots of its own.
HD bool has_own_slots(const Columns& c, u32 b) {
  const Index i = c.bind_node[b];
  return !lies_together(c, i) && !is_blank(c, i) && last_of_name(c, b) == b;
}

// Maps a cell to a number; the numbers lie in the order of the values. The cell is no NaN.
HD u64 ordered(Scalar type, u64 cell) {
  if (!is_float(type)) return is_signed(type) ? cell ^ 1ull << 63 : cell;
  const u64 sign = 1ull << (scalar_bits(type) - 1);
  if (cell == sign) cell = 0;  // -0.0
  return (cell & sign) != 0 ? (sign - 1) & ~cell : cell | sign;
}

// The variable that a match looks at, if the match looks at nothing else and the variable cannot change. Then the
// match uses the variable's slots. kNone: the match has slots of its own.
HD Index matched_variable(const Columns& c, Index match) {
  const Index value = c.right[match];
  if (node_kind(c, value) != Node::Name || c.ref[value] >= kBuiltinRef) return kNone;
  switch (c.bind_kind[c.ref[value]]) {
    case BindKind::Parameter:
    case BindKind::Let:
    case BindKind::For:
    case BindKind::Lambda:
    case BindKind::Pattern: return c.ref[value];
    case BindKind::Function:
    case BindKind::Constant:
    case BindKind::Type:
    case BindKind::Constructor:
    case BindKind::Import:
    case BindKind::Module:
    case BindKind::Var:
    case BindKind::Limit:
    case BindKind::Match: return kNone;
  }
  return kNone;
}
HD Index arm_of_binding(const Columns& c, u32 b) { return c.owner[c.bind_node[b]]; }
// The slot of the first cell of the value that a match looks at. The value may be a name of an outer match's
// pattern without slots of its own; then the slots are those of the outer match's value.
HD u32 matched_slot(const Columns& c, Index match) {
  u32 offset = 0;
  for (;;) {
    const Index b = matched_variable(c, match);
    if (b == kNone) return c.bind_slot[c.ref[match]] + offset;
    if (c.bind_kind[b] == BindKind::For) return c.bind_value[b] + offset;
    if (c.bind_kind[b] != BindKind::Pattern || !lies_together(c, c.bind_node[b]))
      return c.bind_slot[b] + offset;
    offset += first_cell(c, c.bind_node[b]);
    match = match_of_arm(c, arm_of_binding(c, b));
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
