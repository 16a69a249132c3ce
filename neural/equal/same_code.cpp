// SPDX-License-Identifier: Apache-2.0
#include "neural/equal/same_code.h"

#include <algorithm>

#include "lang/reached_functions.h"

namespace komuz::neural {
namespace {

// The functions that an entry reaches, and the place of each in that list.
struct Reached {
  Reached(const CodeView& view, u32 entry)
      : code(view), functions(reached_functions(view, entry)), order(view.functions.size()) {
    for (u32 k = 0; k < functions.size(); ++k) order[functions[k]] = k;
  }
  [[nodiscard]] std::span<const u8> slots(const Function& f) const {
    return code.slot_types.subspan(f.slots_begin, f.slots);
  }

  CodeView code;
  std::vector<u32> functions, order;
};

bool is_same(const Reached& a, Instruction i, const Reached& b, Instruction j) {
  if (i.op != j.op || i.type != j.type) return false;
  switch (i.op) {
    case Op::Call: return a.order[i.a] == b.order[j.a];
    case Op::LoadConst: return a.code.constants[i.b] == b.code.constants[j.b];
    case Op::LoadConsts:
      return i.a == j.a && std::ranges::equal(a.code.constants.subspan(i.b, i.a),
                                              b.code.constants.subspan(j.b, j.a));
    default: return i == j;
  }
}

bool is_same(const Reached& a, const Function& f, const Reached& b, const Function& g) {
  if (f.code_end - f.code_begin != g.code_end - g.code_begin || f.rec != g.rec ||
      f.parameter_slots != g.parameter_slots || f.result_cells != g.result_cells ||
      !std::ranges::equal(a.slots(f), b.slots(g)))
    return false;
  for (u32 k = 0; k < f.code_end - f.code_begin; ++k)
    if (!is_same(a, a.code.instructions[f.code_begin + k], b,
                 b.code.instructions[g.code_begin + k]))
      return false;
  return true;
}

}  // namespace

bool is_same_code(const CodeView& a, u32 a_function, const CodeView& b, u32 b_function) {
  const Reached of_a(a, a_function), of_b(b, b_function);
  if (of_a.functions.size() != of_b.functions.size()) return false;
  for (u32 k = 0; k < of_a.functions.size(); ++k)
    if (!is_same(of_a, a.functions[of_a.functions[k]], of_b, b.functions[of_b.functions[k]]))
      return false;
  return true;
}

}  // namespace komuz::neural
