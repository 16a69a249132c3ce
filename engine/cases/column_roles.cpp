// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/column_roles.h"

#include <algorithm>
#include <unordered_set>

#include "engine/cases/read_cases.h"

namespace komuz::engine {

Problem assign_columns(std::span<const std::string_view> names,
                       const std::function<InputPlace(size_t column)>& place_of,
                       const CaseFields& fields, CasesTable& out, std::vector<int>& roles) {
  std::unordered_set<std::string_view> known;
  for (size_t column = 0; column < names.size(); ++column) {
    const std::string_view name = names[column];
    const bool is_known = !known.insert(name).second;
    const auto input = std::ranges::find(fields.inputs, name);
    const bool is_input = input != fields.inputs.end();
    const bool takes_all = !fields.has_expectations && fields.inputs.empty();
    const bool is_output = !is_input && !takes_all && name == fields.output;
    const bool is_weight = !fields.form.weights.empty() && name == fields.form.weights;
    // Columns without a name, such as a written index, are read only on request.
    if (is_known && (!name.empty() || is_input || is_output || is_weight))
      return input_problem(place_of(column),
                           name.empty() ? "there are several columns without a name"
                                        : "the column " + shown(name) + " stands here twice",
                           name.empty() ? "give the one that is meant a name"
                                        : "the header names every column once");
    if (is_weight) {
      roles.push_back(kWeight);
    } else if (is_input) {
      roles.push_back(static_cast<int>(input - fields.inputs.begin()));
    } else if (is_output) {
      roles.push_back(kOutput);
    } else if (name.empty()) {
      roles.push_back(kIgnored);
      out.made_names.emplace_back();
    } else if (!takes_all && name == fields.trap) {
      roles.push_back(kTrap);
    } else if (!takes_all && name == fields.tolerance) {
      roles.push_back(kTolerance);
    } else if (fields.inputs.empty()) {
      roles.push_back(static_cast<int>(out.columns.size()));
      out.columns.emplace_back(name);
    } else {
      roles.push_back(kIgnored);
    }
  }
  const auto missing = [&](const std::string& name, bool is_input) {
    return missing_field({out.file, out.names_line}, "column", name, is_input, names, fields);
  };
  out.weights = fields.form.weights;
  if (!out.weights.empty() && !known.contains(out.weights))
    return missing_weights({out.file, out.names_line}, "column", out.weights, names);
  if (!fields.inputs.empty()) {
    out.by_name = false;
    out.columns = fields.inputs;
    for (const std::string& input : fields.inputs)
      if (!known.contains(input)) return missing(input, true);
  }
  if (fields.has_expectations && std::ranges::find(roles, kOutput) == roles.end() &&
      std::ranges::find(roles, kTrap) == roles.end())
    return missing(fields.output, false);
  return {};
}

}  // namespace komuz::engine
