// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/suite.h"

#include <algorithm>

#include "base/random.h"
#include "engine/cases/read_cases.h"
#include "engine/cases/typed_columns.h"

namespace komuz::engine {

std::vector<u64> Suite::all_expected() const {
  std::vector<u64> all;
  all.reserve(expected_columns_.size() * count);
  for (const u64* column : expected_columns_) all.insert(all.end(), column, column + count);
  return all;
}

class SuiteBuilder {
 public:
  SuiteBuilder(TypedColumns& columns, const std::stop_token& stop, Suite& out,
               ExpectedForm form = ExpectedForm::Values)
      : columns_(columns), stop_(stop), suite_(out), form_(form) {
    suite_ = {};
  }

  Problem build_columns(const Signature& signature) {
    if (Problem error = columns_.take(signature, {.stop = stop_}, suite_)) return error;
    suite_.expected_traps.assign(suite_.count, Trap::None);
    return {};
  }
  Problem build(const Signature& signature) {
    if (Problem error = build_columns(signature)) return error;
    append_cell_types(signature.result_type, suite_.result_types);
    suite_.has_variable_parts = has_variable_parts(signature.result_type);
    Random random(0);
    for (u32 row = 0; row < suite_.count; ++row) suite_.keys.push_back(random.next() | 1);
    return read_expectations();
  }

 private:
  Problem read_expectations() {
    const CasesTable& table = columns_.table();
    if (!table.weights.empty()) suite_.weights.assign(suite_.count, 0);
    const bool is_taken = take_given();
    ValueFormat format(suite_.signature.result_type);
    std::vector<u64> cells(suite_.result_types.size());
    const std::vector<Scalar> wide(cells.size(), Scalar::I64);
    CaseCells expected(wide);
    std::string room;
    for (u32 row = 0; row < suite_.count; ++row) {
      if (stop_.stop_requested()) return stopped();
      const TableRow& from = table.rows[row];
      suite_.lines.push_back(from.line);
      suite_.expected_traps[row] = from.trap;
      if (from.tolerance >= 0) {
        if (suite_.tolerances.empty())
          suite_.tolerances.assign(suite_.count, TableRow::kNoTolerance);
        suite_.tolerances[row] = from.tolerance;
      }
      if (!table.weights.empty()) suite_.weights[row] = from.weight;
      const bool expects_value = from.expected.length != 0 && from.trap == Trap::None;
      suite_.expects_traps = suite_.expects_traps || from.trap != Trap::None;
      if (is_taken) continue;
      if (!expects_value) {
        expected.add({});
        continue;
      }
      const CellAt at = {row, CellAt::kExpected};
      if (auto error = format.parse(expected_text(table.text_of(at, room)), table.style, cells))
        return value_problem(table, at, "the expected value", *error);
      expected.add(cells);
    }
    if (is_taken) return {};
    suite_.zeros_ = columns_.zeros();
    std::vector<const std::byte*> columns;
    suite_.expected_.push_back(expected.write(suite_.zeros_.get(), columns));
    for (const std::byte* column : columns)
      suite_.expected_columns_.push_back(reinterpret_cast<const u64*>(column));
    return {};
  }

  // Numbers in memory become canonical cells, where each row has some and the result's type holds them as they are. False: their texts
  // have to be read.
  bool take_given() {
    const CasesTable& table = columns_.table();
    const GivenColumn* const given = table.given_column(CellAt::kExpected);
    const std::vector<Scalar>& types = suite_.result_types;
    if (given == nullptr || given->texts || given->parts.size() != types.size()) return false;
    const bool is_tuple = types.size() > 1;
    const std::string_view type = suite_.signature.result_type;
    const size_t head = is_tuple ? kTupleHead : 0;
    if (type.size() != head + types.size() ||
        (is_tuple && type[0] != static_cast<char>(kTupleCode)))
      return false;
    if (std::ranges::any_of(table.rows, [](const TableRow& row) {
          return row.expected.length == 0 || row.trap != Trap::None;
        }))
      return false;
    suite_.zeros_ = columns_.zeros();
    std::vector<const std::byte*> columns;
    for (size_t k = 0; k < types.size(); ++k) {
      CellColumn made(Scalar::I64, suite_.count);
      const NumbersAs as = {types[k], CellWidth::Canonical,
                            form_ == ExpectedForm::Classes && is_float(types[k])};
      if (!take_numbers(given->parts[k], table.given.rows, as, made.data())) {
        suite_.expected_.clear();
        return false;
      }
      suite_.expected_.push_back(made.take(suite_.zeros_.get(), columns));
    }
    for (const std::byte* column : columns)
      suite_.expected_columns_.push_back(reinterpret_cast<const u64*>(column));
    return true;
  }

  [[nodiscard]] std::string_view expected_text(std::string_view text) const {
    u64 is_second = 0;
    if (form_ == ExpectedForm::Values ||
        parse_scalar(Scalar::Bool, text, columns_.table().style, is_second))
      return text;
    return is_second != 0 ? "1" : "0";
  }

  TypedColumns& columns_;
  const std::stop_token& stop_;
  Suite& suite_;
  ExpectedForm form_;
};

Problem make_suite(TypedColumns& columns, const Signature& signature, Suite& out,
                   const std::stop_token& stop, ExpectedForm form) {
  return SuiteBuilder(columns, stop, out, form).build(signature);
}

Problem make_suite(const CasesTable& table, const Signature& signature, Suite& out,
                   const std::stop_token& stop) {
  TypedColumns columns(table);
  return make_suite(columns, signature, out, stop);
}

Problem make_columns(const CasesTable& table, const Signature& signature, Suite& out,
                     const std::stop_token& stop) {
  TypedColumns columns(table);
  return SuiteBuilder(columns, stop, out).build_columns(signature);
}

}  // namespace komuz::engine
