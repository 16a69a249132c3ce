// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_cases.h"

#include <memory>
#include <utility>

namespace komuz::engine {
namespace {

// The numbers of given columns, which these refer to.
struct Numbers {
  std::vector<std::vector<f64>> columns;
};

}  // namespace

CasesTable cases_of(const FitData& data, std::span<const u32> rows) {
  CasesTable out;
  out.file = data.file;
  if (!data.weights.empty()) out.weights = data.weights_column;
  const auto numbers = std::make_shared<Numbers>();
  GivenColumns given;
  given.rows = rows.size();
  const auto add = [&](const std::string& name, const std::vector<f64>& column) {
    std::vector<f64>& taken = numbers->columns.emplace_back();
    taken.reserve(rows.size());
    for (const u32 row : rows) taken.push_back(column[row]);
    const NumberColumn part = {name, NumberKind::F64,
                               reinterpret_cast<const std::byte*>(taken.data()), sizeof(f64),
                               rows.size()};
    given.columns.push_back({name, {part}});
    return given.columns.size() - 1;
  };
  for (size_t k = 0; k < data.inputs.size(); ++k) {
    out.columns.push_back(data.inputs[k].name);
    out.given.columns.push_back(add(data.inputs[k].name, data.columns[k]));
  }
  out.given.expected = add(data.target_name, data.expected);
  given.memory = numbers;
  out.given.source = std::make_shared<const GivenColumns>(std::move(given));
  out.rows.reserve(rows.size());
  for (const u32 row : rows) {
    TableRow& made = out.rows.emplace_back();
    made.line = data.lines[row];
    if (!data.weights.empty()) made.weight = data.weights[row];
    made.expected.length = 1;
  }
  return out;
}

}  // namespace komuz::engine
