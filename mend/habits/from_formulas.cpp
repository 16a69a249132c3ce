// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_formulas.h"

#include <vector>

#include "mend/habits/from_forms.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

constexpr std::string_view kParameters = "xyz";

// A call of a function with a given name, as a function or behind a dot.
struct CallText {
  u32 begin = 0, end = 0;
  std::vector<std::string_view> arguments;
};
std::optional<CallText> call_at(u32 begin, u32 end, std::string_view source) {
  const size_t close = source_at(source, end, 1) == "(" ? closing_bracket_of_lines(source, end)
                                                        : std::string_view::npos;
  if (close == std::string_view::npos) return std::nullopt;
  CallText call{begin, static_cast<u32>(close) + 1, {}};
  const std::string_view inside = trimmed(between(source, end + 1, call.end - 1));
  if (!inside.empty()) call.arguments = parts_of(inside);
  if (!inside.empty() && call.arguments.empty()) return std::nullopt;
  if (begin > 0 && source[begin - 1] == '.') {
    call.begin = operand_start(source, begin - 1);
    call.arguments.insert(call.arguments.begin(), between(source, call.begin, begin - 1));
  }
  return call;
}
bool is_plain(std::string_view argument) {
  return is_postfix(argument) ||
         (argument.starts_with('(') && closing_bracket(argument, 0) + 1 == argument.size());
}
// True if a formula's parameter stands alone in its surroundings: `f(x, …)`, `if x { y } else { z }`, or the whole
// formula.
bool stands_apart(std::string_view formula, size_t at) {
  const std::string_view before = trimmed_end(formula.substr(0, at)),
                         behind = trimmed(formula.substr(at + 1));
  const bool starts = before.empty() || before.ends_with('(') || before.ends_with(',') ||
                      before.ends_with('{') || before.ends_with("if");
  const bool ends =
      behind.empty() || std::string_view("),{}").find(behind[0]) != std::string_view::npos;
  return starts && ends;
}
// Puts a value made by an operator or a choice in place of the call: in parentheses, unless it stands alone.
std::optional<Edit> put(const CallText& call, std::string text, std::string_view source) {
  const bool is_free = stands_in_brackets(call.begin, call.end, source);
  return Edit{call.begin, call.end, is_free ? std::move(text) : "(" + text + ")"};
}

std::string operand(std::string_view text) {
  return is_plain(text) ? std::string(text) : "(" + std::string(text) + ")";
}
// The arguments, if the text is `f(a, b)`; else none.
std::vector<std::string_view> two_arguments(std::string_view call, std::string_view head) {
  if (!call.starts_with(head) || closing_bracket(call, head.size() - 1) + 1 != call.size())
    return {};
  std::vector<std::string_view> arguments =
      parts_of(call.substr(head.size(), call.size() - head.size() - 1));
  if (arguments.size() != 2) arguments.clear();
  return arguments;
}

size_t count_parameters(std::string_view formula) {
  size_t count = 0;
  for (size_t k = 0; k < kParameters.size(); ++k)
    if (has_word(formula, kParameters.substr(k, 1))) count = k + 1;
  return count;
}
// The first formula of an advice with so many parameters; empty if there is none.
std::string_view formula_of(std::string_view advice, size_t parameters) {
  for (size_t mark = advice.find('`'); mark != std::string_view::npos;) {
    const size_t end = advice.find('`', mark + 1);
    if (end == std::string_view::npos) break;
    const std::string_view formula = advice.substr(mark + 1, end - mark - 1);
    if (count_parameters(formula) == parameters) return formula;
    mark = advice.find('`', end + 1);
  }
  return "";
}

}  // namespace

std::optional<Edit> formula_edit(u32 begin, u32 end, std::string_view advice,
                                 std::string_view source) {
  const std::optional<CallText> call = call_at(begin, end, source);
  if (!call) return std::nullopt;
  const size_t wanted = call->arguments.size();
  const std::string_view formula = formula_of(advice, wanted);
  if (formula.empty()) return std::nullopt;
  std::string text;
  for (size_t at = 0; at < formula.size(); ++at) {
    const std::string_view word = word_at(formula, static_cast<u32>(at));
    const size_t k = word.size() == 1 ? kParameters.find(word) : std::string_view::npos;
    if (k == std::string_view::npos) {
      text += word.empty() ? formula.substr(at, 1) : word;
      at += word.empty() ? 0 : word.size() - 1;
      continue;
    }
    const std::string argument(call->arguments[k]);
    text += is_plain(argument) || stands_apart(formula, at) ? argument : "(" + argument + ")";
  }
  const size_t open = formula.find('(');
  const bool is_call = open != std::string_view::npos && is_name(formula.substr(0, open)) &&
                       closing_bracket(formula, open) + 1 == formula.size();
  if (is_call) return Edit{call->begin, call->end, text};
  if (wanted == 1 && formula == "x") return Edit{call->begin, call->end, "(" + text + ")"};
  return put(*call, std::move(text), source);
}

