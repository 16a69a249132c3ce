// SPDX-License-Identifier: Apache-2.0
// Visits the arguments of a case in order, in the form that a value printer takes.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cases/suite.h"
#include "engine/results/failure_list.h"
#include "engine/values/packed_cells.h"

namespace komuz::engine {

// Calls visit(name, type code, cells) for each parameter.
template <class Visit>
void for_each_argument(const CaseArguments& arguments, u32 case_index, Visit visit) {
  const std::string_view types = arguments.case_types;
  size_t type = 2;  // behind the tuple's code and count
  u32 slot = 0;
  std::vector<u64> cells;
  for (const std::string& name : arguments.signature.names) {
    const size_t end = skip_type(types, type);
    const std::string_view code = types.substr(type, end - type);
    cells.clear();
    for (size_t left = count_cells(code); left > 0; --left)
      cells.push_back(arguments.argument_cell(slot++, case_index));
    visit(name, code, std::span<const u64>(cells));
    type = end;
  }
}
// Visits the arguments of the case that a candidate failed, as the candidate took them: visit(name, type code, cells,
// value). If the value is not null, it is too long, and its cells were not kept.
template <class Visit>
void for_each_argument(const Suite& suite, const Failure& failure, Visit visit) {
  if (failure.signature.empty())
    return for_each_argument(
        suite, failure.case_index,
        [&](std::string_view name, std::string_view type, std::span<const u64> cells) {
          visit(name, type, cells, nullptr);
        });
  const Signature signature = read_signature(failure.signature).value();
  std::vector<u64> cells;
  size_t type = 2;  // behind the tuple's code and count
  for (size_t k = 0; k < signature.names.size(); ++k) {
    const size_t end = skip_type(failure.argument_types, type);
    const std::string_view code = std::string_view(failure.argument_types).substr(type, end - type);
    const KeptValue& value = failure.arguments[k];
    cells = unpack_cells(value.cells);
    if (!value.is_cut()) cells.resize(count_cells(code));
    visit(signature.names[k], code, cells, value.is_cut() ? &value : nullptr);
    type = end;
  }
}

}  // namespace komuz::engine
