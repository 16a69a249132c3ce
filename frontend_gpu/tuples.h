// SPDX-License-Identifier: Apache-2.0
// How types relate: which pass for which, and what two of them have in common.
#pragma once
#include "frontend_gpu/spelling.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Do the heads at k agree: as many elements, of the same record?
HD bool same_heads(const Spelling& a, const Spelling& b, u32 k) {
  for (u32 at = k; at < k + a.head(k); ++at)
    if (a.codes[at] != b.codes[at]) return false;
  return true;
}
// Is a part of it in error?
HD bool has_error(const Spelling& s) {
  for (u32 k = 0; s.fits() && k < s.length; k += s.head(k))
    if (s.codes[k] == kTypeError) return true;
  return false;
}
HD_COLD bool tuple_passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (form_of(c, found) != TypeForm::Tuple && tuple_node(found) == tuple_node(wanted)) return true;
  const Spelling a = spell(c, found), b = spell(c, wanted);
  if (has_error(a) || has_error(b)) return true;
  if (a.length != b.length || !a.fits()) return false;
  for (u32 k = 0; k < a.length; k += a.head(k)) {
    if (same_heads(a, b, k)) continue;
    if (!is_literal(a.codes[k]) || !literal_takes(a.codes[k], b.codes[k])) return false;
  }
  return true;
}
// Do values of type `found` pass for `wanted`, literals taking the wanted type?
HD bool passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (found == wanted || found == kTypeNever || found == kTypeError || wanted == kTypeError)
    return true;
  if (is_literal(found)) return literal_takes(found, wanted);
  return is_tuple(found) && is_tuple(wanted) && tuple_passes_for(c, found, wanted);
}
// Literals in a tuple of type `a` take the types that stand in their places in `b`, where the two have a type in common;
// `b` then passes for `a`. Of a node that joins the two in synthesise_types alone: every literal's tuple has one such
// ancestor, since what is bound to a name has settled.
HD_COLD void fill_literals(Columns& c, TypeId a, TypeId b) {
  const Spelling own = spell(c, a), other = spell(c, b);
  if (own.length != other.length || !own.fits()) return;
  for (u32 k = 0; k < own.length; k += own.head(k)) {
    const u32 x = own.codes[k], y = other.codes[k];
    if (!same_heads(own, other, k) && !literal_takes(x, y) && !literal_takes(y, x)) return;
  }
  struct Part {
    TypeId type;
    Index element;
  };
  Part pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = {a, kNone};
  for (u32 k = 0; n != 0; k += own.head(k)) {
    const Part part = pending[--n];
    if (is_literal(part.type)) {
      if (is_scalar(other.codes[k])) c.type[part.element] = c.given[part.element] = other.codes[k];
    } else if (is_tuple(part.type)) {
      PartsBackwards elements(c, part.type);
      for (Index e = elements.next(); e != kNone; e = elements.next())
        pending[n++] = {part_type(c, part.type, e), e};
    }
  }
}
// The type that two values share, literals taking the other's; kTypeUnlike if there is none.
HD TypeId join_types(const Columns& c, TypeId a, TypeId b) {
  if (a == b) return a == kTypeUnlike ? kTypeError : a;
  if (a == kTypeError || b == kTypeError || a == kTypeUnlike || b == kTypeUnlike) return kTypeError;
  if (is_tuple(a) && is_tuple(b) && (has_error(spell(c, a)) || has_error(spell(c, b))))
    return kTypeError;
  if (passes_for(c, a, b)) return b;
  if (passes_for(c, b, a)) return a;
  return kTypeUnlike;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
