// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_cases.h"

#include <bit>

#include "engine/values/value_text.h"

namespace komuz::engine {

CasesTable cases_of(const FitData& data, std::span<const u32> rows) {
  CasesTable out;
  out.file = data.file;
  if (!data.weights.empty()) out.weights = data.weights_column;
  for (const FitInput& input : data.inputs) out.columns.push_back(input.name);
  std::string& text = out.text;
  const auto add_number = [&text](f64 number) {
    TableCell cell;
    cell.begin = text.size();
    print_scalar(text, Scalar::F64, std::bit_cast<u64>(number), ValueStyle::Text);
    cell.length = static_cast<u32>(text.size() - cell.begin);
    text += ',';
    return cell;
  };
  out.rows.reserve(rows.size());
  out.cells.reserve(rows.size() * out.columns.size());
  for (const u32 row : rows) {
    for (const std::vector<f64>& column : data.columns)
      out.cells.push_back(add_number(column[row]));
    TableRow& made = out.rows.emplace_back();
    made.line = data.lines[row];
    if (!data.weights.empty()) made.weight = data.weights[row];
    made.expected = add_number(data.expected[row]);
  }
  // Readers of cells may look behind the last one.
  text.append(64, ' ');
  return out;
}

}  // namespace komuz::engine
