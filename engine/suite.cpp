// SPDX-License-Identifier: Apache-2.0
#include "engine/suite.h"

#include <algorithm>
#include <cstring>

#include "base/counts.h"
#include "base/random.h"
#include "engine/slice_cases.h"

namespace komuz::engine {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kTupleHead = 2;  // kTupleCode and the number of elements

constexpr size_t round_up(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

InputError cell_error(const CasesTable& table, const TableCell& cell, std::string_view what,
                      ValueError error) {
  InputError out = table.place_of(cell, error.at);
  out.message = std::string(what) + ": " + std::move(error.message);
  out.remedy = std::move(error.remedy);
  return out;
}

// How these columns are said to be the inputs, where that is not long.
std::string inputs_text(std::span<const std::string> columns) {
  constexpr size_t kMost = 6;
  if (columns.size() > kMost) return {};
  std::string text = ", as `komuz eval";
  for (const std::string& column : columns) text += " --input " + column;
  return text + "`";
}

}  // namespace

CasesView Suite::view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const {
  columns.clear();
  for (size_t i = 0; i < argument_types.size(); ++i) {
    const size_t first = size_t{begin} * scalar_bytes(argument_types[i]);
    columns.push_back({argument_types[i], storage_.get() + offsets_[i] + first});
  }
  return {columns, rows};
}

u64 Suite::argument_cell(u32 slot, u32 case_index) const {
  const Scalar type = argument_types[slot];
  const u32 bytes = scalar_bytes(type);
  u64 cell = 0;
  std::memcpy(&cell, storage_.get() + offsets_[slot] + size_t{case_index} * bytes, bytes);
  // Sign extension; the 64-bit types need none.
  if (type == Scalar::I32) cell = static_cast<u64>(i64{static_cast<i32>(cell)});
  return cell;
}

class SuiteBuilder {
 public:
  SuiteBuilder(const CasesTable& table, const Signature& signature, Suite& out)
      : table_(table), suite_(out) {
    suite_ = {};
    suite_.signature = signature;
    suite_.by_name = table.by_name;
    suite_.count = static_cast<u32>(table.rows.size());
  }

  MaybeError build() {
    if (MaybeError error = match_columns()) return error;
    if (MaybeError error = set_case_types()) return error;
    append_cell_types(suite_.case_types, suite_.argument_types);
    append_cell_types(suite_.signature.result_type, suite_.result_types);
    suite_.has_variable_parts = has_variable_parts(suite_.signature.result_type);
    allocate();
    if (MaybeError error = read_arguments()) return error;
    return read_expectations();
  }

 private:
  [[nodiscard]] InputError misfit(std::string message, std::string remedy) const {
    return {table_.file, 0, 0,
            std::move(message) + " (the entry is " + suite_.signature.text() + ")",
            std::move(remedy)};
  }

  // Sets sources_: the table's column of each parameter.
  MaybeError match_columns() {
    const std::vector<std::string>& names = suite_.signature.names;
    const std::vector<std::string>& columns = table_.columns;
    if (!table_.by_name) {
      if (columns.size() != names.size())
        return misfit("the cases have " + counted(columns.size(), "argument") +
                          ", the entry takes " + grouped(names.size()),
                      "give each case one argument for each parameter");
      for (size_t i = 0; i < names.size(); ++i) sources_.push_back(i);
      return std::nullopt;
    }
    const std::vector<std::string_view> given(columns.begin(), columns.end());
    for (const std::string& name : names) {
      const auto found = std::ranges::find(columns, name);
      if (found == columns.end())
        return misfit(
            "the cases have no column for the parameter `" + name + "`" + names_there_are(given),
            near_name(name, given,
                      "name the columns after the parameters, or say which columns are "
                      "the inputs" +
                          (columns.size() == names.size() ? inputs_text(columns) : "")));
      sources_.push_back(static_cast<size_t>(found - columns.begin()));
    }
    for (const std::string& column : columns) {
      if (std::ranges::find(names, column) == names.end())
        return misfit("the column `" + column + "` of the cases is no parameter",
                      "take it out, or say which columns are the inputs" + inputs_text(names));
    }
    return std::nullopt;
  }

