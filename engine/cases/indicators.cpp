// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/indicators.h"

#include <algorithm>
#include <unordered_set>

#include "base/counts.h"
#include "engine/cases/column_names.h"
#include "engine/cases/read_cases.h"
#include "engine/support/shown.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

bool is_number(std::string_view text, ValueStyle style) {
  u64 bits = 0;
  return !parse_scalar(Scalar::F64, text, style, bits) ||
         !parse_scalar(Scalar::Bool, text, style, bits);
}

// What a column says of a name: the different texts that have it.
struct Texts {
  std::vector<std::string> named;
  bool has_texts = false;  // not only numbers
};
Texts texts_of(const CasesTable& table, size_t column, std::string_view name) {
  Texts out;
  std::unordered_set<std::string> known;
  std::string room;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const CellAt cell = {row, column};
    const std::string_view text = table.text_of(cell, room);
    if (is_missing(table, cell) || !known.emplace(text).second) continue;
    out.has_texts = out.has_texts || !is_number(text, table.style);
    const std::string_view category = category_of(text);
    if (is_usable_name_of(table.columns[column] + "_" + std::string(category), name))
      out.named.emplace_back(category);
  }
  // A column of many numbers has no categories.
  if (!out.has_texts && known.size() > kMostCategories) out.named.clear();
  return out;
}

}  // namespace

std::string_view category_of(std::string_view cell) {
  const bool is_quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return is_quoted ? cell.substr(1, cell.size() - 2) : cell;
}

std::string indicator_name(std::string_view column, std::string_view category) {
  return usable_name(std::string(column) + "_" + std::string(category));
}

Result<std::optional<Indicator>> find_indicator(const CasesTable& table, std::string_view name) {
  std::optional<Indicator> found, without_rows;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& of_column = table.columns[column];
    if (!begins_usable_name(of_column, name)) continue;
    const Texts texts = texts_of(table, column, name);
    for (const std::string& category : texts.named) {
      if (found)
        return input_problem({table.file, table.names_line},
                             shown(name) + " may be " + shown(found->category) + " of the column " +
                                 shown(table.columns[found->column]) + ", or " + shown(category) +
                                 " of " + shown(of_column),
                             "add a column of that name, which is 1 or 0");
      found = {std::string(name), column, category};
    }
    const bool is_longer =
        !without_rows || of_column.size() > table.columns[without_rows->column].size();
    if (texts.has_texts && is_longer) without_rows = {std::string(name), column, {}};
  }
  return found ? found : without_rows;
}

std::string indicators_text(std::span<const Indicator> indicators, const CasesTable& table) {
  constexpr size_t kShown = 4;
  std::string text;
  for (const Indicator& one : indicators.first(std::min(kShown, indicators.size()))) {
    const std::string column = shown(table.columns[one.column]);
    text += (text.empty() ? "" : "; ") + shown(one.name) +
            (one.category.empty()
                 ? " is 0: it is no value of the column " + column
                 : " is 1 where the column " + column + " is " + shown(one.category) + ", else 0");
  }
  if (indicators.size() > kShown)
    text += "; and " + grouped(indicators.size() - kShown) + " more such";
  return text;
}

}  // namespace komuz::engine
