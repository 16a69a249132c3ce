// SPDX-License-Identifier: Apache-2.0
// The fields that stand between the parentheses of a constructor in a pattern: `Rect(lo, ..)`,
// `Rect(hi: a, lo: b)`.
#pragma once
#include "frontend_gpu/questions/patterns.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if a field is given by its name, `x: p`: the element is the `:`.
HD bool names_field(const Columns& c, Index element) {
  return node_kind(c, element) == Node::Colon;
}

// Reports what is wrong with the fields given, by fail(node, code, a, b). `fields` holds those of the constructor.
template <class Fail>
HD_COLD void check_given_fields(const Columns& c, Index call, Index fields, Fail fail) {
  const Index paren = c.right[call], name = c.left[call];
  const u32 count = count_elements(c, fields, kMaxTypeElements + 1),
            most = count_elements(c, paren, kMaxTypeElements + 2);
  if (count > kMaxTypeElements) return;  // reported where its type is made
  u32 named = 0, in_order = 0;
  bool rest = false;
  const auto field = [&](Index element) {
    if (node_context(c, element) == Context::Skipped) return;
    const Index label = c.left[element];
    if (named_field(c, fields, label) == kNoField)
      return fail(label, DiagnosticCode::UnknownRecordField, fields, 0);
    if (most > kMaxTypeElements + 1) return;  // more than all fields and a `..`
    ElementsBackwards others(c, paren);
    for (Index e = others.next(); e != kNone; e = others.next())
      if (e < element && names_field(c, e) && node_context(c, e) != Context::Skipped &&
          same_text(c, c.left[e], label))
        return fail(label, DiagnosticCode::FieldTwice, 0, 0);
  };
  ElementsBackwards elements(c, paren);
  for (Index e = elements.next(); e != kNone; e = elements.next()) {
    if (node_kind(c, e) == Node::Spread) {
      // `..` stands for the fields that are left, so it comes last.
      const bool last = named + in_order == 0 && !rest && c.right[e] == kNone;
      if (!last && node_context(c, e) != Context::Skipped) fail(e, DiagnosticCode::RestPlace, 0, 0);
      rest = true;
    } else if (names_field(c, e)) {
      ++named;
      field(e);
    } else {
      ++in_order;
    }
  }
  const u32 given = named + in_order;
  if (named != 0 && in_order != 0) return fail(name, DiagnosticCode::MixedArguments, 0, 0);
  if (given > count || (given < count && !rest))
    fail(call, DiagnosticCode::PatternFields, count, given);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
