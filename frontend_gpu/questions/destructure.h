// SPDX-License-Identifier: Apache-2.0
// Patterns that take every value, those of `let`, `var`, `for` and lambdas: the parts into which they divide the
// value.
//
//   let (Box(high: a, ..), k) = …     parts, last first: k; each field of Box that nothing names; a
//   let (a, .., z) = …                parts, last first: z; each element that `..` stands for; a
#pragma once
#include "frontend_gpu/questions/field_patterns.h"
#include "frontend_gpu/questions/tuple_patterns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Calls visit(name, type) for the parts of a value from its last cell to its first; `name` is kNone for a part that
// the pattern leaves out. whole(pattern, type) gives the type that parentheses, or a constructor with parentheses,
// divide; kTypeError: the type is not known, so its parts are not known either. Returns a pattern with more parts
// than there is room for; kNone: there is none.
template <class Whole, class Visit>
HD_COLD Index take_apart(const Columns& c, Index target, TypeId type, Whole whole, Visit visit) {
  struct Part {
    Index pattern;
    TypeId type;
  };
  constexpr u32 kMost = Spelling::kCapacity;
  Part pending[kMost];
  u32 n = 0;
  pending[n++] = {target, type};
  while (n != 0) {
    const Part part = pending[--n];
    const Index pattern = part.pattern;
    if (pattern == kNone || node_kind(c, pattern) == Node::Name) {
      if (pattern == kNone || node_context(c, pattern) != Context::Skipped)
        visit(pattern, part.type);
      continue;
    }
    if (node_context(c, pattern) == Context::Skipped) continue;
    const bool makes = node_kind(c, pattern) == Node::Call;
    const Index list = makes ? Index{c.right[pattern]} : pattern;
    if (node_context(c, list) == Context::Skipped) continue;
    const Index inside = c.right[list];
    if (!makes && inside != kNone && !has_comma(c, list) && node_kind(c, inside) != Node::Spread) {
      pending[n++] = {inside, part.type};
      continue;
    }
    const TypeId of = whole(pattern, part.type);
    const bool typed = is_tuple(of);
    const u32 given = count_elements(c, list, kMost + 1);
    const u32 parts = typed ? count_parts(c, of, kMost + 1) : given;
    if (n + parts > kMost) return pattern;
    if (typed) {
      ElementsBackwards types = PartsBackwards(c, of);
      for (u32 k = parts; k-- > 0;) pending[n + k] = {kNone, part_type(c, of, types.next())};
    } else {
      for (u32 k = 0; k < parts; ++k) pending[n + k] = {kNone, kTypeError};
    }
    const TuplePattern tuple = makes || !typed ? TuplePattern{} : tuple_pattern(c, list);
    ElementsBackwards elements(c, list);
    for (u32 k = given; k-- > 0;) {
      const Index element = elements.next();
      if (node_kind(c, element) == Node::Spread || node_context(c, element) == Context::Skipped)
        continue;
      const bool named = names_field(c, element);
      const u32 number = named && typed ? named_field(c, tuple_node(of), c.left[element])
                                        : tuple.part_of(k, parts);
      pending[n + number].pattern = named ? Index{c.right[element]} : element;
    }
    n += parts;
  }
  return kNone;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
