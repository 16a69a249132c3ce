// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_items.h"

#include <algorithm>
#include <vector>

#include "mend/habits/from_uses.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// `pub x: float` to `x: f64`; empty if it is no field.
std::string field_of(std::string_view text) {
  if (text.starts_with("pub ")) text = trimmed(text.substr(4));
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view name = trimmed(text.substr(0, colon)),
                         type = trimmed(text.substr(colon + 1));
  const bool is_plain = is_name(name) && name[0] >= 'a' && name[0] <= 'z' && !type.empty() &&
                        type.find_first_of("<&{\"'=\n/") == std::string_view::npos;
  if (!is_plain) return "";
  return std::string(name) + ": " + (is_name(type) ? komuz_type(type) : std::string(type));
}
// `(x: f64, y: f64)`
std::string fields_of(std::string_view braces) {
  std::string_view inside = trimmed(braces);
  if (inside.ends_with(',')) inside.remove_suffix(1);
  std::string fields;
  for (const std::string_view part : parts_of(inside)) {
    const std::string field = field_of(part);
    if (field.empty()) return "";
    fields += (fields.empty() ? "" : ", ") + field;
  }
  return fields.empty() ? "" : "(" + fields + ")";
}
// `(a: i64, b: f64)` for `(i64, f64)`: the parts of other languages' constructors have no names
std::string named_fields(std::string_view parentheses) {
  std::string fields;
  char name = 'a';
  for (const std::string_view type : parts_of(parentheses.substr(1, parentheses.size() - 2))) {
    if (type.find_first_of("<&:") != std::string_view::npos || name > 'z') return "";
    fields += (fields.empty() ? "" : ", ") + std::string(1, name++) + ": " +
              (is_name(type) ? komuz_type(type) : std::string(type));
  }
  return fields.empty() ? "" : "(" + fields + ")";
}
// `Red | Circle(r: f64)`
std::string alternatives_of(std::string_view braces) {
  std::string_view inside = trimmed(braces);
  if (inside.ends_with(',')) inside.remove_suffix(1);
  std::string alternatives;
  for (const std::string_view part : parts_of(inside)) {
    const std::string_view name = word_at(part, 0), rest = trimmed(part.substr(name.size()));
    const bool has_fields = rest.starts_with('{') && rest.ends_with('}');
    const bool has_values = rest.starts_with('(') && rest.ends_with(')');
    const std::string fields = has_fields   ? fields_of(rest.substr(1, rest.size() - 2))
                               : has_values ? named_fields(rest)
                                            : "";
    const bool is_whole =
        is_name(name) && name[0] >= 'A' && name[0] <= 'Z' && (rest.empty() || !fields.empty());
    if (!is_whole) return "";
    alternatives += (alternatives.empty() ? "" : " | ") + std::string(name) + fields;
  }
  return alternatives;
}
// The `{` outside of brackets, from a byte on.
size_t find_block(std::string_view text, size_t at) {
  u32 depth = 0;
  for (size_t k = at; k < text.size() && text[k] != ';'; ++k) {
    if (is_quote(text[k])) k = closing_quote(text, k);
    if (k == std::string_view::npos) break;
    if (text[k] == '{' && depth == 0) return k;
    depth += text[k] == '(' || text[k] == '[' || text[k] == '{';
    if ((text[k] == ')' || text[k] == ']' || text[k] == '}') && depth-- == 0) break;
  }
  return std::string_view::npos;
}
// `Some(x)` and `o` of `if let Some(x) = o {`, and the place of its brace.
struct PatternHead {
  std::string pattern, value;
  size_t end;
};
std::optional<PatternHead> pattern_head(std::string_view text, std::string_view words) {
  const size_t mark = text.find('='), open = find_block(text, 0), line = text.find('\n');
  if (!text.starts_with(words) || open == std::string_view::npos || mark > open || line < open)
    return std::nullopt;
  const std::string_view pattern = trimmed(text.substr(words.size(), mark - words.size()));
  const std::string_view value = trimmed(text.substr(mark + 1, open - mark - 1));
  const size_t paren = pattern.find('(');
  const bool is_plain = paren != std::string_view::npos && !value.empty() && value[0] != '=' &&
                        closing_bracket(pattern, paren) + 1 == pattern.size() &&
                        is_name(pattern.substr(0, paren)) &&
                        pattern.find_first_of("&:{") == std::string_view::npos;
  if (!is_plain) return std::nullopt;
  return PatternHead{std::string(pattern), std::string(value), open};
}
// The end of a block, or of `if c { … } else { … }`; npos if it is none.
size_t end_of_else(std::string_view source, size_t at) {
  while (true) {
    const size_t open = source.substr(at).starts_with('{') ? at : find_block(source, at);
    const bool is_choice = word_at(source, static_cast<u32>(at)) == "if";
    if (open == std::string_view::npos || (open != at && !is_choice)) return std::string_view::npos;
    const size_t close = closing_bracket_of_lines(source, open);
    if (close == std::string_view::npos || open == at)
      return close == std::string_view::npos ? close : close + 1;
    const u32 behind = behind_gap(source, static_cast<u32>(close) + 1);
    if (word_at(source, behind) != "else") return close + 1;
    at = behind_gap(source, behind + 4);
  }
}

}  // namespace

