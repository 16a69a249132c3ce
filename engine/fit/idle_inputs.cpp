// SPDX-License-Identifier: Apache-2.0
// Exponents x of a product solve A x = b, where a row of A has the exponents of a base unit in the units of the inputs,
// and b those of the target's, or zeros. Once A is in reduced form, an exponent may differ from zero if its column is
// free, or if its row has a number in a free column or on the right.
#include "engine/fit/idle_inputs.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace komuz::engine {
namespace {

constexpr f64 kZero = 1e-9;

// A row for each base unit: a number for each input, and that of the target.
using Matrix = std::vector<std::vector<f64>>;

Matrix exponents_of(const FitData& data) {
  const size_t columns = data.inputs.size() + 1;
  std::map<std::string, std::vector<f64>> rows;
  const auto add = [&](const Unit& unit, size_t column) {
    for (const auto& [base, quarters] : unit.exponents()) {
      std::vector<f64>& row = rows[base];
      row.resize(columns);
      row[column] = static_cast<f64>(quarters);
    }
  };
  for (size_t k = 0; k < data.inputs.size(); ++k) add(data.inputs[k].unit, k);
  add(data.target_unit, data.inputs.size());
  Matrix out;
  for (auto& [base, row] : rows) out.push_back(std::move(row));
  return out;
}

// Gauss and Jordan, with the largest pivots. Gives the row of each column's pivot, or -1.
std::vector<int> reduce(Matrix& rows, size_t columns) {
  std::vector<int> pivots(columns, -1);
  size_t next = 0;
  for (size_t column = 0; column < columns && next < rows.size(); ++column) {
    size_t largest = next;
    for (size_t row = next; row < rows.size(); ++row)
      if (std::fabs(rows[row][column]) > std::fabs(rows[largest][column])) largest = row;
    if (std::fabs(rows[largest][column]) < kZero) continue;
    std::swap(rows[next], rows[largest]);
    const f64 pivot = rows[next][column];
    for (f64& number : rows[next]) number /= pivot;
    for (size_t row = 0; row < rows.size(); ++row) {
      const f64 factor = rows[row][column];
      if (row == next || factor == 0) continue;
      for (size_t k = 0; k < rows[row].size(); ++k) rows[row][k] -= factor * rows[next][k];
    }
    pivots[column] = static_cast<int>(next++);
  }
  return pivots;
}

}  // namespace

std::vector<u32> idle_inputs(const FitData& data) {
  Matrix rows = exponents_of(data);
  const size_t inputs = data.inputs.size();
  const std::vector<int> pivots = reduce(rows, inputs);
  std::vector<u32> out;
  for (u32 k = 0; k < inputs; ++k) {
    if (pivots[k] < 0) continue;
    const std::vector<f64>& row = rows[static_cast<size_t>(pivots[k])];
    bool is_used = std::fabs(row[inputs]) >= kZero;
    for (size_t other = 0; other < inputs && !is_used; ++other)
      is_used = pivots[other] < 0 && std::fabs(row[other]) >= kZero;
    if (!is_used) out.push_back(k);
  }
  return out;
}

}  // namespace komuz::engine
