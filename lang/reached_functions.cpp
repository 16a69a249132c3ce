// SPDX-License-Identifier: Apache-2.0
#include "lang/reached_functions.h"

namespace komuz {

std::vector<u32> reached_functions(const CodeView& code, u32 entry) {
  std::vector<u32> reached = {entry};
  std::vector<bool> is_known(code.functions.size(), false);
  is_known[entry] = true;
  for (size_t k = 0; k < reached.size(); ++k) {
    const Function& f = code.functions[reached[k]];
    for (u32 at = f.code_begin; at < f.code_end; ++at) {
      const Instruction& i = code.instructions[at];
      if (i.op != Op::Call || is_known[i.a]) continue;
      is_known[i.a] = true;
      reached.push_back(i.a);
    }
  }
  return reached;
}

}  // namespace komuz
