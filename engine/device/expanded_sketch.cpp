// SPDX-License-Identifier: Apache-2.0
#include "engine/device/expanded_sketch.h"

namespace komuz::engine {

AddedFunction last_function(const Code& code) {
  AddedFunction out;
  out.header = code.functions.back();
  for (u32 k = out.header.code_begin; k < out.header.code_end; ++k) {
    Instruction& i = out.instructions.emplace_back(code.instructions[k]);
    if (i.op != Op::LoadConst) continue;
    out.constants.push_back(code.constants[i.b]);
    i.b = static_cast<u32>(out.constants.size()) - 1;
  }
  const auto slots = code.slot_types.begin() + out.header.slots_begin;
  out.slot_types.assign(slots, slots + out.header.slots);
  return out;
}

}  // namespace komuz::engine