  MaybeError set_case_types() {
    const std::string_view types = suite_.signature.parameter_types;
    suite_.has_slices = has_slices(types);
    suite_.case_types = types.substr(0, kTupleHead);
    size_t at = kTupleHead;
    for (size_t parameter = 0; parameter < sources_.size(); ++parameter) {
      const size_t end = skip_type(types, at);
      std::vector<std::string_view> texts;
      for (u32 row = 0; suite_.has_slices && row < suite_.count; ++row)
        texts.push_back(table_.text_of(table_.cell(row, sources_[parameter])));
      CaseType type = case_type(types.substr(at, end - at), texts, table_.style);
      if (type.error)
        return argument_error(parameter, static_cast<u32>(type.text), std::move(*type.error));
      suite_.case_types += type.code;
      at = end;
    }
    if (count_cells(suite_.case_types) <= kMaxTypeCells) return std::nullopt;
    return misfit("the cases hold more than " + grouped(kMaxTypeCells) + " values each",
                  "shorten their lists");
  }

  [[nodiscard]] InputError argument_error(size_t parameter, u32 row, ValueError error) const {
    return cell_error(table_, table_.cell(row, sources_[parameter]),
                      '`' + suite_.signature.names[parameter] + '`', std::move(error));
  }

  void allocate() {
    size_t bytes = 0;
    for (const Scalar type : suite_.argument_types) {
      suite_.offsets_.push_back(bytes);
      bytes += round_up(size_t{suite_.count} * scalar_bytes(type)) + kAlignment;
    }
    if (bytes != 0) {
      suite_.storage_.reset(
          static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment})));
      std::memset(suite_.storage_.get(), 0, bytes);
    }
    suite_.expected.assign(suite_.result_types.size() * suite_.count, 0);
    suite_.expected_traps.assign(suite_.count, Trap::None);
    Random random(0);
    for (u32 row = 0; row < suite_.count; ++row) suite_.keys.push_back(random.next() | 1);
  }

  MaybeError read_arguments() {
    const std::string_view types = suite_.case_types;
    size_t type = kTupleHead, slot = 0;
    for (size_t parameter = 0; parameter < sources_.size(); ++parameter) {
      const size_t type_end = skip_type(types, type);
      const std::string_view code = types.substr(type, type_end - type);
      ValueFormat format(code);
      std::vector<u64> cells(count_cells(code));
      for (u32 row = 0; row < suite_.count; ++row) {
        const TableCell& cell = table_.cell(row, sources_[parameter]);
        if (auto error = format.parse(table_.text_of(cell), table_.style, cells))
          return argument_error(parameter, row, std::move(*error));
        for (size_t i = 0; i < cells.size(); ++i) write(slot + i, row, cells[i]);
      }
      type = type_end;
      slot += cells.size();
    }
    return std::nullopt;
  }

  void write(size_t slot, u32 row, u64 cell) {
    const u32 bytes = scalar_bytes(suite_.argument_types[slot]);
    // The low bytes of a canonical cell are the value, on a little-endian machine.
    std::memcpy(suite_.storage_.get() + suite_.offsets_[slot] + size_t{row} * bytes, &cell, bytes);
  }

  MaybeError read_expectations() {
    ValueFormat format(suite_.signature.result_type);
    std::vector<u64> cells(suite_.result_types.size());
    for (u32 row = 0; row < suite_.count; ++row) {
      const TableRow& from = table_.rows[row];
      suite_.lines.push_back(from.line);
      suite_.expected_traps[row] = from.trap;
      if (from.tolerance >= 0) {
        if (suite_.tolerances.empty())
          suite_.tolerances.assign(suite_.count, TableRow::kNoTolerance);
        suite_.tolerances[row] = from.tolerance;
      }
      if (from.expected.length == 0 && from.trap == Trap::None) continue;  // nothing is expected
      if (from.trap != Trap::None) {
        suite_.expects_traps = true;
        continue;
      }
      if (auto error = format.parse(table_.text_of(from.expected), table_.style, cells))
        return cell_error(table_, from.expected, "the expected value", std::move(*error));
      for (size_t i = 0; i < cells.size(); ++i) suite_.expected[i * suite_.count + row] = cells[i];
    }
    return std::nullopt;
  }

  const CasesTable& table_;
  Suite& suite_;
  std::vector<size_t> sources_;
};

MaybeError make_suite(const CasesTable& table, const Signature& signature, Suite& out) {
  return SuiteBuilder(table, signature, out).build();
}

}  // namespace komuz::engine