std::optional<Edit> joined_edit(u32 begin, u32 end, std::string_view advice,
                                std::string_view source) {
  const std::optional<CallText> call = call_at(begin, end, source);
  const std::string_view formula = formula_of(advice, 2);
  if (!call || call->arguments.size() <= 2 || formula.size() < 3) return std::nullopt;
  const std::string sign(formula.substr(1, formula.size() - 2));  // ` + ` of `x + y`
  std::string text;
  for (const std::string_view argument : call->arguments)
    text += (text.empty() ? "" : sign) + operand(argument);
  return put(*call, std::move(text), source);
}

std::string formula_of_call(std::string_view name, const AliasRow* row) {
  return row == nullptr || row->kind == AliasKind::Method ? formula_of_function(name) : "";
}

std::string formula_of_function(std::string_view name) {
  if (name == "shl" || name == "shr") return "";  // may be the program's own names
  const std::string_view sign = operator_of_method(name);
  return sign.empty() ? "" : "`x " + std::string(sign) + " y`";
}

std::optional<Edit> rational_edit(u32 begin, u32 end, std::string_view source) {
  const std::optional<CallText> call = call_at(begin, end, source);
  if (!call || call->arguments.size() != 2) return std::nullopt;
  std::string text;
  for (const std::string_view argument : call->arguments) {
    const bool is_integer = are_digits(argument.substr(argument.starts_with('-') ? 1 : 0));
    if (!is_integer) return std::nullopt;
    text += (text.empty() ? "" : " / ") + std::string(argument) + ".0";
  }
  return put(*call, std::move(text), source);
}

std::optional<Edit> piecewise_edit(u32 begin, u32 end, std::string_view source) {
  const std::optional<CallText> call = call_at(begin, end, source);
  if (!call || call->arguments.empty()) return std::nullopt;
  std::string text;
  bool has_rest = false;
  for (const std::string_view piece : call->arguments) {
    if (!piece.starts_with('(') || closing_bracket(piece, 0) + 1 != piece.size() || has_rest)
      return std::nullopt;
    const std::vector<std::string_view> parts = parts_of(piece.substr(1, piece.size() - 2));
    if (parts.size() != 2) return std::nullopt;
    has_rest = parts[1] == "True" || parts[1] == "true";
    text += text.empty() ? "" : " else ";
    text += has_rest ? "" : "if " + std::string(parts[1]) + " ";
    text += "{ " + std::string(parts[0]) + " }";
  }
  if (!text.starts_with("if")) return std::nullopt;
  return put(*call, has_rest ? text : text + " else { NAN }", source);
}

std::string log_to_base(std::string_view call) {
  const std::vector<std::string_view> arguments = two_arguments(call, "log(");
  if (arguments.empty()) return "";
  const std::string x(arguments[0]), base(arguments[1]);
  if (base == "2" || base == "2.0") return "log2(" + x + ")";
  if (base == "10" || base == "10.0") return "log10(" + x + ")";
  return "(log(" + x + ") / log(" + base + "))";
}

std::string float_mod_floor(std::string_view call) {
  const std::vector<std::string_view> arguments = two_arguments(call, "mod_floor(");
  if (arguments.empty()) return "";
  const std::string x = operand(arguments[0]), y = operand(arguments[1]);
  return "(" + x + " - floor(" + x + " / " + y + ") * " + y + ")";
}

std::string float_div_floor(std::string_view call) {
  const std::vector<std::string_view> arguments = two_arguments(call, "div_floor(");
  if (arguments.empty()) return "";
  return "floor(" + operand(arguments[0]) + " / " + operand(arguments[1]) + ")";
}

std::string integer_remainder(std::string_view call) {
  const std::vector<std::string_view> arguments = two_arguments(call, "fmod(");
  return arguments.empty() ? "" : "(" + operand(arguments[0]) + " % " + operand(arguments[1]) + ")";
}

}  // namespace komuz
