// SPDX-License-Identifier: Apache-2.0
// Edits for diagnostics: what `check --json` gives and an editor applies.
#include <algorithm>

#include "lang/aliases.h"
#include "lang/builtin_words.h"
#include "lang/diagnostic_types.h"
#include "lang/diagnostics.h"
#include "lang/foreign_chains.h"
#include "lang/foreign_forms.h"
#include "lang/foreign_items.h"
#include "lang/foreign_loops.h"
#include "lang/foreign_matches.h"
#include "lang/foreign_text.h"
#include "lang/foreign_uses.h"
#include "lang/indented_block.h"
#include "lang/name_edits.h"
#include "lang/recursion_note.h"
#include "lang/standard_uses.h"
#include "lang/tokens.h"
#include "lang/type_edits.h"
#include "lang/words.h"

namespace komuz {

namespace {

size_t find_outside_comments(std::string_view source, std::string_view wanted, size_t at) {
  for (; at < source.size() && !source.substr(at).starts_with(wanted); ++at)
    if (source.substr(at, 2) == "//") at = std::min(source.find('\n', at), source.size() - 1);
  return at < source.size() ? at : std::string_view::npos;
}

// Does a word or a closing bracket stand before byte `at`, blanks apart?
bool stands_behind_operand(std::string_view source, u32 at) {
  const size_t last = source.substr(0, at).find_last_not_of(" \t");
  return last != std::string_view::npos &&
         (is_word(source[last]) || source[last] == ')' || source[last] == ']');
}
// Does a word stand behind byte `at`, blanks apart?
bool stands_before_word(std::string_view source, u32 at) {
  const size_t next = source.find_first_not_of(" \t", at);
  return next != std::string_view::npos && next != at && is_word(source[next]);
}

// Has the block around byte `at` no value that is used, as that of a loop and of an `if` without an `else`? `close` is
// its end.
bool is_block_of_statement(std::string_view source, size_t at, size_t close) {
  u32 depth = 0;
  while (at > 0 && (source[at - 1] != '{' || depth != 0)) {
    --at;
    depth += source[at] == '}';
    if (source[at] == '{') --depth;
  }
  if (at == 0) return false;
  const size_t before = source.substr(0, at - 1).find_last_of("\n;{}");
  const size_t head = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view word = word_at(source, behind_gap(source, static_cast<u32>(head)));
  const std::string_view behind = word_at(source, behind_gap(source, static_cast<u32>(close) + 1));
  return word == "for" || word == "while" || word == "do" || (word == "if" && behind != "else");
}
// Do `++` and `--` in bytes [begin, end) stand behind a place that is a statement with them?
bool is_whole_step(u32 begin, u32 end, std::string_view source) {
  size_t first = behind_previous(source, begin);
  u32 depth = 0;
  for (; first > 0 && source[first - 1] != '\n'; --first) {
    const char c = source[first - 1];
    depth += c == ']';
    if (c == '[' && depth-- == 0) break;
    if (depth == 0 && !is_word(c) && c != '.' && c != '[') break;
  }
  const std::string_view before = source.substr(0, first), last = trimmed(before);
  const bool starts = last.empty() ||
                      std::string_view("{};").find(last.back()) != std::string_view::npos ||
                      before.find_last_not_of(" \t") == before.rfind('\n');
  const size_t next = source.find_first_not_of(" \t\r", end), token = behind_gap(source, end);
  // The last of a block is its value.
  if (source_at(source, static_cast<u32>(token), 1) == "}")
    return starts && is_block_of_statement(source, first, token);
  return starts && (next == std::string_view::npos || source[next] == ';' || source[next] == '\n' ||
                    source.substr(next, 2) == "//");
}

// Does it give the element, or the sum of the numbers, that a lambda makes of each element?
bool gives_element_by(std::string_view word) {
  for (const std::string_view other : {"minBy", "maxBy", "min_by", "max_by", "min_by_key",
                                       "max_by_key", "sumOf", "sumBy", "sum_by"})
    if (word == other) return true;
  return false;
}
bool makes_text(std::string_view word) {
  for (const std::string_view other : {"to_string", "toString", "str", "string", "String"})
    if (word == other) return true;
  return false;
}
bool goes_over_each(std::string_view word) {
  return word == "forEach" || word == "for_each" || word == "each";
}

// `|a, v| e` to `(a, v) => e`; nothing where the bars hold more than names.
std::optional<Edit> lambda_edit(u32 begin, std::string_view source) {
  const size_t close = source.find_first_of("|\n", begin + 1);
  if (close == std::string_view::npos || source[close] != '|') return std::nullopt;
  const u32 end = static_cast<u32>(close);
  const std::string parameters = parameters_of_bars(between(source, begin + 1, end));
  if (parameters.empty()) return std::nullopt;
  const bool touches = end + 1 < source.size() && source[end + 1] != ' ';
  return Edit{begin, end + 1, parameters + (touches ? " => " : " =>")};
}
// `xs.iter()` to `xs`
std::optional<Edit> leave_out_call(u32 begin, u32 end, std::string_view source) {
  const bool is_empty_call =
      begin > 0 && source[begin - 1] == '.' && source.substr(end).starts_with("()");
  if (!is_empty_call) return std::nullopt;
  return Edit{begin - 1, end + 2, ""};
}
// `powi(x, 3)`, `x.powi(n)`, of the name
std::optional<Edit> power_edit(u32 begin, u32 end, std::string_view source) {
  if (source_at(source, end, 1) != "(") return std::nullopt;
  const size_t close = closing_bracket(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close);
  const std::string call = power_call(between(source, end + 1, stop));
  return call.empty() ? std::nullopt : std::optional<Edit>({begin, stop + 1, call});
}
// `pow(n, 2)` of integers to `n ** 2`; what binds tighter than the operator would take its power alone.
std::optional<Edit> power_operator_edit(u32 begin, u32 end, std::string_view source) {
  const std::string power = power_of_call(between(source, begin, end));
  if (power.empty()) return std::nullopt;
  const std::string_view next = source_at(source, behind_gap(source, end), 2);
  const u32 previous = behind_previous(source, begin);
  const bool is_operand = next.starts_with('.') || next.starts_with('[') || next == "**" ||
                          source.substr(0, previous).ends_with("**");
  return Edit{begin, end, is_operand ? "(" + power + ")" : power};
}
// `a[i, j]` to `a[i][j]`, of the brackets
std::optional<Edit> indices_edit(u32 begin, u32 end, std::string_view source) {
  std::string text;
  for (const std::string_view part : parts_of(between(source, begin + 1, end - 1)))
    text += "[" + std::string(part) + "]";
  return text.empty() ? std::nullopt : std::optional<Edit>({begin, end, text});
}
// Does `a < b < c` mean `a < b && b < c`? Not where the middle is a hole, which would be two, where operators of bits
// in it are meant for truths, as in C, and where one of the comparisons may be of truths.
bool chains(u32 begin, u32 end, u32 middle, u32 length, std::string_view source) {
  const std::string_view before = source.substr(0, behind_previous(source, middle));
  const auto is_equality = [](std::string_view sign) { return sign == "==" || sign == "!="; };
  const bool first = before.size() >= 2 && is_equality(before.substr(before.size() - 2));
  return first == is_equality(between(source, begin, end)) &&
         !source_at(source, end, 1).starts_with('(') &&
         source_at(source, middle, length).find_first_of("?|&^") == std::string_view::npos;
}
// Is a sign that begins an operand all that is made of it, so that an operator in its place is no operand of another
// one?
bool stands_alone(u32 begin, u32 end, std::string_view source) {
  const u32 previous = behind_previous(source, begin);
  u32 stop = behind_gap(source, end);
  while (stop < source.size() && is_word(source[stop])) ++stop;
  const u32 next = behind_gap(source, stop);
  const auto is_one_of = [&](u32 at, std::string_view signs) {
    return at < source.size() && signs.find(source[at]) != std::string_view::npos;
  };
  return (previous == 0 || is_one_of(previous - 1, "=({[,;") ||
          source.substr(0, previous).ends_with("return")) &&
         is_one_of(next, ")}],;");
}
std::string in_parentheses(std::string_view operand) {
  const bool has_them =
      operand.starts_with('(') && closing_bracket(operand, 0) + 1 == operand.size();
  return has_them ? std::string(operand) : "(" + std::string(operand) + ")";
}
// `i64` of `static_cast<long int>`
std::string type_of_cast(std::string_view cast) {
  const size_t open = cast.find('<');
  const std::string_view type = trimmed(cast.substr(open + 1, cast.size() - open - 2));
  if (type.starts_with("unsigned ") && type != "unsigned char")
    return type.find("long") == std::string_view::npos ? "u32" : "u64";
  const size_t last = type.find_last_of(" :");
  return komuz_type(last == std::string_view::npos ? type : type.substr(last + 1));
}
// `&` and the `mut` behind it
Edit reference_edit(u32 begin, u32 end, std::string_view source) {
  if (word_at(source, end) != "mut") return {begin, end, ""};
  u32 stop = end + 3;
  while (stop < source.size() && source[stop] == ' ') ++stop;
  return {begin, stop, ""};
}

// The number of a constant that bounds recursion, and is used for nothing else.
std::optional<Edit> constant_bound_edit(std::string_view name, u32 bound, std::string_view source) {
  size_t item = std::string_view::npos;
  for (size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && is_word(source[at - 1])) || (end < source.size() && is_word(source[end])))
      continue;
    const std::string_view before = source.substr(0, at);
    if (before.ends_with("const ") && item == std::string_view::npos)
      item = end;
    else if (!before.ends_with("rec "))
      return std::nullopt;
  }
  const size_t mark = item == std::string_view::npos ? item : source.find('=', item);
  if (mark == std::string_view::npos) return std::nullopt;
  const u32 begin = behind_gap(source, static_cast<u32>(mark) + 1);
  const std::string_view number = word_at(source, begin);
  const u32 end = begin + static_cast<u32>(number.size());
  if (!are_digits(number) || source_at(source, end, 1) != ";") return std::nullopt;
  return Edit{begin, end, std::to_string(bound)};
}
// `i64` to `u64` of what `for i in 0..10` goes over, where the variable is in bytes [begin,
// end); else `: u64` behind it
Edit stated_type_edit(u32 end, const std::string& type, std::string_view source) {
  const u32 in = behind_gap(source, end);
  if (word_at(source, in) != "in") return {end, end, ": " + type};
  const u32 first = behind_gap(source, in + 2);
  const std::string_view number = word_at(source, first);
  return {first, first + static_cast<u32>(number.size()), type + "(" + std::string(number) + ")"};
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
    case DiagnosticCode::CaretOfNumbers: return replace("**");
    case DiagnosticCode::FieldType: return field_name_edit(begin, source);
    case DiagnosticCode::UnknownField: {  // `t._1`
      const std::string number = at.starts_with('_') ? at.substr(1) : "";
      if (!are_digits(number) || number.size() > 2 || std::stoul(number) == 0 ||
          std::stoul(number) > d.a)
        return std::nullopt;
      return replace(std::to_string(std::stoul(number) - 1));
    }
    case DiagnosticCode::OperatorType: {  // `a < b` of lists, `!xs` of a list
      if (d.b != 0) {
        // `cmp` has a place for NaN, which `<` has not.
        const std::string type = type_text(d.a, source);
        if (type.find("f64") != std::string::npos || type.find("f32") != std::string::npos)
          return std::nullopt;
        const u32 sign_end = d.b + (source_at(source, d.b + 1, 1) == "=" ? 2 : 1);
        return replace("cmp(" + std::string(trimmed(between(source, begin, d.b))) + ", " +
                       std::string(trimmed(between(source, sign_end, end))) + ") " +
                       std::string(between(source, d.b, sign_end)) + " 0");
      }
      const std::string_view list = word_at(source, end);
      const u32 stop = end + static_cast<u32>(list.size());
      if (at != "!" || list.empty() || !is_list_type(type_text(d.a, source)) ||
          std::string_view(".([").find(source_at(source, stop, 1)) != std::string_view::npos)
        return std::nullopt;
      return Edit{begin, stop, std::string(list) + ".is_empty()"};
    }
    case DiagnosticCode::SliceValue: {
      const std::string capacity = capacity_at(d.a, source);
      if (d.a == 0 || capacity.empty()) return std::nullopt;
      return Edit{d.b, d.b, ".list(" + capacity + ")"};
    }
    case DiagnosticCode::UnusedValue: {  // `xs.sort_by(x => x);`
      const std::string name(word_at(at, 0));
      const std::string_view method = std::string_view(at).substr(name.size());
      const bool arranges = method.starts_with(".sort_by(") || method.starts_with(".reverse(");
      if (!arranges || closing_bracket(method, method.find('(')) + 1 != method.size())
        return std::nullopt;
      return replace(name + " = " + at);
    }
    case DiagnosticCode::LambdaExpected: {  // `xs.count(3)`
      const std::string_view before = source.substr(0, begin);
      const bool counts = before.ends_with(".count(") || before.ends_with(".position(");
      const bool is_value = is_name(at) || are_digits(at) || at.starts_with('\'');
      if (!counts || !is_value || source_at(source, end, 1) != ")") return std::nullopt;
      const std::string name = at == "x" ? "y" : "x";
      return replace(name + " => " + name + " == " + at);
    }
    case DiagnosticCode::ArgumentCount: {  // `list(xs.filter(p))`
      if (const std::string nested = nested_call(at); !nested.empty()) return replace(nested);
      if (!at.starts_with("list(") || !at.ends_with(')')) return std::nullopt;
      const std::string_view inside = trimmed(std::string_view(at).substr(5, at.size() - 6));
      return is_postfix(inside) ? replace(std::string(inside)) : std::optional<Edit>();
    }
    case DiagnosticCode::IntegerPower: return power_operator_edit(begin, end, source);
    case DiagnosticCode::ElementUnknown: return result_type_edit(begin, source);
    case DiagnosticCode::NotIndexable: {  // `t[0]` of a tuple
      const size_t close = at == "[" ? closing_bracket(source, begin) : std::string_view::npos;
      const std::string type = type_text(d.a, source);
      const bool is_tuple = type.starts_with('(') && type != "()";
      if (close == std::string_view::npos || !is_tuple) return std::nullopt;
      const u32 stop = static_cast<u32>(close);
      const std::string number(between(source, end, stop));
      if (!are_digits(number)) return std::nullopt;
      return Edit{begin, stop + 1, "." + number};
    }
    case DiagnosticCode::GridForm:  // `steps=8`
      if (at != "=") return std::nullopt;
      return replace(source_at(source, end, 1) == " " ? ":" : ": ");
    case DiagnosticCode::StatedType: return stated_type_edit(end, type_text(d.a, source), source);
    case DiagnosticCode::PatternMismatch:
      if (d.b == 0) return std::nullopt;
      return enumerate_edit(begin, end, source);
    case DiagnosticCode::LambdaPlace:
      if (is_fold_word(at)) return fold_edit(begin, end, source);
      if (at == "max" || at == "min") return keyed_edit(begin, end, source);
      return chain_edit(begin, end, source);
    case DiagnosticCode::LeavesLambda: return value_of_return(begin, end, source);
    case DiagnosticCode::StepOfRange: return step_edit(begin, end, source);
    case DiagnosticCode::StepsOfElements:  // `xs[::-1]`
      if (at != "::-1") return std::nullopt;
      return Edit{begin - 1, end + 1, ".reverse()"};
    case DiagnosticCode::EmptyChoice:
      if (d.b <= d.a) return std::nullopt;
      return choice_of_braces(d.a, d.b, source);
    case DiagnosticCode::ListSum: return list_sum_edit(d, source);
    case DiagnosticCode::ChainLength:
      if (d.a != 0 && at != "(") return collect_edit(begin, end, d.a, source);
      if (d.a != 0) return list_edit(begin, d.a, source);
      return count_edit(begin, source);
    case DiagnosticCode::ConstType: {
      const std::string_view type = type_of_literal(source, end);
      if (type.empty()) return std::nullopt;
      return Edit{end, end, ": " + std::string(type)};
    }
    case DiagnosticCode::MethodArguments: {
      const std::string sum = sum_of_map(at);
      return replace_unless_empty(sum.empty() ? count_of_filter(at) : sum);
    }
    case DiagnosticCode::IfLetPattern: return match_of_if_let(begin, source);
    case DiagnosticCode::WhileLetPattern: return match_of_while_let(begin, source);
    case DiagnosticCode::LetElse: return match_of_let_else(begin, source);
    case DiagnosticCode::SortParameters:
      if (at == "sorted") return keyed_edit(begin, end, source);
      if (const std::string name = falling_name(at); !name.empty()) {
        constexpr std::string_view kSort = "sort_by(";
        if (!source.substr(0, begin).ends_with(kSort) || source_at(source, end, 1) != ")")
          return std::nullopt;
        return Edit{begin - static_cast<u32>(kSort.size()), end + 1,
                    std::string(kSort) + name + " => " + name + ").reverse()"};
      }
      return replace_unless_empty(key_of_comparison(at));
    case DiagnosticCode::RepeatedArray: return replace_unless_empty(repeated_array(at));
    case DiagnosticCode::GridSteps: return replace_unless_empty(float_grid(at));
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
      if (begin > 0 && source[begin - 1] == '.' && at == "count") return replace("len()");
      if (begin == 0 || source[begin - 1] != '.' || !takes_receiver_alone(at)) return std::nullopt;
      return Edit{end, end, "()"};
    case DiagnosticCode::UnknownModule:
      if (!is_standard_module(at)) return std::nullopt;
      return Edit{begin, begin, "std."};
    case DiagnosticCode::AssertMessage:
      if (d.b <= end) return std::nullopt;
      return Edit{behind_previous(source, begin), d.b, ""};
    case DiagnosticCode::LetMut:  // `mut` of a parameter
      if (at == "mut") return Edit{begin, behind_gap(source, end), ""};
      return replace("var");
    case DiagnosticCode::ForHead: return for_head_edit(begin, source);
    case DiagnosticCode::ClosureBars: return lambda_edit(begin, source);
    case DiagnosticCode::IdleMethod: return leave_out_call(begin, end, source);
    case DiagnosticCode::ForeignMatch: {
      if (std::optional<Edit> match = match_of_when(begin, source)) return match;
      if (at == "case") return match_of_case(begin, source);
      if (!stands_before_word(source, end)) return std::nullopt;
      return replace("match");
    }
    case DiagnosticCode::RecordLiteral: {
      if (d.a <= end) return std::nullopt;
      const std::string record = record_text(between(source, begin, d.a));
      if (record.empty()) return std::nullopt;
      return Edit{begin, d.a, record};
    }
    case DiagnosticCode::TypeWithBody:
      return replace_unless_empty(record_of_braces(begin, at, source));
    case DiagnosticCode::UseForm: {
      const std::string uses = uses_of(at);
      return replace_unless_empty(uses.empty() ? use_of_name(at) : uses);
    }
    case DiagnosticCode::FunctionWithoutUse:
      return function_use_edit(at, type_text(d.a, source), source);
    case DiagnosticCode::GridComma: return grid_edit(d.a, begin, d.b, source);
    case DiagnosticCode::SpreadElements:  // of a list alone
      if (d.b == 0) return std::nullopt;
      return Edit{d.a, d.b, std::string(word_at(source, end))};
    case DiagnosticCode::InfixFunction: return call_of_infix(begin, end, source);
    case DiagnosticCode::MisspeltKeyword:
      return replace(std::string(token_row(static_cast<Token>(d.a)).spelling));
    case DiagnosticCode::HarnessName: return use_edit(source_at(source, d.a, d.b), source);
    case DiagnosticCode::ModuleWithoutUse: return module_use_edit(at, source);
    case DiagnosticCode::ListCapacity: return capacity_edit(d, source);
    case DiagnosticCode::IncrementOperator:
      // `++k`, `k++ + 1`
      if (!stands_behind_operand(source, begin) || !is_whole_step(begin, end, source))
        return std::nullopt;
      return replace(at == "++" ? " += 1" : " -= 1");
    case DiagnosticCode::ReturnWithoutValue:
      if (d.b == kNoEdit) return std::nullopt;
      return replace("return ()");
    case DiagnosticCode::MissingResultType:  // `fn f(n: i64): i64 { … }`
      if (at != ":") return std::nullopt;
      return replace(" ->");
    case DiagnosticCode::BadCharLiteral:
      if (d.b == kNoEdit) return std::nullopt;
      if (at.size() == 2 && is_word(at[1])) return replace(at + "'");  // `'a`
      return replace_unless_empty(string_of_quoted(at));
    case DiagnosticCode::StringPrefix: return replace_unless_empty(string_without_prefix(at));
    case DiagnosticCode::FloatPoint: return replace(at[0] == '.' ? "0" + at : at + "0");
    case DiagnosticCode::GroupedDigits: {
      std::string digits = at;
      std::ranges::replace(digits, ',', '_');
      return replace(digits);
    }
    case DiagnosticCode::NotATuple:
      return replace_unless_empty(value_of_property(at, begin, source));
    case DiagnosticCode::MacroCall: return match_of_macro(begin, source);
    case DiagnosticCode::TypeBrackets: {
      if (at.starts_with('[') && at != "[") return replace_unless_empty(type_behind_brackets(at));
      if (source_at(source, begin, 2) != "[]") return std::nullopt;
      u32 first = begin;
      while (first > 0 && is_word(source[first - 1])) --first;
      return Edit{first, begin + 2, "[" + std::string(between(source, first, begin)) + "]"};
    }
    case DiagnosticCode::SlicePart:
      if (at == "take" || at == "drop" || at == "skip") return part_edit(begin, end, source);
      return replace_unless_empty(slice_of(at, source_at(source, d.a, d.b)));
    case DiagnosticCode::Comprehension:
      if (d.b == kNoEdit) return std::nullopt;
      return replace_unless_empty(chain_of_comprehension(at, d.a == 1));
    case DiagnosticCode::InTest: {
      const std::string_view sign = source.substr(d.a, source.find("in", d.a) + 2 - d.a);
      const bool is_not = sign != "in";
      const std::string_view element = trimmed(between(source, begin, d.a)),
                             list =
                                 trimmed(between(source, d.a + static_cast<u32>(sign.size()), end));
      const bool is_string =
          list.size() > 1 && list[0] == '"' && list.find('"', 1) + 1 == list.size();
      const bool is_list = is_string || (is_postfix(list) && !is_digit(list[0]));
      if (d.b == kNoEdit || !is_postfix(element) || !is_list) return std::nullopt;
      return replace((is_not ? "!" : "") + std::string(list) + ".contains(" + std::string(element) +
                     ")");
    }
    case DiagnosticCode::FieldColon:
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{behind_previous(source, begin), end, ":"};
    case DiagnosticCode::TupleNames:  // the name of the type before the parentheses
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{begin, begin, std::string(word_at(source, d.a))};
    case DiagnosticCode::PatternType: return Edit{behind_previous(source, begin), end, ""};
    case DiagnosticCode::MissingSemicolon: return Edit{d.a, d.a + d.b, ";"};
    case DiagnosticCode::ForeignLambda:
      if (at == "->") return replace("=>");
      if (at == "function" || at == "fn") return lambda_of_function(begin, source);
      if (const std::string head = head_of_lambda(at); !head.empty()) return replace(head);
      if (at.starts_with('{')) return lambda_edit_of_block(begin, end, source);
      return replace_unless_empty(lambda_of_block(at));
    case DiagnosticCode::UnknownName: {
      if (d.a == kNoneMeant) return replace("None");
      const AliasRow* const row = find_value_alias(at);
      if (row != nullptr && row->kind == AliasKind::Prefix) return prefix_edit(begin, end, source);
      return alias_edit(row, begin, end, source);
    }
    case DiagnosticCode::UnknownType:
      if (d.a >= end) {  // behind the parameter's type
        const std::string slice = slice_type(between(source, begin, d.a));
        return slice.empty() ? std::nullopt : std::optional<Edit>({begin, d.a, slice});
      }
      return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::TypeInAngles: return replace_unless_empty(bracketed_type(at));
    case DiagnosticCode::Unexpected:
      if (at != "," || d.b <= d.a) return std::nullopt;
      if (source[d.a] == '[') return indices_edit(d.a, d.b, source);
      return Edit{d.a, d.b, tuple_of_list(between(source, d.a, d.b))};
    case DiagnosticCode::SecondBinding:  // the comma before the next one
      if (d.a == 0) return std::nullopt;
      return Edit{d.a, d.a + 1, "; " + at};
    case DiagnosticCode::ArmWithoutArrow:  // the guard below
      if (at == "->") return replace("=>");
      if (d.a == 0) return joined_patterns(begin, source);
      if (d.a == 0 || !trimmed(between(source, d.b, d.a)).empty()) return std::nullopt;
      return Edit{d.b, d.a, " "};
    case DiagnosticCode::ArmComma:  // at the end of the line before
      if (d.b == 0) return std::nullopt;
      return Edit{d.b, d.b, ","};
    case DiagnosticCode::ChainedOperator:
      if (at != "=") return std::nullopt;
      return assignments_edit(begin, source);
    case DiagnosticCode::ArgumentType: return float_argument_edit(d, source);
    case DiagnosticCode::BadCharacter: return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::WordOperator:
      if (d.b == kNoEdit) return std::nullopt;
      if (at == "new" && source_at(source, end, 1) == " ") {
        if (std::optional<Edit> array = array_edit(end + 1, end + 6, source))
          return Edit{begin, array->end, array->text};
        if (word_at(source, end + 1) == "Array") return std::nullopt;
        return Edit{begin, end + 1, ""};
      }
      if (at == "struct" || at == "enum") return type_item_edit(begin, source);
      if (at == "import" || at == "#include") return idle_import_edit(begin, source);
      if (at == "vec!") return replace("");
      if (at == "repeat" && source_at(source, behind_gap(source, end), 1) == "{")
        return while_of_do(begin, source);
      if (at == "repeat") return repeat_edit(begin, end, source);
      if (at == "when" && source_at(source, behind_gap(source, end), 1) == "{")
        return match_of_when(begin, source);
      if (at == "downTo") return until_edit(begin, end, source);
      if (at == "??" || at == "?:") return or_edit(begin, end, source);
      if (at == "guard") return if_of_guard(begin, source);
      if (at == "do") return while_of_do(begin, source);
      if (at == "then") return choice_of_then(begin, source);
      if (at == "...") return spread_edit(begin, end, source);
      return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::ForeignFunction: {
      if (at == "=") return block_of_value(begin, source);
      if (d.b == kNoEdit) return function_edit(begin, source);
      const std::optional<Edit> block = put_into_braces(source, d.a);
      if (!block) return replace("fn");
      return Edit{begin, block->end, "fn" + std::string(between(source, end, d.a)) + block->text};
    }
    case DiagnosticCode::ColonBlock: return put_into_braces(source, d.begin);
    case DiagnosticCode::ProseLine:
      if (d.a == kNoEdit) return std::nullopt;
      return replace("");
    case DiagnosticCode::UnknownFunction:
      if (d.a == kNoEdit || d.a == kTextGiven) return std::nullopt;
      if (at == "Array.from") return array_from_edit(begin, end, source);
      if (at == "powi") return power_edit(begin, end, source);
      if (is_fold_word(at)) return fold_edit(begin, end, source);
      if (at == "sort" || at == "sort_unstable") return sort_edit(begin, end, source);
      if (std::optional<Edit> array = array_edit(begin, end, source)) return array;
      if (source_at(source, behind_gap(source, end), 1) != "(" && (at == "minOf" || at == "maxOf"))
        return element_by_edit(begin, end, source);
      if (gives_element_by(at)) return element_by_edit(begin, end, source);
      if (d.a != 0 && makes_text(at)) return text_edit(d.a - 1, begin, end, source);
      if (goes_over_each(at)) return for_of_each(begin, end, source);
      if (d.a != 0) return operator_edit(d.a - 1, begin, end, source);
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
    case DiagnosticCode::ConstantItem: return replace("const");
    case DiagnosticCode::LocalConstant: return replace("let");
    case DiagnosticCode::AssignedCondition: return replace(at == "/=" ? "!=" : "==");
    case DiagnosticCode::MissingBraces: return replace("{ " + at + " }");
    case DiagnosticCode::ForeignChoice:
      if (d.b == 0) return std::nullopt;
      return replace(choice_text(at, d.a - begin, d.b - begin));
    case DiagnosticCode::TypeBeforeName:
      if (d.a == kWithoutColon) return replace_unless_empty(parameters_with_colons(at));
      if (d.b == kNoEdit) return std::nullopt;
      return replace((d.a == kOfParameter ? "" : "var ") + declaration(at));
    case DiagnosticCode::RangeCall:
      if (at == "until") return until_edit(begin, end, source);
      if (d.b == kNoEdit) return std::nullopt;
      return replace_unless_empty(range_text(at));
    case DiagnosticCode::LetWithoutValue: {
      const std::string_view value = first_value(source_at(source, d.a, d.b));
      if (value.empty()) return std::nullopt;
      return Edit{d.a + d.b, d.a + d.b, " = " + std::string(value)};
    }
    case DiagnosticCode::CaretPower:  // the literal behind it becomes a float
      if (d.a == 0) return replace("**");
      return Edit{begin, d.a, "**" + std::string(between(source, end, d.a)) + ".0"};
    case DiagnosticCode::AsConversion: {
      // Of a type with fewer bits, which takes away the others, there is none here.
      const auto is_narrower = [](std::string_view type) {
        return type == "i8" || type == "i16" || type == "u16";
      };
      if (at.starts_with("static_cast<"))
        return Edit{begin, d.b, type_of_cast(at) + std::string(between(source, end, d.b))};
      if (d.b != 0 && is_narrower(trimmed(between(source, begin + 1, end - 1))))
        return std::nullopt;
      if (d.b != 0)  // `(f64)n`: the operand's end
        return Edit{begin, d.b,
                    komuz_type(trimmed(between(source, begin + 1, end - 1))) +
                        in_parentheses(trimmed(between(source, end, d.b)))};
      if (d.a == 0) return std::nullopt;
      u32 type = end;
      while (type < source.size() && source[type] == ' ') ++type;
      u32 stop = type;
      while (stop < source.size() && is_word(source[stop])) ++stop;
      const u32 first = d.a - 1, last = behind_previous(source, begin);
      const std::string operand(source_at(source, first, last - first));
      if (stop == type || is_narrower(between(source, type, stop))) return std::nullopt;
      return Edit{first, stop, komuz_type(between(source, type, stop)) + in_parentheses(operand)};
    }
    case DiagnosticCode::PrefixAfterTighter:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, d.b, "(" + std::string(source_at(source, begin, d.b - begin)) + ")"};
    case DiagnosticCode::ChainedComparison:
      if (d.b == 0 && d.a > end) return Edit{behind_previous(source, begin), d.a, ""};
      if (d.b == 0 || !chains(begin, end, d.a, d.b, source)) return std::nullopt;
      return Edit{begin, begin, "&& " + std::string(source_at(source, d.a, d.b)) + " "};
    case DiagnosticCode::NotVariable:
      if (d.b != 0) return Edit{d.b, d.b, " var " + at + " = " + at + ";"};
      if (d.a == 0) return std::nullopt;
      return Edit{d.a - 1, d.a + 2, "var"};
    case DiagnosticCode::NumberSuffix: {
      if (!number_before_suffix(at).empty()) return replace(number_without_suffix(at));
      size_t k = 0;
      while (k < at.size() && at[k] != 'i' && at[k] != 'u' && at[k] != 'f') ++k;
      return replace(at.substr(k) + "(" + at.substr(0, k) + ")");
    }
    case DiagnosticCode::NegatedUnsigned:
      if (!stands_alone(begin, end, source)) return std::nullopt;
      return replace("0 -% ");
    case DiagnosticCode::UselessRec: {
      // From behind `-> T` to the bound: found in the text behind the name.
      const size_t body = find_outside_comments(source, "{", end),
                   rec = find_outside_comments(source, " rec ", end);
      if (rec == std::string_view::npos || rec > body) return std::nullopt;
      size_t stop = rec + 5;
      while (stop < source.size() && is_word(source[stop])) ++stop;
      return Edit{static_cast<u32>(rec), static_cast<u32>(stop), ""};
    }
    case DiagnosticCode::LargestBound:
      if (!are_digits(at)) return constant_bound_edit(at, d.a, source);
      return replace(std::to_string(d.a));
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
