// SPDX-License-Identifier: Apache-2.0
#include "lang/type_edits.h"

#include <string>

#include "lang/builtin_words.h"
#include "lang/diagnostic_types.h"
#include "lang/name_edits.h"
#include "lang/words.h"

namespace komuz {

namespace {

// `max` in `xs.fold(0.0, max)`, or a name that the program defines as a function.
bool is_function_name(std::string_view name, std::string_view source) {
  return names_builtin_function(name) ||
         source.find("fn " + std::string(name) + "(") != std::string_view::npos;
}

}  // namespace

std::string_view first_value(std::string_view type) {
  if (type == "bool") return "false";
  if (type == "f32" || type == "f64") return "0.0";
  for (const std::string_view integer : {"i32", "i64", "u8", "u32", "u64"})
    if (type == integer) return "0";
  return {};
}
bool is_postfix(std::string_view text) {
  if (text.empty() || !is_word(text[0]) || text.find("..") != std::string_view::npos) return false;
  u32 depth = 0;
  for (const char c : text) {
    if (c == '\n') return false;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth-- == 0) return false;
    const bool binds = is_word(c) || c == '.' || c == ')' || c == ']';
    if (depth == 0 && !binds) return false;
  }
  return depth == 0;
}

std::optional<Edit> type_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  if (!is_postfix(operand) || is_function_name(operand, source)) return std::nullopt;
  const std::string wanted = type_text(d.a, source), found = type_text(d.b, source);
  const auto wrap = [&](const std::string& function) {
    return Edit{d.begin, d.end(), function + "(" + std::string(operand) + ")"};
  };
  const bool is_number = are_digits(operand);
  const bool holds_integer =
      wanted.starts_with("Option[") && first_value(wanted.substr(7, wanted.size() - 8)) == "0";
  if (!found.empty() && wanted == "Option[" + found + "]") return wrap("Some");
  if (is_number && holds_integer) return wrap("Some");
  const bool widens = (found == "i32" && wanted == "i64") ||
                      (found == "u32" && (wanted == "i64" || wanted == "u64")) ||
                      (found == "u8" && is_scalar_name(wanted) && wanted != "bool");
  const bool is_integer =
      found == "i32" || found == "i64" || found == "u8" || found == "u32" || found == "u64";
  const bool is_float = wanted == "f64" || wanted == "f32";
  if (!widens && !(is_integer && is_float)) return std::nullopt;
  return wrap(wanted);
}
std::optional<Edit> capacity_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  const std::string capacity = capacity_of_type(d.a, source);
  const bool is_number = are_digits(capacity);
  const bool is_block = operand.starts_with("if ") || operand.starts_with("match ");
  if (!is_number || is_block) return std::nullopt;
  return Edit{d.end(), d.end(), ".list(" + capacity + ")"};
}

std::optional<Edit> float_argument_edit(const Diagnostic& d, std::string_view source) {
  if (d.b == 0 || d.b == kNoEdit) return std::nullopt;
  const std::string_view call = source_at(source, d.begin, d.length);
  const bool is_method = call.ends_with("()");
  const size_t first = is_method ? 0 : call.find('(') + 1;
  const size_t last = is_method ? call.rfind('.') : call.size() - 1;
  if (last == std::string_view::npos || last < first) return std::nullopt;
  const std::string_view operand = call.substr(first, last - first);
  if (!is_postfix(operand)) return std::nullopt;
  const u32 begin = d.begin + static_cast<u32>(first);
  return Edit{begin, begin + static_cast<u32>(operand.size()),
              type_text(d.b, source) + "(" + std::string(operand) + ")"};
}

}  // namespace komuz
