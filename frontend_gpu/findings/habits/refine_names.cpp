// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_names.h"

#include <utility>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_lambdas.h"
#include "frontend_gpu/findings/habits/refine_literals.h"
#include "frontend_gpu/findings/habits/refine_methods.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/diagnostic_types.h"
#include "mend/aliases.h"
#include "mend/builtin_words.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_formulas.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"
#include "mend/type_edits.h"

namespace komuz::frontend {

namespace {

// True for the function that is called in `for i in f(…)`.
bool is_ran_over(const Columns& c, Index name) {
  const Index call = parent_of(c, name);
  if (call == kNone || node_kind(c, call) != Node::Call || c.left[call] != name) return false;
  const Index in = parent_of(c, call);
  return in != kNone && node_kind(c, in) == Node::In && c.right[in] == call;
}
// `for i in range(n)`
void refine_range(const Columns& c, Index node, Diagnostic& row) {
  if (text_of(c, c.token[c.left[node]]) != "range") return;
  become(row, DiagnosticCode::RangeCall, 0, 0);
  const Span all = subtree_span(c, node);
  span(row, all.begin, all.end);
}
bool names_pow(const Columns& c, Index callee) {
  if (callee == kNone) return false;
  const Index name = node_kind(c, callee) == Node::Dot ? c.right[callee] : callee;
  return name != kNone && text_of(c, c.token[name]) == "pow";
}
// True if the module has a function of that name, or if the name is at least not built in. False for
// `bits.popcount`, which is built in.
bool is_meant_as_module(std::string_view module, std::string_view function) {
  return is_standard_module(module) &&
         (is_standard_function(module, function) || !is_builtin_word(function));
}
// True for `xs.iter()` and other methods that do nothing here: their receiver alone stands for the same.
bool is_idle_method(const Columns& c, Index t) {
  if (text_of(c, i64{t} - 1) != ".") return false;
  return is_among(text_of(c, t),
                  {"iter", "into_iter", "iter_mut", "copied", "cloned", "clone", "to_vec",
                   "to_owned", "as_slice", "chars", "bytes", "as_bytes", "as_str"});
}
// The call `f(x)` or `x.f()` of the name with this one argument; kNone: it is something else.
Index call_of_one(const Columns& c, Index name) {
  const Index above = parent_of(c, name);
  const bool is_method = above != kNone && node_kind(c, above) == Node::Dot;
  const Index call = is_method ? parent_of(c, above) : above;
  const bool is_it = call != kNone && node_kind(c, call) == Node::Call &&
                     call_name(c, call) == name && count_arguments(c, call) == 1;
  return is_it ? call : kNone;
}
// True for `sorted(xs)` of an array or list, which keeps its number of elements.
bool sorts_list(const Columns& c, Index name, u32 argument) {
  if (call_of_one(c, name) == kNone) return false;
  const std::string type = type_text(argument, source_of(c));
  return is_list_type(type) && (!type.starts_with('[') || type.find(';') != std::string::npos);
}
// True for an array, a list or a slice.
bool holds_elements(const Columns& c, u32 argument) {
  return is_list_type(type_text(argument, source_of(c)));
}
// True for `int(s)`, `s.toInt()`.
bool gets_elements(const Columns& c, Index name, u32 argument) {
  return call_of_one(c, name) != kNone && holds_elements(c, argument);
}
// True for `float(n / m)` and `int(n / m * 100)` of integers. In Python, where these words come from, the quotient
// is no integer. Not true for `int(n / m)`, whose result is one.
bool divides_integers(const Columns& c, Index name, u32 argument) {
  const Index call = parent_of(c, name);
  if (call == kNone || node_kind(c, call) != Node::Call || count_arguments(c, call) != 1)
    return false;
  const bool is_whole = node_kind(c, last_argument(c, call)) == Node::Div;
  if (is_whole && text_of(c, c.token[name]) == "int") return false;
  if (is_float_brief(argument) || argument == kFloatLiteralBrief) return false;
  for (Index i = c.begin[call]; i < c.end[call]; ++i)
    if (node_kind(c, i) == Node::Div) return true;
  return false;
}
// `n.to_string()`, `str(n)` of an `i64`: keeps where the number starts.
bool refine_number_text(const Columns& c, Index name, u32 argument, Diagnostic& row) {
  const AliasRow* const alias = find_function_alias(text_of(c, c.token[name]));
  if (alias == nullptr || alias->edit != AliasEdit::NumberText) return false;
  const Index call = call_of_one(c, name);
  if (call == kNone) return false;
  const Index number = last_argument(c, call);
  if (argument != brief_of(Scalar::I64)) return false;
  become(row, DiagnosticCode::UnknownFunction, subtree_span(c, number).begin + 1, 0);
  return true;
}
// `xs.skip(1)` of an array, a list or a slice with a name: with a number it is a view. (`take` is in the library.)
bool refine_part(const Columns& c, Index name, u32 argument, Diagnostic& row) {
  const std::string_view word = text_of(c, c.token[name]);
  const Index dot = parent_of(c, name);
  if (word != "skip" || dot == kNone || node_kind(c, dot) != Node::Dot || c.left[dot] == kNone ||
      node_kind(c, c.left[dot]) != Node::Name || !holds_elements(c, argument) ||
      !part_edit(c.token_start[c.token[name]], end_of(c, c.token[name]), source_of(c)))
    return false;
  become(row, DiagnosticCode::SlicePart, 0, 0);
  return true;
}
bool is_number_type(u32 type) {
  return is_float_brief(type) || is_integer_brief(type) || type == kIntegerLiteralBrief ||
         type == kFloatLiteralBrief;
}
bool is_number_id(TypeId type) { return is_scalar(type) && as_scalar(type) != Scalar::Bool; }
// True for `add(add(x, y), z)` if the first argument starts with a number, through calls that are operators.
bool starts_with_number(const Columns& c, Index name) {
  Index call = parent_of(c, name);
  for (u32 depth = 0; depth < kLongestLook; ++depth) {
    if (call == kNone || node_kind(c, call) != Node::Call || count_arguments(c, call) == 0)
      return false;
    const Index argument = inside_parentheses(c, first_argument(c, call));
    if (node_kind(c, argument) != Node::Call) return is_number_id(settled(c.type[argument]));
    const Index callee = call_name(c, argument);
    const std::string_view word =
        callee == kNone ? std::string_view() : text_of(c, c.token[callee]);
    const AliasRow* const alias = find_function_alias(word);
    const bool is_formula = alias != nullptr && is_formula_edit(alias->edit);
    if (formula_of_function(word).empty() && !is_formula)
      return is_number_id(settled(c.type[argument]));
    call = argument;
  }
  return false;
}
// True for a word that is called without a dot, names an operator, and has no other advice.
bool is_operator_name(const Columns& c, Index dot, const AliasRow* alias, std::string_view word) {
  return (dot == kNone || node_kind(c, dot) != Node::Dot) && !formula_of_call(word, alias).empty();
}
// `argument`: the type of the call's first argument, packed.
void refine_function(const Columns& c, Index node, u32 argument, Diagnostic& row) {
  const Index t = c.token[node];
  if (row.code() == DiagnosticCode::UnknownFunction &&
      (refine_number_text(c, node, argument, row) || refine_part(c, node, argument, row)))
    return;
  if (row.code() != DiagnosticCode::UnknownFunction || refine_number_method(c, node, row) ||
      refine_method(c, node, row))
    return;
  if (is_idle_method(c, t)) return become(row, DiagnosticCode::IdleMethod);
  if (refine_float_word(c, t, row)) return;
  const std::string_view word = text_of(c, t);
  const AliasRow* const alias = find_function_alias(word);
  const bool is_method = alias != nullptr && alias->kind == AliasKind::Method;
  if (refine_keyed(c, t + 1, row)) return;
  if (word == "sorted" && sorts_list(c, node, argument))
    return become(row, DiagnosticCode::SortParameters, 0, 0);
  // `a.add(n)` where `a` is in error: the value itself is not known.
  const Index dot = parent_of(c, node);
  const bool is_of_error =
      dot != kNone && node_kind(c, dot) == Node::Dot && c.right[dot] == node && argument == 0;
  if (is_method && is_of_error) {
    row.a = kNoEdit;
    return;
  }
  // `add(x, y)` of numbers is their sum. With values that are not known it may be anything.
  if (is_operator_name(c, dot, alias, word)) {
    if (is_number_type(argument) || (argument == 0 && starts_with_number(c, node))) return;
    if (argument == 0) {
      row.a = kNoEdit;
      return;
    }
  }
  if ((is_method || alias == nullptr) && !standard_modules_with(word).empty())
    return become(row, DiagnosticCode::FunctionWithoutUse, argument, 0);
  if (alias != nullptr && is_scalar_name(alias->right) && gets_elements(c, node, argument)) {
    row.a = kTextGiven;
    return;
  }
  const bool is_quotient =
      ((word == "float" || word == "int") && divides_integers(c, node, argument)) ||
      (alias != nullptr && alias->edit == AliasEdit::FloatFormula && is_integer_brief(argument) &&
       argument != kIntegerLiteralBrief);
  const bool has_integers = alias != nullptr && alias->edit == AliasEdit::Formula &&
                            alias->advice.find(kOfIntegers) != std::string_view::npos;
  if (has_integers && is_integer_brief(argument) && argument != kIntegerLiteralBrief)
    row.a = kIntegerGiven;
  // The first argument is no array and no list.
  if (is_method || is_quotient) row.a = kNoEdit;
}
// `i64(color)` of a sum. Keeps where the sum's type item stands.
void refine_conversion(const Columns& c, Index node, Diagnostic& row) {
  const Index callee = c.left[node];
  if (callee == kNone) return;
  bool converts = false;
  for (u8 s = 1; s < kScalarCount; ++s)
    converts |= scalar_name(static_cast<Scalar>(s)) == text_of(c, c.token[callee]);
  const Index first = converts ? first_of_sum(c, row.a) : kNone;
  if (first == kNone) return;
  become(row, DiagnosticCode::SumConversion, row.a, c.token_start[first]);
}
// A word that is called: one of another language, or `pow` of integers.
void refine_word(const Columns& c, Index t, Diagnostic& row) {
  const AliasRow* const alias = find_alias(text_of(c, t));
  if (alias == nullptr) return;
  if (alias->kind == AliasKind::Type || alias->kind == AliasKind::Function ||
      alias->kind == AliasKind::Method || alias->kind == AliasKind::Prefix)
    return;
  // `n.shl(2)`
  const bool is_method = text_of(c, i64{t} - 1) == ".";
  if (is_method && !operator_of_method(text_of(c, t)).empty()) return;
  // `function(x) { … }`
  if (alias->right == "fn") return become(row, DiagnosticCode::ForeignLambda, 0, 0);
  // `mod(a, b)`: the operands stand on either side of an operator.
  const bool called =
      row.code() == DiagnosticCode::UnknownFunction && alias->kind == AliasKind::Operator;
  become(row, DiagnosticCode::WordOperator, 0, called ? kNoEdit : 0);
}

}  // namespace

bool refine_module(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view word = text_of(c, t), behind = text_of(c, i64{t} + 2);
  if (text_of(c, i64{t} + 1) != "." || text_of(c, i64{t} - 1) == "use") return false;
  if (word == "std" && is_standard_module(behind)) {
    become(row, DiagnosticCode::PrefixedModule);
    move_to(c, row, t, t + 1);
    return true;
  }
  if (!is_standard_function(word, behind) && row.code() != DiagnosticCode::UnknownModule)
    return false;
  if (!is_standard_module(word)) return false;
  become(row, DiagnosticCode::ModuleWithoutUse);
  return true;
}

void refine_callee(const Columns& c, Index node, Diagnostic& row) {
  const bool is_unknown = row.code() == DiagnosticCode::UnknownFunction;
  const u32 argument = is_unknown ? std::exchange(row.b, 0) : 0;
  if (is_ran_over(c, node)) refine_range(c, parent_of(c, node), row);
  refine_word(c, c.token[node], row);
  refine_function(c, node, argument, row);
}

void refine_function_value(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  if (refine_assigned(c, node, row)) return;  // `count = 0`
  if (token_at(c, i64{t} + 1) != Token::Dot) return;
  // `list.sorted(xs)`: some modules have the name of a function.
  if (is_meant_as_module(text_of(c, t), text_of(c, i64{t} + 2)))
    return become(row, DiagnosticCode::ModuleWithoutUse);
  become(row, DiagnosticCode::PathOperator);
  move_to(c, row, t, t + 1);
}

void refine_argument_type(const Columns& c, Index node, Diagnostic& row) {
  if (node_kind(c, node) != Node::Call) return;
  if (row.a == brief_of(Scalar::I64) && names_pow(c, c.left[node]))
    return become(row, DiagnosticCode::IntegerPower);
  if (refine_option_method(c, node, row)) return;
  // `max(3)`: `max` takes two numbers.
  const bool is_one = c.left[node] != kNone && count_arguments(c, node) == 1 &&
                      is_number_type(row.a) &&
                      is_among(text_of(c, c.token[call_name(c, node)]), {"max", "min"});
  if (is_one) return become(row, DiagnosticCode::ArgumentCount, 2, 1);
  refine_conversion(c, node, row);
  refine_float_call(c, node, row);
}

}  // namespace komuz::frontend
