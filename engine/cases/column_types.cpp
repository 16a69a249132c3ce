// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/column_types.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/values/value_text.h"

namespace komuz::engine {

namespace {

using Json = nlohmann::json;

// What all cells so far have in common: how deep their lists nest, and the kind of the innermost elements.
enum class Element : u8 { Unknown, Bool, Integer, Float, Bytes, Mixed };
struct ColumnShape {
  std::vector<size_t> lengths;  // at most, of each list from the outermost on
  Element element = Element::Unknown;
  size_t bytes = 0;                              // at most
  bool has_negative = false, has_large = false;  // integers; larger than an i64 holds

  void add(const Json& value, size_t depth);
  [[nodiscard]] std::string text() const;

 private:
  void add_list(const Json& value, size_t depth);
  void add_element(Element next);
};

constexpr std::string_view kFloatWords[] = {"NaN", "Infinity", "-Infinity"};
bool is_float_word(std::string_view text) {
  return std::ranges::find(kFloatWords, text) != std::end(kFloatWords);
}

void ColumnShape::add_element(Element next) {
  const auto is_number = [](Element e) { return e == Element::Integer || e == Element::Float; };
  if (element == Element::Unknown)
    element = next;
  else if (is_number(element) && is_number(next))
    element = std::max(element, next);
  else if (element != next)
    element = Element::Mixed;
}

void ColumnShape::add_list(const Json& value, size_t depth) {
  if (depth == lengths.size()) {
    if (element != Element::Unknown) element = Element::Mixed;  // an earlier cell was no list
    lengths.push_back(0);
  }
  lengths[depth] = std::max(lengths[depth], value.size());
  for (const Json& part : value) add(part, depth + 1);
}

void ColumnShape::add(const Json& value, size_t depth) {
  // No type nests this deep.
  constexpr size_t kMostLists = 16;
  if (value.is_array() && depth == kMostLists) return add_element(Element::Mixed);
  if (value.is_array()) return add_list(value, depth);
  if (depth < lengths.size()) return add_element(Element::Mixed);
  if (value.is_boolean()) return add_element(Element::Bool);
  if (value.is_number_float()) return add_element(Element::Float);
  if (value.is_number_integer()) {
    constexpr u64 kMost = std::numeric_limits<i64>::max();
    has_negative = has_negative || !value.is_number_unsigned();
    has_large = has_large || (value.is_number_unsigned() && value.get<u64>() > kMost);
    return add_element(Element::Integer);
  }
  if (!value.is_string()) return add_element(Element::Mixed);
  const auto& text = value.get_ref<const std::string&>();
  if (is_float_word(text)) return add_element(Element::Float);
  bytes = std::max(bytes, text.size());
  add_element(Element::Bytes);
}

std::string ColumnShape::text() const {
  std::string type;
  switch (element) {
    case Element::Unknown:
    case Element::Mixed: return {};
    case Element::Bool: type = "bool"; break;
    case Element::Integer: type = !has_large ? "i64" : has_negative ? "f64" : "u64"; break;
    case Element::Float: type = "f64"; break;
    case Element::Bytes: type = "Bytes[" + std::to_string(std::max<size_t>(bytes, 1)) + "]"; break;
  }
  for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
    type.insert(0, "List[");
    type += ", " + std::to_string(std::max<size_t>(*length, 1)) + "]";
  }
  return type;
}

// False for cells that are composed of values, `[1, .5]` or `Circle(r: 1)`, and for empty cells, which may mean
// anything.
bool may_be_plain(std::string_view text) {
  constexpr std::string_view kName =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t name = std::min(text.find_first_not_of(kName), text.size());
  const bool is_call = name != 0 && name < text.size() && text[name] == '(';
  return !text.empty() && std::string_view("\"[{(").find(text[0]) == std::string_view::npos &&
         !is_call && text != "None";
}
// A cell of a CSV file that is no JSON, converted to JSON: numbers and truth values in other spellings, else a
// text.
Json plain_cell(std::string_view text, ValueStyle style) {
  u64 cell = 0;
  if (!parse_scalar(Scalar::Bool, text, style, cell)) return cell != 0;
  if (!parse_scalar(Scalar::I64, text, style, cell)) return static_cast<i64>(cell);
  if (!parse_scalar(Scalar::U64, text, style, cell)) return cell;
  if (!parse_scalar(Scalar::F64, text, style, cell)) return 0.5;
  return std::string(text.size(), 'x');
}

// Quotes the numbers that Python writes bare and JSON lacks, such as NaN.
std::string with_float_words_quoted(std::string_view text) {
  std::string out;
  bool is_string = false;
  while (!text.empty()) {
    size_t length = is_string && text[0] == '\\' ? std::min<size_t>(2, text.size()) : 1;
    if (text[0] == '"') is_string = !is_string;
    bool is_word = false;
    for (const std::string_view word : kFloatWords)
      if (!is_string && text.starts_with(word)) {
        is_word = true;
        length = word.size();
      }
    const std::string_view quote = is_word ? "\"" : "";
    ((out += quote) += text.substr(0, length)) += quote;
    text.remove_prefix(length);
  }
  return out;
}

// False if the value has only types with names of their own.
bool add_cell(const CasesTable& table, CellAt cell, ColumnShape& shape) {
  std::string room;
  const std::string_view text = table.text_of(cell, room);
  if (special_float(text)) {
    shape.add(Json(0.5), 0);
    return true;
  }
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) value = Json::parse(with_float_words_quoted(text), nullptr, false);
  if (value.is_discarded()) {
    if (table.style == ValueStyle::Json || !may_be_plain(text)) return false;
    value = plain_cell(text, table.style);
  }
  shape.add(value, 0);
  return true;
}

