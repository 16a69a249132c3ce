// SPDX-License-Identifier: Apache-2.0
#include "mend/function_head.h"

#include <algorithm>
#include <string>
#include <vector>

#include "mend/name_edits.h"
#include "mend/source_text.h"

namespace komuz {

namespace {

constexpr u32 kNowhere = ~0u;

// The end of the head whose parentheses close before a place; kNowhere if something else follows.
u32 end_of_head(std::string_view source, u32 behind) {
  const size_t stop = std::min(source.find_first_of("{\n", behind), source.size());
  const bool has_brace = stop < source.size() && source[stop] == '{';
  std::string_view rest = source.substr(behind, stop - behind);
  rest = rest.substr(0, rest.find("//"));
  const std::string_view result = trimmed(rest);
  // `fn f(n): i64 {`, but `def f(n):`
  const bool is_typed = result.starts_with("->") || (result.starts_with(':') && has_brace);
  if (!is_typed) return result.empty() || result[0] == ':' || result[0] == '=' ? behind : kNowhere;
  rest = rest.substr(0, rest.find(" rec "));
  const size_t colon = find_outside(rest, ":");
  if (result.starts_with("->") && colon != std::string_view::npos) rest = rest.substr(0, colon);
  return behind + static_cast<u32>(trimmed_end(rest).size());
}

struct Parameter {
  std::string_view name, type;  // without a type it is empty
};
// The parameters in a text between parentheses. Nothing if it contains anything else, such as a default value.
std::optional<std::vector<Parameter>> parameters_of(std::string_view text) {
  std::vector<Parameter> out;
  if (trimmed(text).empty()) return out;
  std::vector<std::string_view> parts = parts_of(text);
  if (parts.empty()) return std::nullopt;
  for (const std::string_view part : parts) {
    const size_t colon = std::min(part.find(':'), part.size());
    const Parameter parameter{trimmed(part.substr(0, colon)),
                              trimmed(part.substr(std::min(colon + 1, part.size())))};
    if (!is_name(parameter.name) || part.find_first_of("=\n") != std::string_view::npos)
      return std::nullopt;
    out.push_back(parameter);
  }
  return out;
}

bool is_same_type(std::string_view a, std::string_view b) {
  const auto plain = [](std::string_view type) {
    std::string text(type);
    std::erase(text, ' ');
    return text;
  };
  return plain(a) == plain(b);
}

// True if the name or type of a parameter suggests that it is another parameter of the signature.
bool is_out_of_order(const std::vector<Parameter>& own, const std::vector<Parameter>& wanted) {
  for (size_t i = 0; i < own.size(); ++i) {
    const bool has_other_type = !own[i].type.empty() && !is_same_type(own[i].type, wanted[i].type);
    // A number with another name is another parameter.
    if (has_other_type && is_scalar_name(own[i].type) && own[i].name != wanted[i].name) return true;
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (k == i) continue;
      if (own[i].name == wanted[k].name && own[i].name != wanted[i].name) return true;
      if (has_other_type && is_same_type(own[i].type, wanted[k].type)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<FunctionHead> find_head(std::string_view source, std::string_view name) {
  for (size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const u32 begin = static_cast<u32>(at), end = begin + static_cast<u32>(name.size());
    if (word_at(source, begin) != name) continue;
    const u32 word_end = behind_previous(source, begin);
    u32 keyword = word_end;
    while (keyword > 0 && is_word(source[keyword - 1])) --keyword;
    const bool is_defined =
        word_end < begin && is_among(between(source, keyword, word_end),
                                     {"fn", "def", "func", "function", "fun", "fnc", "proc"});
    const std::string_view before = source.substr(0, keyword);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    if (!is_defined || line.find("//") != std::string_view::npos) continue;
    const size_t close = end_of_call(source, end);
    if (close == std::string_view::npos) return std::nullopt;
    const u32 head_end = end_of_head(source, static_cast<u32>(close) + 1);
    if (head_end == kNowhere) return std::nullopt;
    return FunctionHead{keyword, begin, head_end};
  }
  return std::nullopt;
}

std::optional<Edit> head_edit(u32 name_end, std::string_view signature, std::string_view source) {
  const size_t open = signature.find('('), arrow = signature.rfind("->");
  const size_t close = end_of_call(source, name_end);
  if (open == std::string_view::npos || arrow == std::string_view::npos ||
      close == std::string_view::npos)
    return std::nullopt;
  const u32 end = end_of_head(source, static_cast<u32>(close) + 1);
  const size_t last = closing_bracket_of_lines(signature, open);
  if (end == kNowhere || last == std::string_view::npos) return std::nullopt;
  const auto wanted = parameters_of(signature.substr(open + 1, last - open - 1));
  const auto own = parameters_of(between(source, name_end + 1, static_cast<u32>(close)));
  if (!wanted || !own || own->size() != wanted->size() || is_out_of_order(*own, *wanted))
    return std::nullopt;
  std::string text = "(";
  for (size_t k = 0; k < own->size(); ++k)
    text +=
        (k == 0 ? "" : ", ") + std::string((*own)[k].name) + ": " + std::string((*wanted)[k].type);
  text += ") " + std::string(signature.substr(arrow));
  if (text == between(source, name_end, end)) return std::nullopt;
  return Edit{name_end, end, std::move(text)};
}

}  // namespace komuz
