// SPDX-License-Identifier: Apache-2.0
#include "mend/record_edits.h"

#include <algorithm>
#include <vector>

#include "mend/source_text.h"

namespace komuz {
namespace {

using Names = std::vector<std::string_view>;

// The field names of a constructor, from its type item; empty if there is none, or it has no fields.
Names fields_of(std::string_view constructor, std::string_view source) {
  const std::string head = std::string(constructor) + "(";
  for (size_t at = source.find(head); at != std::string_view::npos;
       at = source.find(head, at + 1)) {
    const std::string_view before = trimmed_end(source.substr(0, at));
    if (!before.ends_with('=') && !before.ends_with('|')) continue;
    const size_t item = before.find_last_of(";}");
    if (!has_word(before.substr(item == std::string_view::npos ? 0 : item), "type")) continue;
    const size_t open = at + constructor.size(), close = closing_bracket_of_lines(source, open);
    if (close == std::string_view::npos) return {};
    Names names;
    for (const std::string_view field : parts_of(source.substr(open + 1, close - open - 1)))
      names.push_back(word_at(field, 0));
    return names;
  }
  return {};
}

std::string listed(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

std::string_view field_of_index(u32 bracket, std::string_view source) {
  const std::string_view index = source.substr(std::min<size_t>(bracket, source.size()));
  if (!index.starts_with('[')) return "";
  const size_t close = index.find(']');
  const std::string_view text = index.substr(1, std::min(close, index.size()) - 1);
  const bool is_text =
      text.size() > 2 && text[0] == text.back() && (text[0] == '"' || text[0] == '\'');
  const std::string_view field = is_text ? text.substr(1, text.size() - 2) : "";
  return is_name(field) ? field : "";
}

std::optional<Edit> field_edit(u32 bracket, std::string_view type, std::string_view source) {
  const std::string_view field = field_of_index(bracket, source);
  const Names fields = fields_of(type, source);
  if (field.empty() || std::ranges::find(fields, field) == fields.end()) return std::nullopt;
  const size_t close = source.find(']', bracket);
  if (close == std::string_view::npos) return std::nullopt;
  return Edit{bracket, static_cast<u32>(close) + 1, "." + std::string(field)};
}

std::optional<Edit> record_pattern_edit(u32 begin, std::string_view pattern, std::string_view type,
                                        std::string_view source) {
  if (!pattern.starts_with('(') || !pattern.ends_with(')')) return std::nullopt;
  const Names names = parts_of(pattern.substr(1, pattern.size() - 2));
  const Names fields = fields_of(type, source);
  if (names.empty() || names.size() != fields.size()) return std::nullopt;
  for (size_t k = 0; k < names.size(); ++k)
    if (names[k] != fields[k] && std::ranges::find(fields, names[k]) != fields.end())
      return std::nullopt;
  return Edit{begin, begin, std::string(type)};
}

std::string record_pattern(u32 begin, std::string_view pattern, std::string_view type,
                           std::string_view source) {
  const Names fields = fields_of(type, source);
  if (fields.empty() || record_pattern_edit(begin, pattern, type, source))
    return std::string(type) + std::string(pattern);
  return std::string(type) + "(" + listed(fields) + ")";
}

std::optional<Edit> constructor_lambda(u32 begin, u32 end, std::string_view source) {
  const std::string constructor(between(source, begin, end));
  const Names fields = fields_of(constructor, source);
  if (fields.empty() || !source.substr(0, begin).ends_with(".map(") ||
      source_at(source, end, 1) != ")")
    return std::nullopt;
  if (fields.size() == 1) return Edit{begin, end, "x => " + constructor + "(x)"};
  const std::string names = listed(fields);
  return Edit{begin, end, "(" + names + ") => " + constructor + "(" + names + ")"};
}

std::optional<Edit> capital_edit(u32 begin, u32 end, std::string_view constructor,
                                 std::string_view source) {
  const std::string_view name = between(source, begin, end);
  const size_t close = std::min(
      {closing_bracket_around(source, end, kNearBracketed), end + kNearBracketed, source.size()});
  if (!is_same_but_for_case(name, constructor) ||
      has_word(between(source, end, static_cast<u32>(close)), name))
    return std::nullopt;
  return Edit{begin, end, std::string(constructor)};
}

}  // namespace komuz
