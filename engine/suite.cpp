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

// May be read up to the next multiple of 64 bytes behind the last value.
constexpr size_t column_bytes(Scalar type, u32 cases) {
  return round_up(size_t{cases} * scalar_bytes(type)) + kAlignment;
}

// The cells of one parameter or of what is expected, case after case, each without the zeros that it ends with, until it is known which are ever used.
class CaseCells {
 public:
  explicit CaseCells(std::span<const Scalar> types) : types_(types), is_used_(types.size()) {}

  [[nodiscard]] size_t size() const { return types_.size(); }
  void add(std::span<const u64> cells) {
    size_t length = cells.size();
    while (length > 0 && cells[length - 1] == 0) --length;
    for (size_t i = 0; i < length; ++i) is_used_[i] = is_used_[i] || cells[i] != 0;
    cells_.insert(cells_.end(), cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(length));
    lengths_.push_back(static_cast<u32>(length));
  }
  // Of the columns that are not zero.
  [[nodiscard]] size_t bytes(u32 cases) const {
    size_t bytes = 0;
    for (size_t i = 0; i < size(); ++i) bytes += is_used_[i] ? column_bytes(types_[i], cases) : 0;
    return bytes;
  }
  // `block` has so many bytes, which are zero. Appends where each column begins.
  void write(u32 cases, std::byte* block, const std::byte* zeros,
             std::vector<const std::byte*>& columns) const {
    std::vector<std::byte*> own;
    for (size_t i = 0; i < size(); ++i) {
      own.push_back(block);
      columns.push_back(is_used_[i] ? block : zeros);
      if (is_used_[i]) block += column_bytes(types_[i], cases);
    }
    const u64* cell = cells_.data();
    for (u32 row = 0; row < cases; ++row)
      for (u32 i = 0; i < lengths_[row]; ++i, ++cell) {
        const u32 bytes = scalar_bytes(types_[i]);
        // The low bytes of a canonical cell are the value, on a little-endian machine.
        if (*cell != 0) std::memcpy(own[i] + size_t{row} * bytes, cell, bytes);
      }
  }

 private:
  std::span<const Scalar> types_;
  std::vector<bool> is_used_;
  std::vector<u64> cells_;
  std::vector<u32> lengths_;  // of each case
};

}  // namespace

CasesView Suite::view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const {
  columns.clear();
  for (size_t i = 0; i < argument_types.size(); ++i) {
    const size_t first = size_t{begin} * scalar_bytes(argument_types[i]);
    columns.push_back({argument_types[i], columns_[i] + first});
  }
  return {columns, rows};
}

u64 Suite::argument_cell(u32 slot, u32 case_index) const {
  const Scalar type = argument_types[slot];
  const u32 bytes = scalar_bytes(type);
  u64 cell = 0;
  std::memcpy(&cell, columns_[slot] + size_t{case_index} * bytes, bytes);
  // Sign extension; the 64-bit types need none.
  if (type == Scalar::I32) cell = static_cast<u64>(i64{static_cast<i32>(cell)});
  return cell;
}

std::vector<u64> Suite::all_expected() const {
  std::vector<u64> all;
  all.reserve(expected_columns_.size() * count);
  for (const u64* column : expected_columns_) all.insert(all.end(), column, column + count);
  return all;
}

class SuiteBuilder {
 public:
  SuiteBuilder(const CasesTable& table, const Signature& signature, Suite& out,
               const std::stop_token& stop)
      : table_(table), suite_(out), stop_(stop) {
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
    prepare();
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
      CaseType type = case_type(types.substr(at, end - at), texts, table_.style, stop_);
      if (stop_.stop_requested()) return stopped();
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

  void prepare() {
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
      CaseCells arguments(std::span(suite_.argument_types).subspan(slot, count_cells(code)));
      ValueFormat format(code);
      std::vector<u64> cells(arguments.size());
      for (u32 row = 0; row < suite_.count; ++row) {
        if (stop_.stop_requested()) return stopped();
        const TableCell& cell = table_.cell(row, sources_[parameter]);
        if (auto error = format.parse(table_.text_of(cell), table_.style, cells))
          return argument_error(parameter, row, std::move(*error));
        arguments.add(cells);
      }
      place(arguments, suite_.columns_);
      type = type_end;
      slot += cells.size();
    }
    return std::nullopt;
  }

  // Appends where each of the columns begins.
  void place(const CaseCells& cells, std::vector<const std::byte*>& columns) {
    suite_.blocks_.push_back(make_block(cells.bytes(suite_.count)));
    std::byte* const block = suite_.blocks_.back().get();
    cells.write(suite_.count, block, zeros(), columns);
  }
  [[nodiscard]] static Suite::Block make_block(size_t bytes) {
    auto* const memory =
        static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment}));
    std::memset(memory, 0, bytes);
    return Suite::Block(memory);
  }
  // What all cells share that are zero in every case.
  const std::byte* zeros() {
    if (zeros_ == nullptr) {
      suite_.blocks_.push_back(make_block(column_bytes(Scalar::I64, suite_.count)));
      zeros_ = suite_.blocks_.back().get();
      suite_.zeros_ = zeros_;
    }
    return zeros_;
  }

  MaybeError read_expectations() {
    ValueFormat format(suite_.signature.result_type);
    std::vector<u64> cells(suite_.result_types.size());
    const std::vector<Scalar> wide(cells.size(), Scalar::I64);
    CaseCells expected(wide);
    for (u32 row = 0; row < suite_.count; ++row) {
      if (stop_.stop_requested()) return stopped();
      const TableRow& from = table_.rows[row];
      suite_.lines.push_back(from.line);
      suite_.expected_traps[row] = from.trap;
      if (from.tolerance >= 0) {
        if (suite_.tolerances.empty())
          suite_.tolerances.assign(suite_.count, TableRow::kNoTolerance);
        suite_.tolerances[row] = from.tolerance;
      }
      const bool expects_value = from.expected.length != 0 && from.trap == Trap::None;
      suite_.expects_traps = suite_.expects_traps || from.trap != Trap::None;
      if (!expects_value) {
        expected.add({});
        continue;
      }
      if (auto error = format.parse(table_.text_of(from.expected), table_.style, cells))
        return cell_error(table_, from.expected, "the expected value", std::move(*error));
      expected.add(cells);
    }
    std::vector<const std::byte*> columns;
    place(expected, columns);
    for (const std::byte* column : columns)
      suite_.expected_columns_.push_back(reinterpret_cast<const u64*>(column));
    return std::nullopt;
  }

  const CasesTable& table_;
  Suite& suite_;
  const std::stop_token& stop_;
  std::vector<size_t> sources_;
  const std::byte* zeros_ = nullptr;
};

MaybeError make_suite(const CasesTable& table, const Signature& signature, Suite& out,
                      const std::stop_token& stop) {
  return SuiteBuilder(table, signature, out, stop).build();
}

}  // namespace komuz::engine
