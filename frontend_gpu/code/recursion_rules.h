// SPDX-License-Identifier: Apache-2.0
// The rules of `rec`. They do not depend on how the cycles of a program are found.
#pragma once
#include "frontend_gpu/code/bounds.h"
#include "frontend_gpu/text/literal.h"
#include "lang/recursion_note.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kMaxRec = 4096, kDefaultRec = 64;

// The function that a use calls, by its number among functions; kNone: it calls none.
HD u32 called_function(const Columns& c, u32 u) {
  const Index i = c.use_node[u], ref = c.ref[i];
  const bool calls = is_callee(node_context(c, i)) || c.role[i] == Role::Function;
  if (ref >= kBuiltinRef || !calls) return kNone;
  return c.item_ordinal[c.item[c.bind_node[ref]]];
}

// The number behind `rec`: 0 if there is none, more than kMaxRec if it is wrong.
HD u32 written_rec(const Columns& c, Index item) {
  const Index bound = c.item_bound[item];
  if (bound == kNone) return 0;
  u64 value = 0;
  if (node_kind(c, bound) == Node::Int) {
    const Literal literal =
        integer_literal(node_text(c, bound), node_length(c, bound), Scalar::U32, false);
    value = literal.error == DiagnosticCode::None ? literal.cell : 0;
  } else {
    const Index ref = c.ref[bound];
    if (ref >= kBuiltinRef || c.bind_kind[ref] != BindKind::Constant) return kMaxRec + 1;
    const TypeId type = c.bind_type[ref];
    if (!is_scalar(type) || !is_integer(as_scalar(type))) return kMaxRec + 1;
    value = c.constants[c.item_constant[c.item[c.bind_node[ref]]]];
  }
  return value >= 1 && value <= kMaxRec ? static_cast<u32>(value) : kMaxRec + 1;
}

template <class G>
HD u32 checked_rec(G& g, Columns& c, Index item) {
  const u32 written = written_rec(c, item);
  if (written > kMaxRec) report(g, c, c.item_bound[item], DiagnosticCode::RecRange);
  return written;
}

// The bounds that the functions of a cycle have, in the order of the functions' numbers: the first bound, and the
// first that differs from it; 0: there is none.
struct CycleBounds {
  u32 first = 0, other = 0;

  HD void add(u32 written) {
    if (written == 0) return;
    if (first == 0)
      first = written;
    else if (other == 0 && written != first)
      other = written;
  }
  [[nodiscard]] HD u32 bound() const { return first == 0 ? kDefaultRec : first; }
};

// Reports the `rec` of a function that is in no cycle.
template <class G>
HD void report_useless(G& g, Columns& c, Index item, u32 written) {
  if (written != 0) report_note(g, c, c.item_name[item], DiagnosticCode::UselessRec);
}
// Handles a function in a cycle. Returns true if it has no `rec`, which a note reports.
template <class G>
HD bool bound_function(G& g, Columns& c, Index item, u32 written, const CycleBounds& bounds) {
  const Index name = c.item_name[item];
  if (is_space(c, item)) {
    report(g, c, name, DiagnosticCode::SpaceCycle);
    return false;
  }
  const u32 differs = written == bounds.first ? bounds.other : bounds.first;
  if (written != 0 && differs != 0)
    report(g, c, name, DiagnosticCode::RecDiffers, written, differs);
  c.item_rec[item] = static_cast<u16>(bounds.bound());
  return written == 0;
}
template <class G>
HD void report_missing(G& g, Columns& c, Index item, const RecursionNote& note) {
  report_note(g, c, c.item_name[item], DiagnosticCode::MissingRec, note.low(), note.high());
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
