// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/call_names.h"

#include <algorithm>

#include "lang/reached_functions.h"

namespace komuz::neural {
namespace {

u16 traps_of(const CodeView& code, u32 function) {
  u16 traps = 0;
  for (const u32 number : reached_functions(code, function)) {
    const Function& f = code.functions[number];
    for (u32 k = f.code_begin; k < f.code_end; ++k) {
      const Instruction i = code.instructions[k];
      const OpForm form = op_row(i.op).form;
      const bool names_it = form == OpForm::Require || form == OpForm::TrapNow;
      traps |= names_it ? static_cast<u16>(1u << i.a) : op_row(i.op).traps;
    }
  }
  // Fuel is counted, and never ends a run on terms.
  return traps & static_cast<u16>(~(1u << static_cast<u8>(Trap::Fuel)));
}

bool takes_references(const CodeView& code, const Function& f) {
  for (u32 k = 0; k < f.parameter_slots; ++k)
    if (is_reference(static_cast<Scalar>(code.slot_types[f.slots_begin + k]))) return true;
  return false;
}

bool may_be_partners(const ProofQuestion& q, u32 a, u32 b) {
  const Function &f = q.a.functions[a], &g = q.b.functions[b];
  return f.cycle != 0 && g.cycle != 0 && f.rec == g.rec &&
         q.a.parameter_types(f) == q.b.parameter_types(g) &&
         q.a.result_type(f) == q.b.result_type(g) && !takes_references(q.a, f);
}

}  // namespace

CallNames find_partners(const ProofQuestion& q) {
  CallNames names;
  names.a.resize(q.a.functions.size());
  names.b.resize(q.b.functions.size());
  const std::vector<u32> reached = reached_functions(q.b, q.b_function);
  const auto add = [&](u32 a, u32 b) {
    if (!may_be_partners(q, a, b) || names.a[a].is_known || names.b[b].is_known) return;
    names.partners.push_back({a, b});
    const u16 traps = traps_of(q.a, a) | traps_of(q.b, b);
    names.a[a] = names.b[b] = {true, names.partners.size(), 1, traps};
  };
  add(q.a_function, q.b_function);
  for (const u32 a : reached_functions(q.a, q.a_function))
    for (const u32 b : reached)
      if (q.a.name(q.a.functions[a]) == q.b.name(q.b.functions[b])) add(a, b);
  return names;
}

}  // namespace komuz::neural
