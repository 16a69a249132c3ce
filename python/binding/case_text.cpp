// SPDX-License-Identifier: Apache-2.0
#include "python/binding/case_text.h"

#include <bit>
#include <cmath>

#include "engine/values/value_text.h"

namespace komuz::python {
namespace {

// A name that holds what separates cells is put in quotes.
void append_name(std::string& out, const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos && !name.empty()) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

// As engine/values/value_text.h reads it: floats to the last bit, those of 32 bits with as few digits as these need.
void append_number(std::string& out, const NumberColumn& column, size_t row) {
  const auto print = [&](Scalar type, u64 cell) {
    engine::print_scalar(out, type, cell, engine::ValueStyle::Text);
  };
  const f64 number = is_float(column.kind) ? column.number(row) : 0;
  switch (column.kind) {
    case NumberKind::F64: return print(Scalar::F64, std::bit_cast<u64>(number));
    case NumberKind::F32: return print(Scalar::F32, std::bit_cast<u32>(static_cast<f32>(number)));
    case NumberKind::Bool: return print(Scalar::Bool, column.whole(row));
    default: return print(is_signed(column.kind) ? Scalar::I64 : Scalar::U64, column.whole(row));
  }
}

}  // namespace

Result<std::string> case_text(const std::vector<NumberColumn>& columns, const std::string& what,
                              const CaseTextOptions& options) {
  std::string text;
  for (const NumberColumn& column : columns) {
    if (&column != columns.data()) text += ',';
    append_name(text, column.name);
  }
  text += '\n';
  const size_t rows = columns.empty() ? 0 : columns.front().rows;
  constexpr size_t kUsualCell = 20;
  text.reserve(text.size() + rows * columns.size() * kUsualCell);
  for (size_t row = 0; row < rows; ++row) {
    for (const NumberColumn& column : columns) {
      if (&column != columns.data()) text += ',';
      const bool is_nan = is_float(column.kind) && std::isnan(column.number(row));
      if (is_nan && options.skips_missing) continue;
      if (is_nan)
        return input_problem(
            {}, what + ": row " + std::to_string(row) + " has a NaN in `" + column.name + "`",
            "leave such rows out by `skip_missing=True`, or write a number there");
      append_number(text, column, row);
    }
    text += '\n';
  }
  return text;
}

}  // namespace komuz::python
