// SPDX-License-Identifier: Apache-2.0
// Summarises columns of cases as a table: the type, the least and the largest value, and the number of NaNs.
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "base/counts.h"
#include "engine/values/value_text.h"
#include "repl/variants/case_set.h"
#include "services/display_text.h"

namespace komuz::repl {

namespace {

using Cell = std::function<u64(u32 case_index)>;

// The range of numbers, or of the lengths of texts and lists. Other values have no order.
struct Range {
  std::string least, largest, rest;
};

template <class Number>
Range range_of(const engine::Suite& suite, const Cell& cell, Scalar scalar,
               const std::function<Number(u64)>& number, const std::stop_token& stop,
               const std::function<bool(u32)>& is_there) {
  constexpr u32 kPiece = 1u << 16;  // between two checks for a stop
  u64 least = 0, largest = 0, count = 0, nans = 0;
  for (u32 k = 0; k < suite.count; ++k) {
    if (k % kPiece == 0 && stop.stop_requested()) return {};
    if (!is_there(k)) continue;
    const u64 bits = cell(k);
    const Number value = number(bits);
    if (value != value) {
      ++nans;
      continue;
    }
    if (count == 0 || value < number(least)) least = bits;
    if (count == 0 || number(largest) < value) largest = bits;
    ++count;
  }
  Range range;
  if (count != 0) {
    engine::print_scalar(range.least, scalar, least, engine::ValueStyle::Text);
    engine::print_scalar(range.largest, scalar, largest, engine::ValueStyle::Text);
  }
  if (nans != 0) range.rest = grouped(nans) + " NaN";
  return range;
}

Range scalar_range(const engine::Suite& suite, Scalar scalar, const Cell& cell,
                   const std::stop_token& stop, const std::function<bool(u32)>& is_there) {
  switch (scalar) {
    case Scalar::F64:
      return range_of<f64>(
          suite, cell, scalar, [](u64 bits) { return std::bit_cast<f64>(bits); }, stop, is_there);
    case Scalar::F32:
      return range_of<f32>(
          suite, cell, scalar, [](u64 bits) { return std::bit_cast<f32>(static_cast<u32>(bits)); },
          stop, is_there);
    case Scalar::I32:
      return range_of<i32>(
          suite, cell, scalar, [](u64 bits) { return static_cast<i32>(bits); }, stop, is_there);
    case Scalar::I64:
      return range_of<i64>(
          suite, cell, scalar, [](u64 bits) { return static_cast<i64>(bits); }, stop, is_there);
    case Scalar::None:
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: break;
  }
  return range_of<u64>(
      suite, cell, scalar, [](u64 bits) { return bits; }, stop, is_there);
}

f64 number_of(Scalar scalar, u64 bits) {
  switch (scalar) {
    case Scalar::F64: return std::bit_cast<f64>(bits);
    case Scalar::F32: return static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(bits)));
    case Scalar::I32: return static_cast<f64>(static_cast<i32>(bits));
    case Scalar::I64: return static_cast<f64>(static_cast<i64>(bits));
    case Scalar::None:
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: break;
  }
  return static_cast<f64>(bits);
}

using Line = std::array<std::string, 5>;
constexpr size_t kLeast = 2, kLargest = 3;  // numbers, aligned at their ends

