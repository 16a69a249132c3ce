// SPDX-License-Identifier: Apache-2.0
// The arguments of a case, one after the other, as what a value printer takes.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/failure_list.h"
#include "engine/suite.h"

namespace komuz::engine {

// Calls visit(name, type code, cells) for each parameter. `types`: of all as one tuple; `cell`: gives that of a slot.
template <class Cell, class Visit>
void for_each_argument(std::span<const std::string> names, std::string_view types, Cell cell,
                       Visit visit) {
  size_t type = 2;  // behind the tuple's code and count
  u32 slot = 0;
  std::vector<u64> cells;
  for (const std::string& name : names) {
    const size_t end = skip_type(types, type);
    const std::string_view code = types.substr(type, end - type);
    cells.clear();
    for (size_t left = count_cells(code); left > 0; --left) cells.push_back(cell(slot++));
    visit(name, code, std::span<const u64>(cells));
    type = end;
  }
}
template <class Visit>
void for_each_argument(const CaseArguments& arguments, u32 case_index, Visit visit) {
  for_each_argument(
      arguments.signature.names, arguments.case_types,
      [&](u32 slot) { return arguments.argument_cell(slot, case_index); }, visit);
}
// Of the case that a candidate failed in, as it took them.
template <class Visit>
void for_each_argument(const Suite& suite, const Failure& failure, Visit visit) {
  if (failure.signature.empty()) return for_each_argument(suite, failure.case_index, visit);
  auto next = failure.arguments.begin();
  for_each_argument(
      read_signature(failure.signature).signature.names, failure.argument_types,
      [&](u32 slot) {
        return next != failure.arguments.end() && next->slot == slot ? next++->value : u64{0};
      },
      visit);
}

}  // namespace komuz::engine
