// SPDX-License-Identifier: Apache-2.0
// Edits for diagnostics: what `check --json` gives and an editor applies.
#include <algorithm>

#include "lang/aliases.h"
#include "lang/builtin_words.h"
#include "lang/diagnostic_types.h"
#include "lang/diagnostics.h"
#include "lang/foreign_text.h"
#include "lang/foreign_uses.h"
#include "lang/indented_block.h"
#include "lang/recursion_note.h"
#include "lang/standard_uses.h"

namespace komuz {

namespace {

std::string_view source_at(std::string_view source, u32 begin, u32 length) {
  if (begin >= source.size()) return {};
  return source.substr(begin, length);
}
std::string_view between(std::string_view source, u32 begin, u32 end) {
  return begin < end ? source_at(source, begin, end - begin) : std::string_view{};
}
std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
// The bytes from a span's begin to the end of the word before it: a place to insert behind an operand.
u32 behind_previous(std::string_view source, u32 at) {
  while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t')) --at;
  return at;
}

size_t find_outside_comments(std::string_view source, std::string_view wanted, size_t at) {
  for (; at < source.size() && !source.substr(at).starts_with(wanted); ++at)
    if (source.substr(at, 2) == "//") at = std::min(source.find('\n', at), source.size() - 1);
  return at < source.size() ? at : std::string_view::npos;
}

// Does a word or a closing bracket stand before byte `at`, blanks apart?
bool stands_behind_operand(std::string_view source, u32 at) {
  const size_t last = source.substr(0, at).find_last_not_of(" \t");
  return last != std::string_view::npos && (is_word(source[last]) || source[last] == ')');
}
// Does a word stand behind byte `at`, blanks apart?
bool stands_before_word(std::string_view source, u32 at) {
  const size_t next = source.find_first_not_of(" \t", at);
  return next != std::string_view::npos && next != at && is_word(source[next]);
}

std::string_view word_at(std::string_view source, u32 at) {
  u32 end = at;
  while (end < source.size() && is_word(source[end])) ++end;
  return between(source, at, end);
}

// What replaces a word of another language.
std::optional<Edit> alias_edit(const AliasRow* row, u32 begin, u32 end, std::string_view source) {
  if (row == nullptr || row->right.empty()) return std::nullopt;
  // `not x` to `!x`
  if (row->right == "!" && end < source.size() && source[end] == ' ') ++end;
  return Edit{begin, end, std::string(row->right)};
}
// Where the next token begins, or the source ends.
u32 behind_gap(std::string_view source, u32 at) {
  while (at < source.size()) {
    if (source.substr(at, 2) == "//")
      at = static_cast<u32>(std::min(source.find('\n', at), source.size()));
    else if (std::string_view(" \t\r\n").find(source[at]) != std::string_view::npos)
      ++at;
    else
      break;
  }
  return at;
}
// `xs.length` to `xs.len()`, `xs.length()` to `xs.len()`
std::optional<Edit> function_alias_edit(u32 begin, u32 end, std::string_view source) {
  const AliasRow* const row = find_function_alias(between(source, begin, end));
  std::optional<Edit> edit = alias_edit(row, begin, end, source);
  const bool is_called = source_at(source, behind_gap(source, end), 1) == "(";
  const size_t before = source.substr(0, begin).find_last_not_of(" \t\r\n");
  const bool is_field = before != std::string_view::npos && source[before] == '.';
  if (edit && is_field && !is_called && takes_receiver_alone(edit->text)) edit->text += "()";
  return edit;
}
// `math.sqrt` to `sqrt`, where there is one. Comments around the dot stay.
std::optional<Edit> prefix_edit(u32 begin, u32 end, std::string_view source) {
  const u32 dot = behind_gap(source, end);
  if (source_at(source, dot, 1) != ".") return std::nullopt;
  const u32 name_begin = behind_gap(source, dot + 1);
  const std::string_view name = word_at(source, name_begin);
  std::string gaps(between(source, end, dot));
  gaps += between(source, dot + 1, name_begin);
  if (gaps.find("//") == std::string::npos) gaps.clear();
  const AliasRow* const alias = find_alias(name);
  if (alias != nullptr && !alias->right.empty() &&
      (alias->kind == AliasKind::Value || alias->kind == AliasKind::Function))
    return Edit{begin, name_begin + static_cast<u32>(name.size()),
                gaps + std::string(alias->right)};
  // `console.log` is no logarithm.
  if (word_at(source, begin) == "console" || !is_builtin_word(name)) return std::nullopt;
  return Edit{begin, name_begin, gaps};
}
bool is_scalar_name(std::string_view name) {
  for (u8 k = 1; k < kScalarCount; ++k)
    if (scalar_name(static_cast<Scalar>(k)) == name) return true;
  return false;
}
// The last name of `a::b::`.
std::string_view last_of_path(std::string_view path) {
  size_t end = path.size();
  while (end > 0 && !is_word(path[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(path[begin - 1])) --begin;
  return path.substr(begin, end - begin);
}
// `f64::sqrt` to `sqrt`, `i64::MAX` to `I64_MAX`, `f64::from` to `f64`, `math::lerp` to `math.lerp`, `Color::Red` to `Red`.
// Nothing where the name alone is none that is known: `f64::MAX`.
std::optional<Edit> path_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view name = word_at(source, end);
  const std::string_view prefix = last_of_path(between(source, begin, end));
  const u32 name_end = end + static_cast<u32>(name.size());
  std::string constant(prefix);
  for (char& c : constant) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  constant += "_" + std::string(name);
  if (is_builtin_word(constant)) return Edit{begin, name_end, constant};
  // `f64::INFINITY`, `Number.POSITIVE_INFINITY`
  const AliasRow* const alias = find_value_alias(name);
  if (alias != nullptr && alias->kind == AliasKind::Value && !alias->right.empty())
    return Edit{begin, name_end, std::string(alias->right)};
  if (is_scalar_name(prefix) && name == "from") return Edit{begin, name_end, std::string(prefix)};
  if (is_standard_function(prefix, name)) return Edit{begin, end, std::string(prefix) + "."};
  const bool is_type = !prefix.empty() && prefix[0] >= 'A' && prefix[0] <= 'Z';
  // `HashMap::new()` is nothing without its type.
  const bool makes = name == "new" || name == "from" || name == "default" ||
                     name.starts_with("with_") || name.starts_with("from_");
  if (makes) return std::nullopt;
  const bool is_own = prefix == "crate" || prefix == "self" || prefix == "super";
  if (!is_type && !is_own && !is_builtin_word(name)) return std::nullopt;
  return Edit{begin, end, ""};
}
std::string komuz_type(std::string_view word) {
  const AliasRow* const row = find_alias(word);
  const bool has_one = row != nullptr && row->kind == AliasKind::Type && !row->right.empty();
  return std::string(has_one ? row->right : word);
}

// `int x` to `x: i64`
std::string declaration(std::string_view at) {
  const size_t first_end = at.find(' '), last = at.rfind(' ');
  if (first_end == std::string_view::npos) return std::string(at);
  return std::string(at.substr(last + 1)) + ": " + komuz_type(at.substr(0, first_end));
}
// `range(n)` to `0..n`, `range(a, b)` to `a..b`; `comma`: the byte of the only comma, or 0
std::string range_text(std::string_view source, u32 begin, u32 end, u32 comma) {
  const u32 first = static_cast<u32>(source.find('(', begin)) + 1, last = end - 1;
  const std::string upper(trimmed(between(source, comma == 0 ? first : comma + 1, last)));
  const std::string lower(comma == 0 ? "0" : trimmed(between(source, first, comma)));
  return lower + ".." + upper;
}
// `c ? a : b` and `a if c else b`; the two marks are at bytes a and b.
std::string choice_text(const Diagnostic& d, std::string_view source) {
  const bool ternary = source[d.a] == '?';
  const u32 second = d.b + (ternary ? 1 : 4);
  const std::string first(trimmed(between(source, d.begin, d.a)));
  const std::string middle(trimmed(between(source, d.a + (ternary ? 1 : 2), d.b)));
  const std::string last(trimmed(between(source, second, d.end())));
  const std::string& condition = ternary ? first : middle;
  const std::string& value = ternary ? middle : first;
  return "if " + condition + " { " + value + " } else { " + last + " }";
}
// `|a, v| e` to `(a, v) => e`; nothing where the bars hold more than names.
std::optional<Edit> lambda_edit(u32 begin, std::string_view source) {
  const size_t close = source.find_first_of("|\n", begin + 1);
  if (close == std::string_view::npos || source[close] != '|') return std::nullopt;
  const std::string_view names = trimmed(between(source, begin + 1, static_cast<u32>(close)));
  const bool are_names = !names.empty() && std::ranges::all_of(names, [](char c) {
    return is_word(c) || c == ',' || c == ' ' || c == '(' || c == ')';
  });
  if (!are_names) return std::nullopt;
  const bool many = names.find(',') != std::string_view::npos;
  const bool apart = many && (names[0] != '(' || names.find(')') + 1 != names.size());
  const std::string parameters = apart ? "(" + std::string(names) + ")" : std::string(names);
  const bool touches = close + 1 < source.size() && source[close + 1] != ' ';
  return Edit{begin, static_cast<u32>(close) + 1, parameters + (touches ? " => " : " =>")};
}
// `xs.iter()` to `xs`
std::optional<Edit> leave_out_call(u32 begin, u32 end, std::string_view source) {
  const bool is_empty_call =
      begin > 0 && source[begin - 1] == '.' && source.substr(end).starts_with("()");
  if (!is_empty_call) return std::nullopt;
  return Edit{begin - 1, end + 2, ""};
}
// `.list(8)` behind an operand of a list's type.
std::optional<Edit> capacity_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  const std::string capacity = capacity_of_type(d.a, source);
  const bool is_number = std::ranges::all_of(capacity, [](char c) { return c >= '0' && c <= '9'; });
  const bool is_block = operand.starts_with("if ") || operand.starts_with("match ");
  if (!is_number || is_block) return std::nullopt;
  return Edit{d.end(), d.end(), ".list(" + capacity + ")"};
}
// `P { x: 1.0, y, ..p }` to `P(..p, x: 1.0, y: y)`; empty where the braces hold anything else.
std::string record_text(std::string_view literal) {
  const size_t open = literal.find('{');
  const std::string_view name = trimmed(literal.substr(0, open));
  std::string fields, rest;
  u32 depth = 0;
  for (size_t begin = open + 1, k = begin; k < literal.size(); ++k) {
    const char c = literal[k];
    if (c == '"' || c == '\'' || c == ';' || literal.substr(k, 2) == "//") return "";
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool is_last = k + 1 == literal.size();
    if (depth == 0 && (c == ',' || is_last)) {
      std::string_view field = literal.substr(begin, k - begin);
      while (!field.empty() && std::string_view(" \t\r\n").find(field[0]) != std::string_view::npos)
        field.remove_prefix(1);
      while (!field.empty() &&
             std::string_view(" \t\r\n").find(field.back()) != std::string_view::npos)
        field.remove_suffix(1);
      begin = k + 1;
      const bool is_name = std::ranges::all_of(field, is_word);
      if (field.empty() && !is_last) return "";
      if (field.starts_with("..")) {
        rest = std::string(field);
      } else if (!field.empty()) {
        if (!is_name && field.find(':') == std::string_view::npos) return "";
        fields += (fields.empty() ? "" : ", ") + std::string(field);
        if (is_name) fields += ": " + std::string(field);
      }
    }
    if ((c == ')' || c == ']' || c == '}') && !is_last && depth-- == 0) return "";
  }
  if (!rest.empty() && !fields.empty()) rest += ", ";
  return rest.empty() && fields.empty() ? "" : std::string(name) + "(" + rest + fields + ")";
}
// What a variable of a type starts with; empty: nothing is plain.
std::string_view first_value(std::string_view type) {
  if (type == "bool") return "false";
  if (type == "f32" || type == "f64") return "0.0";
  for (const std::string_view integer : {"i32", "i64", "u8", "u32", "u64"})
    if (type == integer) return "0";
  return {};
}
// Is it a name or a number, with fields, calls and brackets behind it?
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
// `max` in `xs.fold(0.0, max)`, or a name that the program defines as a function.
bool is_function_name(std::string_view name, std::string_view source) {
  return names_builtin_function(name) ||
         source.find("fn " + std::string(name) + "(") != std::string_view::npos;
}
// `f64(n)` of an `i64`, `Some(n)`: what makes one type of another without a loss.
std::optional<Edit> type_edit(const Diagnostic& d, std::string_view source) {
  const std::string_view operand = source_at(source, d.begin, d.length);
  if (!is_postfix(operand) || is_function_name(operand, source)) return std::nullopt;
  const std::string wanted = type_text(d.a, source), found = type_text(d.b, source);
  const auto wrap = [&](const std::string& function) {
    return Edit{d.begin, d.end(), function + "(" + std::string(operand) + ")"};
  };
  const bool is_number = std::ranges::all_of(operand, [](char c) { return c >= '0' && c <= '9'; });
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
// `&` and the `mut` behind it
Edit reference_edit(u32 begin, u32 end, std::string_view source) {
  if (word_at(source, end) != "mut") return {begin, end, ""};
  u32 stop = end + 3;
  while (stop < source.size() && source[stop] == ' ') ++stop;
  return {begin, stop, ""};
}
}  // namespace

std::optional<Edit> diagnostic_fix(const Diagnostic& d, std::string_view source) {
  const std::string at(source_at(source, d.begin, d.length));
  const u32 begin = d.begin, end = d.begin + static_cast<u32>(at.size());
  const auto replace = [&](std::string text) { return Edit{begin, end, std::move(text)}; };
  const auto replace_unless_empty = [&](std::string text) {
    return text.empty() ? std::optional<Edit>() : replace(std::move(text));
  };
  switch (d.code()) {
    case DiagnosticCode::IntegerForFloat: return Edit{end, end, ".0"};
    case DiagnosticCode::ReservedWord:
      if (stands_before_word(source, end)) return std::nullopt;  // it is meant as a keyword
      return replace(at + "_");
    case DiagnosticCode::AddressOfOperator: return reference_edit(begin, end, source);
    case DiagnosticCode::ElementTypes:
    case DiagnosticCode::Mismatch: return type_edit(d, source);
    case DiagnosticCode::CallTypeArguments: return replace("");
    case DiagnosticCode::EmptyList: return replace("[]");
    case DiagnosticCode::AssignedUnknown:
      if (d.a == kNoEdit) return std::nullopt;
      return Edit{begin, begin, "var "};
    case DiagnosticCode::StringForByte: return replace("'" + at.substr(1, at.size() - 2) + "'");
    case DiagnosticCode::NotAnOption:
      // Of nothing both trap. Another value that was meant for that case would be lost.
      if (at != "unwrap") return std::nullopt;
      return leave_out_call(begin, end, source);
    case DiagnosticCode::FunctionAsValue:
      if (begin == 0 || source[begin - 1] != '.' || !takes_receiver_alone(at)) return std::nullopt;
      return Edit{end, end, "()"};
    case DiagnosticCode::UnknownModule:
      if (!is_standard_module(at)) return std::nullopt;
      return Edit{begin, begin, "std."};
    case DiagnosticCode::AssertMessage:
      if (d.b <= end) return std::nullopt;
      return Edit{behind_previous(source, begin), d.b, ""};
    case DiagnosticCode::LetMut: return replace("var");
    case DiagnosticCode::ClosureBars: return lambda_edit(begin, source);
    case DiagnosticCode::IdleMethod: return leave_out_call(begin, end, source);
    case DiagnosticCode::ForeignMatch: return replace("match");
    case DiagnosticCode::RecordLiteral: {
      if (d.a <= end) return std::nullopt;
      const std::string record = record_text(between(source, begin, d.a));
      if (record.empty()) return std::nullopt;
      return Edit{begin, d.a, record};
    }
    case DiagnosticCode::UseForm: return replace_unless_empty(uses_of(at));
    case DiagnosticCode::FunctionWithoutUse: return function_use_edit(at, source);
    case DiagnosticCode::ModuleWithoutUse: return module_use_edit(at, source);
    case DiagnosticCode::ListCapacity: return capacity_edit(d, source);
    case DiagnosticCode::IncrementOperator:
      if (!stands_behind_operand(source, d.begin)) return std::nullopt;  // `++k`
      return replace(at == "++" ? " += 1" : " -= 1");
    case DiagnosticCode::ReturnWithoutValue:
      if (d.b == kNoEdit) return std::nullopt;
      return replace("return ()");
    case DiagnosticCode::MissingResultType:  // `fn f(n: i64): i64 { … }`
      if (at != ":") return std::nullopt;
      return replace(" ->");
    case DiagnosticCode::BadCharLiteral: return replace_unless_empty(string_of_quoted(at));
    case DiagnosticCode::StringPrefix: return replace_unless_empty(string_without_prefix(at));
    case DiagnosticCode::FloatPoint: return replace(at[0] == '.' ? "0" + at : at + "0");
    case DiagnosticCode::GroupedDigits: {
      std::string digits = at;
      std::ranges::replace(digits, ',', '_');
      return replace(digits);
    }
    case DiagnosticCode::SlicePart:
      return replace_unless_empty(slice_of(at, source_at(source, d.a, d.b)));
    case DiagnosticCode::Comprehension:
      if (d.b == kNoEdit) return std::nullopt;
      return replace_unless_empty(chain_of_comprehension(at, d.a == 1));
    case DiagnosticCode::InTest: {
      const std::string_view element = trimmed(between(source, begin, d.a)),
                             list = trimmed(between(source, d.a + 2, end));
      if (d.b == kNoEdit || !is_postfix(element) || !is_postfix(list) || is_digit(list[0]))
        return std::nullopt;
      return replace(std::string(list) + ".contains(" + std::string(element) + ")");
    }
    case DiagnosticCode::FieldColon:
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{behind_previous(source, begin), end, ":"};
    case DiagnosticCode::TupleNames:  // the name of the type before the parentheses
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{begin, begin, std::string(word_at(source, d.a))};
    case DiagnosticCode::PatternType: return Edit{behind_previous(source, begin), end, ""};
    case DiagnosticCode::MissingSemicolon: return Edit{d.a, d.a, ";"};
    case DiagnosticCode::ForeignLambda:
      if (at != "->") return std::nullopt;
      return replace("=>");
    case DiagnosticCode::UnknownName: {
      const AliasRow* const row = find_value_alias(at);
      if (row != nullptr && row->kind == AliasKind::Prefix) return prefix_edit(begin, end, source);
      return alias_edit(row, begin, end, source);
    }
    case DiagnosticCode::BadCharacter:
    case DiagnosticCode::UnknownType: return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::WordOperator:
      if (d.b == kNoEdit) return std::nullopt;
      if (at == "new" && source_at(source, end, 1) == " ") return Edit{begin, end + 1, ""};
      return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::ForeignFunction: {
      if (d.b == kNoEdit) return std::nullopt;
      const std::optional<Edit> block = put_into_braces(source, d.a);
      if (!block) return replace("fn");
      return Edit{begin, block->end, "fn" + std::string(between(source, end, d.a)) + block->text};
    }
    case DiagnosticCode::ColonBlock: return put_into_braces(source, d.begin);
    case DiagnosticCode::ProseLine:
      if (d.a == kNoEdit) return std::nullopt;
      return replace("");
    case DiagnosticCode::UnknownFunction:
      if (d.a == kNoEdit) return std::nullopt;
      return function_alias_edit(begin, end, source);
    case DiagnosticCode::SpaceWithoutMark:
      if (d.a == kNoEdit) return std::nullopt;
      return Edit{begin, begin, "?"};
    case DiagnosticCode::SpaceInItself: return Edit{end, d.a, ""};
    case DiagnosticCode::AssertMacro: return replace(" ");
    case DiagnosticCode::ByteOrderMark:
    case DiagnosticCode::PrefixedModule:
    case DiagnosticCode::DroppedValue: return replace("");
    case DiagnosticCode::PathOperator: return path_edit(begin, end, source);
    case DiagnosticCode::LocalConstant: return replace("let");
    case DiagnosticCode::AssignedCondition: return replace("==");
    case DiagnosticCode::MissingBraces: return replace("{ " + at + " }");
    case DiagnosticCode::ForeignChoice:
      if (d.b == 0) return std::nullopt;
      return replace(choice_text(d, source));
    case DiagnosticCode::TypeBeforeName:
      if (d.b == kNoEdit) return std::nullopt;
      return replace((d.a == kOfParameter ? "" : "var ") + declaration(at));
    case DiagnosticCode::RangeCall:
      if (d.b == kNoEdit) return std::nullopt;
      return replace(range_text(source, begin, end, d.a));
    case DiagnosticCode::LetWithoutValue: {
      const std::string_view value = first_value(source_at(source, d.a, d.b));
      if (value.empty()) return std::nullopt;
      return Edit{d.a + d.b, d.a + d.b, " = " + std::string(value)};
    }
    case DiagnosticCode::CaretPower:  // the literal behind it becomes a float
      if (d.a == 0) return replace("**");
      return Edit{begin, d.a, "**" + std::string(between(source, end, d.a)) + ".0"};
    case DiagnosticCode::AsConversion: {
      if (d.b != 0)  // `(f64)n`: the operand's end
        return Edit{begin, d.b,
                    komuz_type(trimmed(between(source, begin + 1, end - 1))) + "(" +
                        std::string(trimmed(between(source, end, d.b))) + ")"};
      if (d.a == 0) return std::nullopt;
      u32 type = end;
      while (type < source.size() && source[type] == ' ') ++type;
      u32 stop = type;
      while (stop < source.size() && is_word(source[stop])) ++stop;
      const u32 first = d.a - 1, last = behind_previous(source, begin);
      const std::string operand(source_at(source, first, last - first));
      if (stop == type) return std::nullopt;
      return Edit{first, stop,
                  komuz_type(between(source, type, stop)) +
                      (operand[0] == '(' ? operand : "(" + operand + ")")};
    }
    case DiagnosticCode::PrefixAfterTighter:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, d.b, "(" + std::string(source_at(source, begin, d.b - begin)) + ")"};
    case DiagnosticCode::ChainedComparison:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, begin, "&& " + std::string(source_at(source, d.a, d.b)) + " "};
    case DiagnosticCode::NotVariable:
      if (d.a == 0) return std::nullopt;
      return Edit{d.a - 1, d.a + 2, "var"};
    case DiagnosticCode::NumberSuffix: {
      if (!number_before_suffix(at).empty()) return replace(number_without_suffix(at));
      size_t k = 0;
      while (k < at.size() && at[k] != 'i' && at[k] != 'u' && at[k] != 'f') ++k;
      return replace(at.substr(k) + "(" + at.substr(0, k) + ")");
    }
    case DiagnosticCode::NegatedUnsigned: return replace("0 -% ");
    case DiagnosticCode::UselessRec: {
      // From behind `-> T` to the bound: found in the text behind the name.
      const size_t body = find_outside_comments(source, "{", end),
                   rec = find_outside_comments(source, " rec ", end);
      if (rec == std::string_view::npos || rec > body) return std::nullopt;
      size_t stop = rec + 5;
      while (stop < source.size() && is_word(source[stop])) ++stop;
      return Edit{static_cast<u32>(rec), static_cast<u32>(stop), ""};
    }
    case DiagnosticCode::MissingRec: {
      const size_t body = find_outside_comments(source, "{", end);
      if (body == std::string_view::npos) return std::nullopt;
      const u32 place = behind_previous(source, static_cast<u32>(body));
      return Edit{place, place, " rec " + std::to_string(RecursionNote::of(d.a, d.b).bound)};
    }
    default: return std::nullopt;
  }
}

}  // namespace komuz
