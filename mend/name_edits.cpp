// SPDX-License-Identifier: Apache-2.0
#include "mend/name_edits.h"

#include "mend/builtin_words.h"
#include "mend/habits/from_formulas.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"

namespace komuz {

namespace {

// The last name of `a::b::`.
std::string_view last_of_path(std::string_view path) {
  size_t end = path.size();
  while (end > 0 && !is_word(path[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(path[begin - 1])) --begin;
  return path.substr(begin, end - begin);
}

// The constant for `MAX`, `MAX_VALUE` and the like of a number's type, `f64`, `Int`, `Number`; empty for other names.
std::string limit_of_type(std::string_view type, std::string_view name, std::string_view path) {
  const bool behind_dot = path.ends_with('.');  // `f64::max` is a function
  const bool is_largest = name == "MAX" || name == "MAX_VALUE" || (behind_dot && name == "max");
  const bool is_least = name == "MIN" || (behind_dot && name == "min");
  if (!is_largest && !is_least && name != "MIN_VALUE") return "";
  const bool has_32_bits = type == "Integer" || type == "Int";
  if (has_32_bits && name == "MAX_VALUE") return "i64(I32_MAX)";
  if (has_32_bits && name == "MIN_VALUE") return "i64(I32_MIN)";
  std::string scalar = komuz_type(type);
  if (type == "Integer" || type == "Long") scalar = "i64";
  if (type == "Number" || type == "Double") scalar = "f64";
  // For floats, other languages give this name to the least number above zero.
  const bool is_float = scalar == "f64" || scalar == "f32";
  if (!is_scalar_name(scalar) || (scalar == "f32" && name == "MIN_VALUE")) return "";
  if (is_float && name == "MIN_VALUE") return "5e-324";
  if (is_float)
    return std::string(is_largest ? "" : "-") +
           (scalar == "f64" ? "1.7976931348623157e308" : "3.4028234663852886e38");
  if (!is_largest && scalar.starts_with('u')) return "0";
  for (char& c : scalar) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return scalar + (is_largest ? "_MAX" : "_MIN");
}

// True if other languages have there what is built in here.
bool has_builtins(std::string_view prefix) {
  const AliasRow* const row = find_alias(prefix);
  return prefix.empty() || is_scalar_name(prefix) ||
         (row != nullptr && row->kind == AliasKind::Prefix) ||
         is_among(prefix, {"bits", "cmath", "cmp", "core", "num"});
}

}  // namespace

u32 own_function_place(std::string_view name, std::string_view source) {
  // The modules that the text names follow it.
  const std::string_view own = source.substr(0, source.find("\npub use "));
  const std::string head = "fn " + std::string(name);
  for (size_t at = own.find(head); at != std::string_view::npos; at = own.find(head, at + 1))
    if ((at == 0 || !is_word(own[at - 1])) && word_at(own, static_cast<u32>(at) + 3) == name)
      return static_cast<u32>(at) + 3;
  return static_cast<u32>(source.size());
}
bool has_function(std::string_view name, std::string_view source) {
  if (own_function_place(name, source) != source.size()) return true;
  source = source.substr(0, source.find("\npub use "));
  constexpr std::string_view kUse = "use ";
  for (size_t at = source.find(kUse); at != std::string_view::npos; at = source.find(kUse, at + 1))
    if ((at == 0 || source[at - 1] == '\n') &&
        has_word(source.substr(at, source.find(';', at) - at), name))
      return true;
  return false;
}
bool rounds_halves_otherwise(std::string_view path, std::string_view name) {
  if (name != "round") return false;
  if (!path.ends_with("::")) return path != "np" && path != "math";
  const std::string_view prefix = last_of_path(path);
  return prefix != "crate" && prefix != "self" && prefix != "super";
}
bool is_scalar_name(std::string_view name) {
  for (u8 k = 1; k < kScalarCount; ++k)
    if (scalar_name(static_cast<Scalar>(k)) == name) return true;
  return false;
}
std::string komuz_type(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  const bool has_one = row != nullptr && row->kind == AliasKind::Type && !row->right.empty();
  return std::string(has_one ? row->right : word);
}

std::optional<Edit> alias_edit(const AliasRow* row, u32 begin, u32 end, std::string_view source) {
  if (row == nullptr || row->right.empty()) return std::nullopt;
  // `not x` to `!x`
  if (row->right == "!" && end < source.size() && source[end] == ' ') ++end;
  return Edit{begin, end, std::string(row->right)};
}
std::optional<Edit> function_alias_edit(u32 begin, u32 end, std::string_view source) {
  const AliasRow* const row = find_function_alias(between(source, begin, end));
  std::optional<Edit> edit = alias_edit(row, begin, end, source);
  const bool is_called = source_at(source, behind_gap(source, end), 1) == "(";
  const size_t before = source.substr(0, begin).find_last_not_of(" \t\r\n");
  const bool is_field = before != std::string_view::npos && source[before] == '.';
  if (edit && is_field && !is_called && takes_receiver_alone(edit->text)) edit->text += "()";
  return edit;
}
// Comments around the dot stay.
std::optional<Edit> prefix_edit(u32 begin, u32 end, std::string_view source) {
  const u32 dot = behind_gap(source, end);
  if (source_at(source, dot, 1) != ".") return std::nullopt;
  const u32 name_begin = behind_gap(source, dot + 1);
  const std::string_view name = word_at(source, name_begin);
  std::string gaps(between(source, end, dot));
  gaps += between(source, dot + 1, name_begin);
  if (gaps.find("//") == std::string::npos) gaps.clear();
  if (rounds_halves_otherwise(word_at(source, begin), name)) return std::nullopt;
  const AliasRow* const called = find_function_alias(name);
  const bool is_call = source_at(source, name_begin + static_cast<u32>(name.size()), 1) == "(";
  const AliasRow* const alias = is_call && called != nullptr ? called : find_alias(name);
  if (alias != nullptr && !alias->right.empty() &&
      (alias->kind == AliasKind::Value || alias->kind == AliasKind::Function))
    return Edit{begin, name_begin + static_cast<u32>(name.size()),
                gaps + std::string(alias->right)};
  if (name == "e" && is_among(word_at(source, begin), {"math", "np", "numpy"}))
    return Edit{begin, name_begin + 1, gaps + "E"};
  // `math.log1p(x)`: the rest has an edit of its own.
  const bool has_formula =
      alias != nullptr && alias->kind == AliasKind::Function && is_formula_edit(alias->edit);
  const bool is_own = has_function(name, source);
  // `np.log1p(x)`, `np.add(x, y)`
  const bool is_of_numbers =
      is_call && !is_own &&
      (is_standard_function("math", name) || !formula_of_function(name).empty());
  if ((has_formula || is_of_numbers) && word_at(source, begin) != "console")
    return Edit{begin, name_begin, gaps};
  // `console.log` is no logarithm.
  if (word_at(source, begin) == "console" || !is_builtin_word(name) || is_own) return std::nullopt;
  return Edit{begin, name_begin, gaps};
}
std::optional<Edit> path_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view name = word_at(source, end);
  const std::string_view prefix = last_of_path(between(source, begin, end));
  const u32 name_end = end + static_cast<u32>(name.size());
  if (rounds_halves_otherwise(between(source, begin, end), name)) return std::nullopt;
  if (const std::string limit = limit_of_type(prefix, name, between(source, begin, end));
      !limit.empty())
    return Edit{begin, name_end, limit};
  // `f64::INFINITY`, `Number.POSITIVE_INFINITY`
  const AliasRow* const alias = find_value_alias(name);
  if (alias != nullptr && alias->kind == AliasKind::Value && !alias->right.empty())
    return Edit{begin, name_end, std::string(alias->right)};
  // `u64::try_from(n).unwrap()`: both trap if it does not fit.
  constexpr std::string_view kUnwrap = ".unwrap()";
  const size_t close = source_at(source, name_end, 1) == "(" ? closing_bracket(source, name_end)
                                                             : std::string_view::npos;
  if (is_scalar_name(prefix) && name == "try_from" && close != std::string_view::npos &&
      source.substr(close + 1).starts_with(kUnwrap)) {
    const u32 stop = static_cast<u32>(close) + 1;
    return Edit{begin, stop + static_cast<u32>(kUnwrap.size()),
                std::string(prefix) + std::string(between(source, name_end, stop))};
  }
  if (is_scalar_name(prefix) && name == "from") return Edit{begin, name_end, std::string(prefix)};
  if (is_standard_function(prefix, name)) return Edit{begin, end, std::string(prefix) + "."};
  const bool is_number = prefix == "Number" || prefix == "Double" || prefix == "Integer";
  if (is_number && !is_builtin_word(name)) return std::nullopt;
  const bool is_type = !prefix.empty() && prefix[0] >= 'A' && prefix[0] <= 'Z';
  // `HashMap::new()` is nothing without its type.
  const bool makes = name == "new" || name == "from" || name == "default" ||
                     name.starts_with("with_") || name.starts_with("from_");
  if (makes) return std::nullopt;
  const bool is_own = prefix == "crate" || prefix == "self" || prefix == "super";
  const bool is_builtin =
      has_builtins(prefix) && is_builtin_word(name) && !has_function(name, source);
  if (!is_type && !is_own && !is_builtin) return std::nullopt;
  return Edit{begin, end, ""};
}

}  // namespace komuz
