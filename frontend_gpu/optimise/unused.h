// SPDX-License-Identifier: Apache-2.0
// Finds `let` statements whose variable nothing uses, and whose value takes only operations on scalars that cannot
// trap. They make no code.
#pragma once
#include "frontend_gpu/code/emit_node.h"
#include "frontend_gpu/optimise/scalar_operation.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A variable that only an unused one uses is unused, too. So many of them in a row are found.
inline constexpr u32 kUnusedRounds = 8;

template <class G>
class UnusedVariables {
 public:
  HD UnusedVariables(G& g, Columns& c) : g_(g), c_(c) {}

  // bind_slot notes whether a binding is used or left out: variables have no slots yet.
  HD_COLD void leave_out() {
    for (u32 round = 0; round < kUnusedRounds; ++round) {
      g_.once([&] { c_.flags[kUnused] = 0; });
      g_.for_each(c_.binds, [&](u32 b) { c_.bind_slot[b] = 0; });
      g_.for_each(c_.uses, [&](u32 u) {
        const Index i = c_.use_node[u], ref = c_.ref[i];
        if (ref < kBuiltinRef && c_.role[i] != Role::Gone && c_.role[i] != Role::Folded)
          g_.raise(c_.bind_slot[ref]);
      });
      g_.for_each(c_.binds, [&](u32 b) {
        if (c_.bind_kind[b] != BindKind::Let || c_.bind_slot[b] != 0) return;
        if (!is_statement_of(assign_of(c_, b), b)) return;
        c_.bind_slot[b] = kLeftOut;
        g_.raise(c_.flags[kUnused]);
      });
      // Comes after all questions, because these also look at the roles of other statements' nodes.
      g_.for_each(c_.binds, [&](u32 b) {
        if (c_.bind_slot[b] != kLeftOut) return;
        const Index assign = assign_of(c_, b);
        for (Index n = c_.begin[assign]; n < c_.end[assign]; ++n) c_.role[n] = Role::Gone;
      });
      const bool found = c_.flags[kUnused] != 0;
      g_.once([] {});  // no lane clears the flag before all have read it
      if (!found) return;
    }
  }

 private:
  static constexpr u32 kLeftOut = 2;

  // True if the statement does nothing but give the binding its value.
  HD bool is_statement_of(Index assign, u32 b) const {
    if (assign == kNone || name_bound_by(c_, assign) != c_.bind_node[b]) return false;
    const Index value = c_.right[assign];
    if (value == kNone || !is_scalar(c_.type[value])) return false;
    for (Index n = c_.begin[value]; n < c_.end[value]; ++n)
      if (!does_nothing_else(n)) return false;
    return true;
  }
  // True if a node of a value does nothing but help to make that value.
  HD bool does_nothing_else(Index i) const {
    if (c_.tails[i] == kFactors) return true;
    if (c_.tails[i] != 0) return false;  // others may need it, too
    switch (c_.role[i]) {
      case Role::Gone:
      case Role::Folded:
      case Role::Shared:
      case Role::Neutral:
      case Role::Local:
      case Role::Group:
      case Role::Arguments:
      case Role::Callee: return true;
      default: break;
    }
    const Node kind = node_kind(c_, i);
    if (is_known(c_, i)) return true;
    if (kind == Node::Comma || kind == Node::Dot) return belongs_to_call(i);
    const ScalarOperation operation = scalar_operation(c_, i);
    if (operation.operands == 0 || !is_own_operation(c_, i)) return false;
    return !may_trap(operation.instruction.op, operation.instruction.type);
  }
  // True for a `,` between the arguments of a call of scalars, and for the dot of `x.f(y)`.
  HD bool belongs_to_call(Index i) const {
    if (node_kind(c_, i) == Node::Dot) return node_context(c_, i) == Context::Callee;
    const Index above = operation_above(c_, i);
    return above != kNone && node_kind(c_, above) == Node::Call;
  }

  G& g_;
  Columns& c_;
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
