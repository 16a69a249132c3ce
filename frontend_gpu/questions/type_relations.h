// SPDX-License-Identifier: Apache-2.0
// How types relate: which type passes for which, and which type two values have in common.
#pragma once
#include "frontend_gpu/questions/flat_types.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if the heads at these two places agree: the same number of elements, the same record.
HD bool same_heads(const Spelling& a, u32 at, const Spelling& b, u32 behind) {
  for (u32 k = 0; k < a.head(at); ++k)
    if (a.codes[at + k] != b.codes[behind + k]) return false;
  return true;
}
// True if the literal spelt at `at` passes for the array or list at `wanted`.
HD bool open_passes_for(const Spelling& a, u32 at, const Spelling& b, u32 wanted) {
  const u8 code = b.codes[wanted];
  const bool array = a.codes[at] == Spelling::kOpenArray;
  if (!array && a.codes[at] != Spelling::kOpenList) return false;
  if (array && code == kArrayCode) return a.count(at) == b.count(wanted);
  // Two literals may have a type in common, though which one is not known yet.
  if (array && code == Spelling::kOpenArray) return a.count(at) <= b.count(wanted);
  const bool list = code == kListCode || code == Spelling::kOpenList;
  return list && a.count(at) <= b.count(wanted);
}
// True for an array or list where a slice is wanted.
HD bool passes_by_reference(const Spelling& a, const Spelling& b) {
  return b.codes[0] == kSliceCode && a.is_container(0) && a.codes[0] != kOptionCode;
}
HD bool spelling_passes_for(const Spelling& a, const Spelling& b) {
  u32 i = 0, j = 0;
  while (i < a.length && j < b.length) {
    const u8 own = a.codes[i], wanted = b.codes[j];
    if (own == kTypeNever) {  // the element of `[]` and `None`
      i = a.skip(i), j = b.skip(j);
      continue;
    }
    const bool passes = (own == wanted && same_heads(a, i, b, j)) || literal_takes(own, wanted) ||
                        open_passes_for(a, i, b, j) || (i == 0 && passes_by_reference(a, b));
    if (!passes) return false;
    i += a.head(i), j += b.head(j);
  }
  return i == a.length && j == b.length;
}
// True if a part of the type is in error.
HD bool has_error(const Spelling& s) {
  for (u32 k = 0; s.fits() && k < s.length; k += s.head(k))
    if (s.codes[k] == kTypeError) return true;
  return false;
}
HD_COLD bool tuple_passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (form_of(c, found) != TypeForm::Tuple && tuple_node(found) == tuple_node(wanted)) return true;
  const Spelling a = spell(c, found), b = spell(c, wanted);
  if (has_error(a) || has_error(b)) return true;
  return a.fits() && b.fits() && spelling_passes_for(a, b);
}
// True if values of type `found` pass for `wanted`. Literals take the wanted type.
HD bool passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (found == wanted || found == kTypeNever || found == kTypeError || wanted == kTypeError)
    return true;
  if (is_literal(found)) return literal_takes(found, wanted);
  return is_tuple(found) && is_tuple(wanted) && tuple_passes_for(c, found, wanted);
}
// True if two types differ in literals alone, each of which takes what stands in its place in the other type.
HD bool have_a_type_in_common(const Spelling& a, const Spelling& b) {
  if (a.length != b.length) return false;
  for (u32 k = 0; k < a.length; k += a.head(k)) {
    const u32 x = a.codes[k], y = b.codes[k];
    if (x == y ? !same_heads(a, k, b, k) : !literal_takes(x, y) && !literal_takes(y, x))
      return false;
  }
  return true;
}
// Gives the literals in a tuple of type `a` the types in their places in `b`, if the two types have one in common;
// then `b` passes for `a`. Only synthesise_types calls it, for a node that joins the two. Every literal's tuple has
// one such ancestor, because what is bound to a name has settled.
HD_COLD void fill_literals(Columns& c, TypeId a, TypeId b) {
  const Spelling own = spell(c, a), other = spell(c, b);
  if (!own.fits() || !other.fits()) return;
  if (!spelling_passes_for(own, other) && !spelling_passes_for(other, own) &&
      !have_a_type_in_common(own, other))
    return;
  struct Part {
    TypeId type;
    Index element;    // of a tuple, or kNone
    Index container;  // whose held type this is, or kNone
  };
  Part pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = {a, kNone, kNone};
  u32 k = 0, j = 0;
  while (n != 0 && j < other.length) {
    const Part part = pending[--n];
    const u8 theirs = other.codes[j];
    if (own.codes[k] == kTypeNever || theirs == kTypeNever) {
      k = own.skip(k), j = other.skip(j);
      continue;
    }
    if (is_literal(part.type) && literal_takes(part.type, theirs)) {
      if (part.container != kNone) {
        Container container = Container::of(c.cell[part.container]);
        container.element = theirs;
        c.cell[part.container] = container.packed();
      } else if (part.element != kNone) {
        c.type[part.element] = c.given[part.element] = theirs;
      }
    } else if (is_tuple(part.type) && is_container(form_of(c, part.type))) {
      const bool settles = (part.type & kTypeSettled) != 0;
      const Index node = tuple_node(part.type);
      const bool of_value = !settles && Container::of(c.cell[node]).element != kTypePending;
      pending[n++] = {held_type(c, part.type), kNone, of_value ? node : kNone};
    } else if (is_tuple(part.type)) {
      PartsBackwards elements(c, part.type);
      for (Index e = elements.next(); e != kNone; e = elements.next())
        pending[n++] = {part_type(c, part.type, e), e, kNone};
    }
    k += own.head(k), j += other.head(j);
  }
}
// The type that two values share, where a literal takes the other's type; kTypeUnlike: they share none.
HD TypeId join_types(const Columns& c, TypeId a, TypeId b) {
  if (a == b) return a == kTypeUnlike ? kTypeError : a;
  if (a == kTypeError || b == kTypeError || a == kTypeUnlike || b == kTypeUnlike) return kTypeError;
  if (is_tuple(a) && is_tuple(b) && (has_error(spell(c, a)) || has_error(spell(c, b))))
    return kTypeError;
  if (passes_for(c, a, b)) return b;
  if (passes_for(c, b, a)) return a;
  return kTypeUnlike;
}

// The type that the values of two nodes share. Literals in tuples and arrays take the types in their places in the
// other value.
HD TypeId join_values(Columns& c, TypeId a, TypeId b) {
  if (is_tuple(a) && is_tuple(b)) fill_literals(c, a, b);
  return join_types(c, a, b);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
