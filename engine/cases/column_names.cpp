// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/column_names.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/counts.h"
#include "engine/cases/read_cases.h"
#include "engine/cases/signature.h"
#include "lang/tokens.h"
#include "mend/source_text.h"

namespace komuz::engine {
namespace {

using Columns = std::unordered_map<std::string_view, size_t>;

Columns columns_of(std::span<const std::string_view> header) {
  Columns columns;
  for (size_t k = 0; k < header.size(); ++k) columns.emplace(header[k], k);
  return columns;
}

class FieldFinder {
 public:
  FieldFinder(std::span<const std::string_view> header, std::span<const std::string> names)
      : header_(header), names_(names), headers_(columns_of(header)) {
    for (size_t k = 0; k < names.size(); ++k) by_name_.emplace(names[k], k);
  }

  // The column's header, or the word itself if there is no such column.
  [[nodiscard]] std::string column(std::string_view word) const {
    const size_t k = find(word);
    return std::string(k == header_.size() ? word : header_[k]);
  }
  [[nodiscard]] std::string name(std::string_view word) const {
    const size_t k = find(word);
    return k == header_.size() ? std::string(word) : names_[k];
  }
  [[nodiscard]] bool is_header(std::string_view word) const { return headers_.contains(word); }

 private:
  [[nodiscard]] size_t find(std::string_view word) const {
    if (const auto exact = headers_.find(word); exact != headers_.end()) return exact->second;
    const auto made = by_name_.find(word);
    return made == by_name_.end() ? header_.size() : made->second;
  }

  std::span<const std::string_view> header_;
  std::span<const std::string> names_;
  Columns headers_, by_name_;
};

// Without what no name can have; it may begin with a digit, or be a keyword or empty.
std::string word_of(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const char next = is_word(c) ? c : '_';
    if (next != '_' || (!name.empty() && name.back() != '_')) name += next;
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

}  // namespace

bool is_program_name(std::string_view text) {
  const bool is_keyword =
      std::ranges::any_of(kTokenRows, [text](const TokenRow& row) { return row.spelling == text; });
  return is_name(text) && !is_keyword &&
         !read_signature("fn(" + std::string(text) + ": bool) -> ()").problem();
}

std::string usable_name(std::string_view text) {
  std::string name = word_of(text);
  if (name.empty()) name = "column";
  if (!is_program_name(name))
    name = is_program_name("x" + name) && !is_program_name(name + "_") ? "x" + name : name + "_";
  return name;
}

bool is_usable_name_of(std::string_view text, std::string_view name) {
  const std::string word = word_of(text);
  const bool may_be = name == word || name == "x" + word || name == word + "_";
  return may_be && usable_name(text) == name;
}

bool begins_usable_name(std::string_view text, std::string_view name) {
  const std::string begin = word_of(text) + "_";
  return name.starts_with(begin) || name.starts_with("x" + begin);
}

std::vector<std::string> names_of_columns(std::span<const std::string_view> header) {
  std::unordered_set<std::string> taken;
  for (const std::string_view column : header) taken.emplace(column);
  std::unordered_map<std::string, u32> next;  // next numbers for names that several columns want
  std::vector<std::string> names;
  names.reserve(header.size());
  for (const std::string_view column : header) {
    std::string& name = names.emplace_back(column);
    if (column.empty() || is_program_name(column)) continue;
    const std::string wanted = usable_name(column);
    u32& k = next.try_emplace(wanted, 2).first->second;
    name = wanted;
    while (!taken.insert(name).second) name = wanted + std::to_string(k++);
  }
  return names;
}

Problem find_fields(const CaseFields& fields, std::span<const std::string_view> header,
                    std::span<const std::string> names, FoundFields& out) {
  out = {fields, {}, {}};
  out.fields.inputs.clear();
  const FieldFinder finder(header, names);
  if (fields.has_expectations) out.fields.output = finder.column(fields.output);
  if (!fields.form.weights.empty()) out.fields.form.weights = finder.column(fields.form.weights);
  for (const std::string& input : fields.inputs) {
    const size_t equals = finder.is_header(input) ? std::string::npos : input.rfind('=');
    const bool is_stated = equals != std::string::npos;
    const std::string_view column = std::string_view(input).substr(0, equals);
    std::string name = is_stated ? input.substr(equals + 1) : finder.name(column);
    const std::string option = "`--input " + shell_word(input) + "`";
    if (is_stated && !is_program_name(name))
      return option_problem(
          option + " gives a column the name " + shown(name) + ", which no program can use",
          "write `--input 'COLUMN=NAME'`, with a name such as `x1`");
    if (std::ranges::find(out.names, name) != out.names.end())
      return option_problem(
          option + " gives a column the name " + shown(name) + ", which another input has",
          "give each a name of its own");
    out.fields.inputs.push_back(finder.column(column));
    out.names.push_back(std::move(name));
    out.is_stated.push_back(is_stated);
  }
  return check_fields(out.fields);
}

void take_names(const FoundFields& found, std::span<const std::string_view> header,
                std::span<const std::string> names, CasesTable& out) {
  const auto take = [&](std::string& column, std::string_view name, bool is_stated) {
    if (column == name) return;
    if (!is_stated) out.made_names.push_back({column, std::string(name)});
    column = name;
  };
  if (!found.names.empty()) {
    for (size_t k = 0; k < out.columns.size(); ++k)
      take(out.columns[k], found.names[k], found.is_stated[k]);
    out.fields.assign(names.begin(), names.end());
    for (size_t k = 0; k < found.names.size(); ++k)
      if (found.is_stated[k]) out.fields.push_back(found.names[k]);
    return;
  }
  if (!out.by_name) return;
  const Columns columns = columns_of(header);
  for (std::string& column : out.columns)
    if (const auto k = columns.find(column); k != columns.end())
      take(column, names[k->second], false);
}

std::string made_names_text(const CasesTable& table) {
  constexpr size_t kShown = 4;
  std::vector<MadeName> made = table.made_names;
  std::erase_if(made, [](const MadeName& one) { return one.name.empty(); });
  std::string text;
  for (size_t k = 0; k < std::min(kShown, made.size()); ++k)
    text += (k == 0 ? "`" : ", `") + made[k].name + "` is the column " + shown(made[k].column);
  if (made.size() > kShown) text += " and " + grouped(made.size() - kShown) + " more";
  return text;
}

std::string unnamed_columns_text(const CasesTable& table) {
  const auto count = static_cast<u64>(std::ranges::count(table.made_names, "", &MadeName::name));
  if (count == 0) return {};
  return counted(count, "column") + " without a name in the header " + (count == 1 ? "is" : "are") +
         " left out";
}

std::string left_out_text(const CasesTable& table) {
  return left_out_text(table.left_out, table.rows.size());
}

std::string left_out_text(const LeftOutRows& left_out, size_t cases) {
  const size_t count = left_out.lines.size();
  if (count == 0) return {};
  return grouped(count) + " of " + counted(count + cases, "row") + (count == 1 ? " is" : " are") +
         " left out, in which a cell is missing, the first on line " +
         grouped(left_out.lines.front()) + " (" + shown(left_out.column) + ")";
}

}  // namespace komuz::engine