std::string table_text(const std::vector<Line>& lines) {
  std::array<size_t, std::tuple_size_v<Line>> widths{};
  for (const Line& line : lines)
    for (size_t k = 0; k < line.size(); ++k)
      widths[k] = std::max(widths[k], services::shown_width(line[k]));
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (size_t k = 0; k < line.size(); ++k) {
      const std::string pad(widths[k] - services::shown_width(line[k]), ' ');
      row += (k == 0 ? "" : "  ") + (k == kLeast || k == kLargest ? pad + line[k] : line[k] + pad);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

Problem CaseSet::summary(const engine::Watch& watch, std::string& out) const {
  engine::Suite suite;
  if (Problem error = make_suite(suite, watch)) return error;
  std::vector<Line> lines = {{"column", "type", "least", "largest", ""}};
  const auto add = [&](const std::string& name, const std::string& type, std::string_view codes,
                       Scalar first, const Cell& cell, const std::function<bool(u32)>& is_there) {
    const TypeHead head = read_type_head(codes, 0);
    const bool has_length = head.code == kListCode || head.code == kSliceCode;
    Range range;
    if (has_length || head.is_scalar())
      range = scalar_range(suite, has_length ? Scalar::I64 : first, cell, watch.stop(), is_there);
    if (has_length) range.rest = "long";
    lines.push_back({services::printable(name, ~0u), type, range.least, range.largest, range.rest});
  };
  size_t at = read_type_head(suite.case_types, 0).end;
  u32 slot = 0;
  for (const services::SnippetName& parameter : parameters_) {
    const size_t end = skip_type(suite.case_types, at);
    const std::string_view codes = std::string_view(suite.case_types).substr(at, end - at);
    const auto cells = static_cast<u32>(count_cells(codes));
    const u32 first = slot;
    add(
        parameter.name, parameter.type, codes,
        cells == 0 ? Scalar::None : suite.argument_types[first],
        [&](u32 k) { return suite.argument_cell(first, k); }, [](u32) { return true; });
    slot += cells;
    at = end;
  }
  u64 traps = 0;
  for (const Trap trap : suite.expected_traps) traps += trap != Trap::None ? 1 : 0;
  if (!expected_.empty() && !suite.result_types.empty())
    add(
        std::string(target()), expected_, suite.signature.result_type, suite.result_types[0],
        [&](u32 k) { return suite.expected_cell(0, k); },
        [&](u32 k) { return suite.expected_traps[k] == Trap::None; });
  if (watch.is_stopped()) return stopped();
  out = counted(table_.rows.size(), "case") + " of " + services::printable(table_.file) + "\n" +
        table_text(lines);
  if (const std::string unnamed = engine::unnamed_columns_text(table_); !unnamed.empty())
    out += unnamed + "\n";
  for (const engine::MadeName& made : table_.made_names)
    if (!made.name.empty())
      out += "`" + made.name + "` is the column " + engine::shown(made.column) + "\n";
  if (expected_.empty()) return {};
  out += "`" + services::printable(target()) + "` is expected";
  if (traps != 0) out += ", and in " + counted(traps, "case") + " a trap";
  out += "\n";
  return {};
}

Problem CaseSet::numbers(std::string_view column, const engine::Watch& watch,
                         std::vector<f64>& out) const {
  engine::Suite suite;
  out.clear();
  if (Problem error = make_suite(suite, watch)) return error;
  const auto take = [&](Scalar scalar, const Cell& cell) {
    out.resize(suite.count);
    for (u32 k = 0; k < suite.count && !watch.is_stopped(); ++k)
      out[k] = number_of(scalar, cell(k));
  };
  size_t at = read_type_head(suite.case_types, 0).end;
  u32 slot = 0;
  for (const services::SnippetName& parameter : parameters_) {
    const size_t end = skip_type(suite.case_types, at);
    const std::string_view codes = std::string_view(suite.case_types).substr(at, end - at);
    if (parameter.name == column && read_type_head(codes, 0).is_scalar())
      take(suite.argument_types[slot], [&](u32 k) { return suite.argument_cell(slot, k); });
    slot += static_cast<u32>(count_cells(codes));
    at = end;
  }
  const bool is_expected = !expected_.empty() && column == target();
  if (is_expected && read_type_head(suite.signature.result_type, 0).is_scalar()) {
    take(suite.result_types[0], [&](u32 k) { return suite.expected_cell(0, k); });
    for (u32 k = 0; k < suite.count; ++k)
      if (suite.expected_traps[k] != Trap::None) out[k] = std::numeric_limits<f64>::quiet_NaN();
  }
  if (watch.is_stopped()) return stopped();
  return {};
}

}  // namespace komuz::repl