std::optional<Edit> type_item_edit(u32 begin, std::string_view source) {
  const std::string_view word = word_at(source, begin);
  const u32 at = behind_gap(source, begin + static_cast<u32>(word.size()));
  const std::string_view name = word_at(source, at);
  const u32 open = behind_gap(source, at + static_cast<u32>(name.size()));
  if (name.empty() || source_at(source, open, 1) != "{") return std::nullopt;
  const size_t close = closing_bracket_of_lines(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view inside = source.substr(open + 1, close - open - 1);
  const bool is_sum = word == "enum";
  const std::string right = is_sum ? alternatives_of(inside) : fields_of(inside);
  if (right.empty()) return std::nullopt;
  u32 end = static_cast<u32>(close) + 1;
  if (source_at(source, end, 1) == ";") ++end;
  return Edit{
      begin, end,
      "type " + std::string(name) + " = " + (is_sum ? "" : std::string(name)) + right + ";"};
}

std::optional<Edit> field_name_edit(u32 type, std::string_view source) {
  size_t open = type, depth = 0, place = 0;
  for (; open > 0; --open) {
    const char c = source[open - 1];
    if (c == '=' || c == ';') return std::nullopt;
    if (c == '(' && depth == 0) break;
    place += c == ',' && depth == 0;
    depth += c == ')' || c == ']';
    depth -= depth > 0 && (c == '(' || c == '[');
  }
  const size_t end = source.find(';', type), item = source.rfind("type ", type);
  const bool is_sum = item < open && end != std::string_view::npos &&
                      source.substr(item, end - item).find('|') != std::string_view::npos;
  const size_t close = open == 0 ? std::string_view::npos : closing_bracket(source, open - 1);
  if (!is_sum || close == std::string_view::npos || place > 'z' - 'a' ||
      source.substr(open, close - open).find(':') != std::string_view::npos)
    return std::nullopt;
  return Edit{type, type, std::string(1, static_cast<char>('a' + place)) + ": "};
}

std::string record_of_braces(u32 begin, std::string_view braces, std::string_view source) {
  const size_t open = braces.find('{');
  if (open == std::string_view::npos || !braces.ends_with('}')) return "";
  std::string_view name = trimmed(braces.substr(0, open));
  if (name.empty()) {  // the one before the `=`
    const size_t item = source.substr(0, begin).rfind("type ");
    if (item != std::string_view::npos)
      name = word_at(source, behind_gap(source, static_cast<u32>(item) + 5));
  }
  const std::string fields = fields_of(braces.substr(open + 1, braces.size() - open - 2));
  return fields.empty() || !is_name(name) ? "" : std::string(name) + fields;
}

std::optional<Edit> match_of_if_let(u32 begin, std::string_view source) {
  const std::optional<PatternHead> head = pattern_head(source.substr(begin), "if let ");
  if (!head) return std::nullopt;
  const size_t open = begin + head->end, close = closing_bracket_of_lines(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 behind = behind_gap(source, static_cast<u32>(close) + 1);
  std::string other = "{ }";
  size_t end = close + 1;
  if (word_at(source, behind) == "else") {
    const u32 begin_other = behind_gap(source, behind + 4);
    end = end_of_else(source, begin_other);
    if (end == std::string_view::npos) return std::nullopt;
    other = source.substr(begin_other, end - begin_other);
    if (!other.starts_with('{')) other = "{ " + other + " }";
  }
  return Edit{begin, static_cast<u32>(end),
              "match " + head->value + " { " + head->pattern + " => " +
                  std::string(source.substr(open, close + 1 - open)) + ", _ => " + other + " }"};
}

std::optional<Edit> match_of_while_let(u32 begin, std::string_view source) {
  const std::optional<PatternHead> head = pattern_head(source.substr(begin), "while let ");
  if (!head) return std::nullopt;
  const size_t open = begin + head->end, close = closing_bracket_of_lines(source, open);
  if (close == std::string_view::npos) return std::nullopt;
  return Edit{begin, static_cast<u32>(close) + 1,
              "while true { match " + head->value + " { " + head->pattern + " => " +
                  std::string(source.substr(open, close + 1 - open)) + ", _ => break } }"};
}

std::optional<Edit> match_of_let_else(u32 begin, std::string_view source) {
  std::optional<PatternHead> head = pattern_head(source.substr(begin), "let ");
  if (!head || !head->value.ends_with(" else")) return std::nullopt;
  const std::string value = head->value.substr(0, head->value.size() - 5);
  const size_t open = begin + head->end, close = closing_bracket_of_lines(source, open);
  const size_t name = head->pattern.find('(') + 1;  // the name that it binds
  const std::string bound = head->pattern.substr(name, head->pattern.size() - 1 - name);
  if (close == std::string_view::npos || !is_name(bound)) return std::nullopt;
  return Edit{begin, static_cast<u32>(close) + 1,
              "let " + bound + " = match " + value + " { " + head->pattern + " => " + bound +
                  ", _ => " + std::string(source.substr(open, close + 1 - open)) + " }"};
}

std::optional<Edit> function_edit(u32 begin, std::string_view source) {
  const std::string result = komuz_type(word_at(source, begin));
  const u32 name_begin =
      behind_gap(source, begin + static_cast<u32>(word_at(source, begin).size()));
  const std::string_view name = word_at(source, name_begin);
  const u32 open = name_begin + static_cast<u32>(name.size());
  const size_t close = end_of_call(source, open);
  if (close == std::string_view::npos || !is_scalar_name(result) || !is_name(name))
    return std::nullopt;
  const u32 end = static_cast<u32>(close) + 1;
  if (source_at(source, behind_gap(source, end), 1) != "{") return std::nullopt;
  std::string parameters;
  for (const std::string_view part : parts_of(between(source, open + 1, end - 1))) {
    const std::string_view type = word_at(part, 0), parameter = trimmed(part.substr(type.size()));
    if (!is_scalar_name(komuz_type(type)) || !is_name(parameter)) return std::nullopt;
    parameters +=
        (parameters.empty() ? "" : ", ") + std::string(parameter) + ": " + komuz_type(type);
  }
  if (parameters.empty() && end != open + 2) return std::nullopt;
  return Edit{begin, end, "fn " + std::string(name) + "(" + parameters + ") -> " + result};
}

std::optional<Edit> block_of_value(u32 begin, std::string_view source) {
  const size_t line_end = std::min(source.find('\n', begin), source.size());
  std::string_view value = trimmed(source.substr(begin + 1, line_end - begin - 1));
  if (value.ends_with(';')) value = trimmed(value.substr(0, value.size() - 1));
  const bool is_whole = !value.empty() && value.find_first_of("{};\"'") == std::string_view::npos &&
                        value.find("//") == std::string_view::npos && !parts_of(value).empty();
  // `2.` is reported next.
  const bool ends_in_point =
      value.size() > 1 && value.ends_with('.') && is_digit(value[value.size() - 2]);
  if (!is_whole ||
      !(is_word(value.back()) || value.back() == ')' || value.back() == ']' || ends_in_point))
    return std::nullopt;
  return Edit{begin, static_cast<u32>(line_end), "{ " + std::string(value) + " }"};
}

std::optional<Edit> result_type_edit(u32 open, std::string_view source) {
  const std::string_view before = source.substr(0, open);
  const size_t line = before.find_last_of("\n{;") + 1;  // 0: there is none
  const std::string_view head = trimmed(before.substr(line));
  if (!head.starts_with("var ") || !head.ends_with('=')) return std::nullopt;
  const std::string name(trimmed(head.substr(4, head.size() - 5)));
  const size_t function = before.rfind("fn "), arrow = before.find("->", function);
  if (!is_name(name) || !source.substr(open).starts_with("[]") || arrow > open) return std::nullopt;
  const size_t body = source.find('{', arrow);
  const size_t close =
      body < open ? closing_bracket_of_lines(source, body) : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view type = trimmed(source.substr(arrow + 2, body - arrow - 2));
  type = trimmed(type.substr(0, type.find(" rec ")));
  std::string_view last = trimmed(source.substr(open, close - open));
  if (last.ends_with(';')) last.remove_suffix(1);
  const bool is_given = last.ends_with("return " + name) || last.ends_with("} " + name) ||
                        last.ends_with("; " + name) || last.ends_with("\n" + name) ||
                        last.ends_with("    " + name);
  if (!is_given || !type.starts_with("List[")) return std::nullopt;
  const u32 at = static_cast<u32>(before.rfind(name)) + static_cast<u32>(name.size());
  return Edit{at, at, ": " + std::string(type)};
}

Edit line_edit(u32 begin, std::string_view source) {
  const size_t before = begin == 0 ? std::string_view::npos : source.rfind('\n', begin - 1);
  const u32 first = before == std::string_view::npos ? 0 : static_cast<u32>(before) + 1;
  const size_t end = std::min(source.find('\n', begin), source.size());
  return Edit{first, static_cast<u32>(std::min(end + 1, source.size())), ""};
}

std::optional<Edit> idle_import_edit(u32 begin, std::string_view source) {
  const size_t line_end = std::min(source.find('\n', begin), source.size());
  std::string_view line = trimmed(source.substr(begin, line_end - begin));
  if (line.ends_with(';')) line.remove_suffix(1);
  const bool is_header = line.starts_with("#include");
  std::string_view module =
      line.starts_with("import ") ? trimmed(line.substr(7)) : std::string_view();
  module = module.substr(0, module.find(" as "));
  constexpr std::string_view kModules[] = {"math",  "numpy",  "sys",
                                           "cmath", "typing", "kotlin.math"};
  const std::string_view from =
      line.starts_with("from ") ? word_at(trimmed(line.substr(5)), 0) : std::string_view();
  if (!is_header && !has_builtins(from) && std::ranges::count(kModules, module) == 0)
    return std::nullopt;
  return line_edit(begin, source);
}

bool starts_definition(u32 where_end, std::string_view source) {
  u32 begin = behind_gap(source, where_end);
  if (word_at(source, begin) == "let") begin = behind_gap(source, begin + 3);
  const std::string_view name = word_at(source, begin);
  const u32 mark = behind_gap(source, begin + static_cast<u32>(name.size()));
  return is_name(name) && source_at(source, mark, 1) == "=" &&
         !is_among(source_at(source, mark, 2), {"==", "=>"});
}
bool defines_names_behind(u32 where_end, std::string_view source) {
  if (!starts_definition(where_end, source)) return false;
  const size_t close = closing_bracket_around(source, where_end, kNearBracketed);
  return close != std::string_view::npos && source[close] == '}';
}

std::optional<Edit> let_of_where(u32 begin, u32 first, u32 close, std::string_view source) {
  constexpr std::string_view kWhere = "where", kLet = "let ", kComment = "//";
  if (first >= begin || close <= begin) return std::nullopt;
  std::string_view definition =
      trimmed(between(source, begin + static_cast<u32>(kWhere.size()), close));
  if (definition.starts_with(kLet)) definition.remove_prefix(kLet.size());
  const std::string_view statement = trimmed_end(between(source, first, begin));
  const size_t mark = definition.find('=');
  const bool is_one =
      mark != std::string_view::npos && is_name(trimmed(definition.substr(0, mark))) &&
      !is_among(definition.substr(mark, 2), {"==", "=>"}) &&
      definition.find_first_of("\n;") == std::string_view::npos && !has_word(definition, kWhere);
  const bool has_comment = definition.find(kComment) != std::string_view::npos ||
                           statement.find(kComment) != std::string_view::npos;
  if (!is_one || has_comment || statement.empty()) return std::nullopt;
  const size_t end = trimmed_end(source.substr(0, close)).size();
  return Edit{first, static_cast<u32>(end),
              "let " + std::string(definition) + "; " + std::string(statement)};
}

}  // namespace komuz
