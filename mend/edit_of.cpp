// SPDX-License-Identifier: Apache-2.0
// The edits for diagnostics, which `check --json` prints and editors apply.
#include <algorithm>

#include "lang/diagnostic_types.h"
#include "lang/tokens.h"
#include "mend/aliases.h"
#include "mend/chain_edits.h"
#include "mend/edits.h"
#include "mend/habits/from_chains.h"
#include "mend/habits/from_comments.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_grids.h"
#include "mend/habits/from_items.h"
#include "mend/habits/from_loops.h"
#include "mend/habits/from_matches.h"
#include "mend/habits/from_patterns.h"
#include "mend/habits/from_text.h"
#include "mend/habits/from_updates.h"
#include "mend/indented_block.h"
#include "mend/mend.h"
#include "mend/name_edits.h"
#include "mend/odd_characters.h"
#include "mend/record_edits.h"
#include "mend/standard_uses.h"
#include "mend/type_edits.h"

namespace komuz {
namespace {

// The intended keyword, and the rest of the same word.
std::string keyword_text(const Diagnostic& d, std::string_view at) {
  std::string out(token_row(static_cast<Token>(d.a)).spelling);
  if (d.b == kGluedKeyword) out = out + " " + std::string(at.substr(out.size()));
  return out;
}

std::optional<Edit> edit_of(const Diagnostic& d, std::string_view source) {
  const Fix fix{d, source};
  const std::string& at = fix.at;
  const u32 begin = fix.begin, end = fix.end;
  switch (d.code()) {
    case DiagnosticCode::BadNumber: return fix_number_before_name(fix);
    case DiagnosticCode::ExampleMark: return fix.replace("/// >>> ");
    case DiagnosticCode::PrivateOpenType: return fix_private_type(fix);
    case DiagnosticCode::OpenSignature: return fix_signature(fix);
    case DiagnosticCode::IntegerForFloat:
    case DiagnosticCode::IntegerNotExact:
      if (at.starts_with('0') && at.size() > 1) return std::nullopt;  // 0x…
      return Edit{end, end, ".0"};
    case DiagnosticCode::ReservedWord:
      if (stands_before_word(source, end)) return std::nullopt;  // it is meant as a keyword
      return fix.replace(at + "_");
    case DiagnosticCode::AddressOfOperator: return fix_reference(fix);
    case DiagnosticCode::Mismatch:
      if (auto example = example_edit(begin, end, source)) return example;
      return type_edit(d, source);
    case DiagnosticCode::ElementTypes: return type_edit(d, source);
    case DiagnosticCode::CallTypeArguments: return fix.replace("");
    case DiagnosticCode::CaretOfNumbers: return fix.replace("**");
    case DiagnosticCode::FieldType: return field_name_edit(begin, source);
    case DiagnosticCode::UnknownField: return fix_tuple_field(fix);
    case DiagnosticCode::OperatorType: return fix_operator(fix);
    case DiagnosticCode::SliceValue: return fix_slice_value(fix);
    case DiagnosticCode::UnusedValue: return fix_unused_order(fix);
    case DiagnosticCode::LambdaExpected: return fix_counted_value(fix);
    case DiagnosticCode::ArgumentCount: return fix_argument_count(fix);
    case DiagnosticCode::IntegerPower: return fix_integer_power(fix);
    case DiagnosticCode::ElementUnknown: return result_type_edit(begin, source);
    case DiagnosticCode::NotIndexable:
      if (auto field = field_edit(begin, type_text(d.a, source), source)) return field;
      return fix_tuple_index(fix);
    case DiagnosticCode::FunctionForLambda: return constructor_lambda(begin, end, source);
    case DiagnosticCode::LowerPattern:
      return capital_edit(begin, end, source_at(source, d.a, d.b), source);
    case DiagnosticCode::UnknownConstructor:  // `circle(r)`
      if (d.b == 0) return std::nullopt;
      return capital_edit(begin, end, word_at(source, d.b), source);
    case DiagnosticCode::GridForm:  // `steps=8`
      if (at != "=") return std::nullopt;
      return fix.replace(source_at(source, end, 1) == " " ? ":" : ": ");
    case DiagnosticCode::StatedType: return fix_stated_type(fix);
    case DiagnosticCode::PatternMismatch:
      if (d.b == 0) return record_pattern_edit(begin, at, type_text(d.a, source), source);
      if (gives_element(word_at(source, d.b))) return std::nullopt;
      return enumerate_edit(begin, end, source);
    case DiagnosticCode::LambdaPlace: return fix_lambda_place(fix);
    case DiagnosticCode::RangePlace: return range_edit(begin, source);
    case DiagnosticCode::LeavesLambda: return value_of_return(begin, end, source);
    case DiagnosticCode::StepOfRange: return step_edit(begin, end, source);
    case DiagnosticCode::StepsOfElements:  // `xs[::-1]`
      if (at != "::-1") return std::nullopt;
      return Edit{begin - 1, end + 1, ".reverse()"};
    case DiagnosticCode::EmptyChoice:
      if (d.b <= d.a) return std::nullopt;
      return choice_of_braces(d.a, d.b, source);
    case DiagnosticCode::ListSum: return list_sum_edit(d, source);
    case DiagnosticCode::ChainLength: return fix_chain_length(fix);
    case DiagnosticCode::ConstType: return fix_constant_type(fix);
    case DiagnosticCode::MethodArguments: return fix_method_arguments(fix);
    case DiagnosticCode::IfLetPattern: return match_of_if_let(begin, source);
    case DiagnosticCode::WhileLetPattern: return match_of_while_let(begin, source);
    case DiagnosticCode::LetElse: return match_of_let_else(begin, source);
    case DiagnosticCode::SortParameters: return fix_sort(fix);
    case DiagnosticCode::RepeatedArray: return fix.replace_unless_empty(repeated_array(at));
    case DiagnosticCode::GridIntegers:  // `?(0..=1, steps: 5)`
      if (at != "steps" || d.b <= d.a || !integer_grid_advice(d.a, begin, d.b, source).empty())
        return std::nullopt;
      return float_ends_edit(d.a, d.b, source);
    case DiagnosticCode::GridSteps: return fix.replace_unless_empty(float_grid(at));
    case DiagnosticCode::EmptyList: return fix.replace("[]");
    case DiagnosticCode::AssignedUnknown:
      if (d.a == kNoEdit) return std::nullopt;
      return Edit{begin, begin, "var "};
    case DiagnosticCode::StringForByte: return fix.replace("'" + at.substr(1, at.size() - 2) + "'");
    case DiagnosticCode::NotAnOption:
      // Both trap without a value. Another value that was meant for that case would be lost.
      return at == "unwrap" ? leave_out_call(fix) : std::nullopt;
    case DiagnosticCode::OptionForElement: return fix_option_for_element(fix);
    case DiagnosticCode::KeyParameters: return fix.replace_unless_empty(key_of_comparison(at));
    case DiagnosticCode::FunctionAsValue: return fix_function_value(fix);
    case DiagnosticCode::UnknownModule:
      if (d.a == kOfOtherLanguage) return line_edit(begin, source);
      if (d.a == kOfHarness && d.b == 0) return std::nullopt;
      if (d.a == kOfHarness) return fix.replace(std::string(word_at(source, d.b)));
      if (!is_standard_module(at)) return std::nullopt;
      return Edit{begin, begin, "std."};
    case DiagnosticCode::AssertMessage:
      if (d.b <= end) return std::nullopt;
      return Edit{behind_previous(source, begin), d.b, ""};
    case DiagnosticCode::LetMut:  // `let (mut a, b)`
      if (at == "mut") return Edit{begin, behind_gap(source, end), ""};
      return fix.replace("var");
    case DiagnosticCode::ForHead: return for_head_edit(begin, source);
    case DiagnosticCode::ClosureBars: return fix_bars(fix);
    case DiagnosticCode::IdleMethod: return leave_out_call(fix);
    case DiagnosticCode::ForeignMatch: return fix_match_word(fix);
    case DiagnosticCode::RecordLiteral: return fix_record(fix);
    case DiagnosticCode::TypeWithBody:
      return fix.replace_unless_empty(record_of_braces(begin, at, source));
    case DiagnosticCode::UseForm:
    case DiagnosticCode::ImportBraces: return fix_use(fix);
    case DiagnosticCode::FunctionWithoutUse:
      return function_use_edit(at, type_text(d.a, source), source);
    case DiagnosticCode::GridComma: return grid_edit(d.a, begin, d.b, source);
    case DiagnosticCode::SpreadElements:  // of a list alone
      if (d.b == 0) return std::nullopt;
      return Edit{d.a, d.b, std::string(word_at(source, end))};
    case DiagnosticCode::InfixFunction: return call_of_infix(begin, end, source);
    case DiagnosticCode::MisspeltKeyword:
      if (d.b == kNoEdit) return std::nullopt;
      return fix.replace(keyword_text(d, at));
    case DiagnosticCode::HarnessName: {  // `use harness;`, or `harness.half`
      const std::string_view remedy = source_at(source, d.a, d.b);
      return remedy.starts_with("use ") ? use_edit(remedy, source)
                                        : fix.replace(std::string(remedy));
    }
    case DiagnosticCode::ModuleWithoutUse: return module_use_edit(at, source);
    case DiagnosticCode::ListCapacity: return capacity_edit(d, source);
    case DiagnosticCode::IncrementOperator: return fix_step(fix);
    case DiagnosticCode::ReturnWithoutValue:
      if (d.b == kNoEdit) return std::nullopt;
      return fix.replace("return ()");
    case DiagnosticCode::MissingResultType:  // `fn f(n: i64): i64 { … }`
      if (at != ":") return std::nullopt;
      return fix.replace(" ->");
    case DiagnosticCode::BadCharLiteral: return fix_character(fix);
    case DiagnosticCode::StringPrefix: return fix.replace_unless_empty(string_without_prefix(at));
    case DiagnosticCode::FloatPoint: return fix.replace(float_with_digits(at));
    case DiagnosticCode::GroupedDigits: {
      std::string digits = at;
      std::ranges::replace(digits, ',', '_');
      return fix.replace(digits);
    }
    case DiagnosticCode::NotATuple:
      return fix.replace_unless_empty(value_of_property(at, begin, source));
    case DiagnosticCode::MacroCall: return match_of_macro(begin, source);
    case DiagnosticCode::TypeBrackets: return fix_type_brackets(fix);
    case DiagnosticCode::SlicePart: return fix_part(fix);
    case DiagnosticCode::Comprehension:
      if (d.b == kNoEdit) return std::nullopt;
      return fix.replace_unless_empty(chain_of_comprehension(at, d.a == 1));
    case DiagnosticCode::InTest: return fix_in_test(fix);
    case DiagnosticCode::FieldColon:
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{behind_previous(source, begin), end, ":"};
    case DiagnosticCode::TupleNames:  // the name of the type before the parentheses
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{begin, begin, std::string(word_at(source, d.a))};
    case DiagnosticCode::PatternType: return Edit{behind_previous(source, begin), end, ""};
    case DiagnosticCode::SignLine:
    case DiagnosticCode::MissingSemicolon: return Edit{d.a, d.a + d.b, ";"};
    case DiagnosticCode::ForeignLambda: return fix_foreign_lambda(fix);
    case DiagnosticCode::UnknownName: return fix_unknown_name(fix);
    case DiagnosticCode::UnknownType: return fix_unknown_type(fix);
    case DiagnosticCode::TypeInAngles: return fix.replace_unless_empty(bracketed_type(at));
    case DiagnosticCode::Unexpected: return fix_comma(fix);
    case DiagnosticCode::SecondBinding:  // the comma before the next one
      if (d.a == 0) return std::nullopt;
      return Edit{d.a, d.a + 1, "; " + at};
    case DiagnosticCode::ArmWithoutArrow: return fix_arm(fix);
    case DiagnosticCode::ArmComma:  // at the end of the line before
      if (d.b == 0) return std::nullopt;
      return Edit{d.b, d.b, ","};
    case DiagnosticCode::ChainedOperator:
      if (at != "=") return std::nullopt;
      return assignments_edit(begin, source);
    case DiagnosticCode::ArgumentType:
      if (type_text(d.a, source).starts_with("Option["))
        return match_of_option_map(begin, end, source);
      return float_argument_edit(d, source);
    case DiagnosticCode::BadCharacter:
      if (is_odd_blank(at)) return Edit{begin, end, " "};
      return alias_edit(find_alias(at), begin, end, source);
    case DiagnosticCode::WordOperator: return fix_word(fix);
    case DiagnosticCode::ForeignFunction: return fix_foreign_function(fix);
    case DiagnosticCode::ColonBlock: return put_into_braces(source, d.begin);
    case DiagnosticCode::ProseLine:
      if (d.b == 0) return std::nullopt;
      return Edit{d.a, d.b, ""};
    case DiagnosticCode::UnknownFunction: return fix_unknown_function(fix);
    case DiagnosticCode::SpaceWithoutMark:
      if (d.a == kNoEdit) return std::nullopt;
      return Edit{begin, begin, "?"};
    case DiagnosticCode::SpaceInItself:
      if (d.b == kNoEdit) return std::nullopt;
      return Edit{end, d.a, ""};
    case DiagnosticCode::AssertMacro: return fix.replace(" ");
    case DiagnosticCode::ByteOrderMark:
    case DiagnosticCode::PrefixedModule:
    case DiagnosticCode::DroppedValue: return fix.replace("");
    case DiagnosticCode::ForeignComment: return comment_edit(begin, source);
    case DiagnosticCode::AttributeOrLabel: return attribute_edit(begin, source);
    case DiagnosticCode::PathOperator: return path_edit(begin, end, source);
    case DiagnosticCode::ConstantItem: {  // `let`, `const mut`, `K = 2.0`
      if (at.find('=') == std::string::npos) return fix.replace("const");
      return fix.replace("const " + at + (at.ends_with(';') ? "" : ";"));
    }
    case DiagnosticCode::LocalConstant: return fix.replace("let");
    case DiagnosticCode::AssignedCondition: return fix.replace(at == "/=" ? "!=" : "==");
    case DiagnosticCode::MissingBraces: return fix.replace("{ " + at + " }");
    case DiagnosticCode::ForeignChoice:
      if (d.b == 0) return std::nullopt;
      return fix.replace(choice_text(at, d.a - begin, d.b - begin));
    case DiagnosticCode::TypeBeforeName: return fix_type_before_name(fix);
    case DiagnosticCode::RangeCall:
      if (at == "until") return until_edit(begin, end, source);
      if (d.b == kNoEdit) return std::nullopt;
      return fix.replace_unless_empty(range_text(at));
    case DiagnosticCode::LetWithoutValue: return fix_missing_value(fix);
    case DiagnosticCode::CaretPower:
      return at == "^=" ? update_edit(begin, end, source) : fix.replace("**");
    case DiagnosticCode::CommentedBracket:
    case DiagnosticCode::CommentedUpdate: return quotient_edit(begin, source);
    case DiagnosticCode::BoundPattern: return pattern_of_bound(begin, {d.a, d.b}, source);
    case DiagnosticCode::OpenRange: return closed_range(begin, end, {d.a, d.b}, source);
    case DiagnosticCode::DeclaredParameter: return Edit{begin, behind_gap(source, end), ""};
    case DiagnosticCode::ByteAndInteger: return byte_edit(d, source);
    case DiagnosticCode::FoldParameters: return pairs_edit(d.a, d.b, source);
    case DiagnosticCode::AsConversion: return fix_conversion(fix);
    case DiagnosticCode::PrefixAfterTighter:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, d.b, "(" + std::string(source_at(source, begin, d.b - begin)) + ")"};
    case DiagnosticCode::ChainedComparison: return fix_comparisons(fix);
    case DiagnosticCode::NotVariable: return fix_immutable(fix);
    case DiagnosticCode::NumberSuffix: return fix_number_suffix(fix);
    case DiagnosticCode::NegatedUnsigned: return fix_negated_unsigned(fix);
    case DiagnosticCode::UselessRec: return fix_useless_bound(fix);
    case DiagnosticCode::LargestBound: return fix_large_bound(fix);
    case DiagnosticCode::MissingRec: return fix_missing_bound(fix);
    default: return std::nullopt;
  }
}

// True if an edit calls a built-in name that the program has given to a function of its own.
bool calls_own_function(const Edit& edit, std::string_view source) {
  const std::string text = edit.text + std::string(source_at(source, edit.end, 1));
  const std::string_view there = between(source, edit.begin, edit.end);
  for (size_t open = text.find('('); open != std::string_view::npos;
       open = text.find('(', open + 1)) {
    size_t begin = open;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    const std::string_view name = std::string_view(text).substr(begin, open - begin);
    if (is_name(name) && !has_word(there, name) && has_function(name, source)) return true;
  }
  return false;
}

}  // namespace

std::optional<Edit> diagnostic_fix(const Diagnostic& d, std::string_view source) {
  std::optional<Edit> edit = edit_of(d, source);
  // The modules that the text names follow it, below a head that no program may contain. An incomplete text extends
  // into them.
  constexpr std::string_view kHead = "\npub use ";
  const bool is_own =
      edit && source.substr(0, edit->end + kHead.size() - 1).find(kHead, edit->begin) ==
                  std::string_view::npos;
  return is_own && !calls_own_function(*edit, source) ? edit : std::nullopt;
}

}  // namespace komuz
