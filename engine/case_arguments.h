// SPDX-License-Identifier: Apache-2.0
// The arguments of a case, one after the other, as what a value printer takes.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/suite.h"

namespace komuz::engine {

// Calls visit(name, type code, cells) for each parameter of the signature.
template <class Visit>
void for_each_argument(const Suite& suite, u32 case_index, Visit visit) {
  const std::string_view types = suite.case_types;
  size_t type = 2;  // behind the tuple's code and count
  u32 slot = 0;
  std::vector<u64> cells;
  for (const std::string& name : suite.signature.names) {
    const size_t end = skip_type(types, type);
    const std::string_view code = types.substr(type, end - type);
    cells.clear();
    for (size_t left = count_cells(code); left > 0; --left)
      cells.push_back(suite.argument_cell(slot++, case_index));
    visit(name, code, std::span<const u64>(cells));
    type = end;
  }
}

}  // namespace komuz::engine