// As for their texts.
std::string type_of_numbers(const NumberColumn& numbers, std::span<const u32> rows) {
  if (numbers.kind == NumberKind::Bool) return "bool";
  if (is_float(numbers.kind)) return "f64";
  if (numbers.kind != NumberKind::U64) return "i64";
  constexpr u64 kMost = std::numeric_limits<i64>::max();
  const size_t count = rows.empty() ? numbers.rows : rows.size();
  for (size_t k = 0; k < count; ++k)
    if (numbers.whole(rows.empty() ? k : rows[k]) > kMost) return "u64";
  return "i64";
}

}  // namespace

std::string column_type(const CasesTable& table, size_t column, u32* odd_row, const Watch& watch) {
  if (const NumberColumn* const numbers = table.numbers_of(column))
    return type_of_numbers(*numbers, table.given.rows);
  ColumnShape shape;
  const u64 cells = table.rows.size();
  WatchedLoop loop(watch, cells * table.columns.size(), "cells", WatchedLoop::kRows);
  for (u32 row = 0; row < table.rows.size(); ++row) {
    if (loop.is_stopped(column * cells + row)) return {};
    const bool is_value = add_cell(table, {row, column}, shape);
    if (odd_row != nullptr && (!is_value || shape.element == Element::Mixed)) *odd_row = row;
    if (!is_value || shape.element == Element::Mixed) return {};
  }
  return shape.text();
}

std::string expected_type(const CasesTable& table, const Watch& watch) {
  if (const NumberColumn* const numbers = table.numbers_of(CellAt::kExpected))
    return type_of_numbers(*numbers, table.given.rows);
  ColumnShape shape;
  WatchedLoop loop(watch, table.rows.size(), "expected values", WatchedLoop::kRows);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (loop.is_stopped(row)) return {};
    const bool has_value = table.rows[row].expected.length != 0;
    if (has_value && !add_cell(table, {row, CellAt::kExpected}, shape)) return {};
  }
  return shape.text();
}

}  // namespace komuz::engine
