// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_definitions.h"
#include "frontend_gpu/findings/habits/refine_elements.h"
#include "frontend_gpu/findings/habits/refine_ends.h"
#include "frontend_gpu/findings/habits/refine_grids.h"
#include "frontend_gpu/findings/habits/refine_items.h"
#include "frontend_gpu/findings/habits/refine_keywords.h"
#include "frontend_gpu/findings/habits/refine_lambdas.h"
#include "frontend_gpu/findings/habits/refine_literals.h"
#include "frontend_gpu/findings/habits/refine_methods.h"
#include "frontend_gpu/findings/habits/refine_names.h"
#include "frontend_gpu/findings/habits/refine_negations.h"
#include "frontend_gpu/findings/habits/refine_one_line.h"
#include "frontend_gpu/findings/habits/refine_operands.h"
#include "frontend_gpu/findings/habits/refine_operators.h"
#include "frontend_gpu/findings/habits/refine_paths.h"
#include "frontend_gpu/findings/habits/refine_patterns.h"
#include "frontend_gpu/findings/habits/refine_signs.h"
#include "frontend_gpu/findings/habits/refine_statements.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "frontend_gpu/findings/habits/refine_unexpected.h"
#include "frontend_gpu/findings/habits/refine_words.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/habits/from_items.h"

namespace komuz::frontend {

namespace {

// True if a `:` ends the head of an `if`, `while`, `for` or `else` on its line.
bool is_behind_head(const Columns& c, Index colon) {
  const Index open = opener_of(c, colon);
  if (open != kNone && token_at(c, open) != Token::LBrace) return false;
  for (Index k = colon; k > 0 && colon - k < 64 && !is_first_on_line(c, k); --k) {
    const Token before = token_at(c, i64{k} - 1);
    if (before == Token::If || before == Token::While || before == Token::For ||
        before == Token::Else)
      return true;
    if (before == Token::Semi || before == Token::LBrace || before == Token::RBrace) return false;
  }
  return false;
}

// `if c:` and `else:` before lines with assignments, which seem to form a chain. Points at the first such colon of
// the block.
bool refine_colon_lines(const Columns& c, Index t, Diagnostic& row) {
  const Index open = opener_of(c, t);
  if (open == kNone || token_at(c, open) != Token::LBrace) return false;
  for (Index k = t - open > kLongestLook ? t - kLongestLook : open + 1; k < t; ++k) {
    if (token_at(c, k) != Token::Colon || !is_first_on_line(c, k + 1) || !is_behind_head(c, k))
      continue;
    become(row, DiagnosticCode::ColonBlock);
    move_to(c, row, k, k);
    return true;
  }
  return false;
}

// `x: int = 3`: a variable that is declared without `var`. Takes the colon.
bool refine_typed_assignment(const Columns& c, Index t, Diagnostic& row) {
  if (token_at(c, t) != Token::Colon || token_at(c, i64{t} - 1) != Token::Name) return false;
  const Token before = token_at(c, i64{t} - 2);
  const bool starts =
      is_first_on_line(c, t - 1) || before == Token::LBrace || before == Token::Semi;
  if (!starts || token_at(c, i64{t} + 1) != Token::Name) return false;
  Index k = t + 2;
  if (token_at(c, k) == Token::LBracket) {
    const Index close = closer_of(c, k);
    if (close == kNone) return false;
    k = close + 1;
  }
  if (token_at(c, k) != Token::Assign) return false;
  become(row, DiagnosticCode::AssignedUnknown, 0, 0);
  move_to(c, row, t - 1, t - 1);
  return true;
}

// True if the diagnostic is about what may stand where in the tree.
bool is_of_tree(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::ExpectedOperator:
    case DiagnosticCode::BlockOperand:
    case DiagnosticCode::MissingLeft:
    case DiagnosticCode::MissingRight:
    case DiagnosticCode::AttributeOrLabel:
    case DiagnosticCode::ChainedOperator:
    case DiagnosticCode::PrefixAfterTighter:
    case DiagnosticCode::Unexpected: return true;
    default: return false;
  }
}
// True if such a diagnostic arises when words stand before the keyword of an item.
bool starts_items_otherwise(DiagnosticCode code) {
  return code == DiagnosticCode::MissingRight || code == DiagnosticCode::NotAnItem ||
         code == DiagnosticCode::ReservedWord || code == DiagnosticCode::ExpectedOperator ||
         code == DiagnosticCode::LetWithoutValue;
}
// `[...xs, 3]`, `xs.map { it + 1 }`, `?a{x, y}`, `if c: a else: b`, `when (n) { in 1..5 -> a }`: braces and colons
// that give the tokens around them another meaning.
bool refine_foreign_block(const Columns& c, Index t, Diagnostic& row) {
  return refine_spread(c, t, row) || refine_cases(c, t, row) || refine_block_lambda(c, t, row) ||
         refine_choice_braces(c, t, row) || refine_choice_line(c, t, row);
}

// `None`, `[None]`: it is not known what the Option holds.
void refine_unknown(const Columns& c, Index t, Diagnostic& row) {
  Index first = t;
  while (token_at(c, first) == Token::LBracket) ++first;
  if (text_of(c, first) != "None") return;
  become(row, DiagnosticCode::OptionUnknown, 0, 0);
  move_to(c, row, first, first);
}

}  // namespace

void refine(const Columns& c, Index node, Diagnostic& row) {
  const Index t = c.token[node];
  if (refine_example(c, t, row)) return;
  if (starts_items_otherwise(row.code()) && refine_modifiers(c, t, row)) return;
  if (is_of_tree(row.code()) && refine_foreign_block(c, t, row)) return;
  if (refine_end(c, node, row)) return;
  switch (row.code()) {
    case DiagnosticCode::ExpectedOperator:
      if (refine_unnamed(c, node, row) || refine_item_word(c, t, row)) return;
      if (refine_bare_item(c, t, row)) return;
      return refine_neighbours(c, t, row);
    case DiagnosticCode::BlockOperand:
      if (refine_head_operand(c, t, row)) return;
      if (refine_braces(c, t, row) || refine_loop_end(c, node, row)) return;
      [[fallthrough]];
    case DiagnosticCode::MissingLeft:
    case DiagnosticCode::MissingRight:
    case DiagnosticCode::AttributeOrLabel:
      if (refine_open_range(c, t, row)) return;
      if (refine_point(c, t, row) || refine_slice(c, t, row)) return;
      if (row.code() != DiagnosticCode::MissingRight && refine_reference(c, t, row)) return;
      if (row.code() == DiagnosticCode::AttributeOrLabel && refine_collection(c, node, row)) return;
      if (refine_comment(c, t, row) || refine_path(c, t, row) || refine_joined(c, t, row)) return;
      if (refine_sign(c, t, row)) return;
      if (token_at(c, t) == Token::OrOr && row.code() == DiagnosticCode::MissingLeft)  // `|| 1`
        return become(row, DiagnosticCode::ClosureBars);
      if (token_at(c, t) != Token::Colon || !is_behind_head(c, t)) return;
      // `for x : xs { … }`
      if (token_at(c, i64{t} - 2) == Token::For && token_at(c, i64{t} + 1) == Token::Name &&
          !is_first_on_line(c, t + 1)) {
        become(row, DiagnosticCode::ForHead, 0, 0);
        return move_to(c, row, t - 2, t - 2);
      }
      return become(row, DiagnosticCode::ColonBlock);
    case DiagnosticCode::NotAnItem:
      if (refine_digits(c, t, row) || refine_angles(c, t, row)) return;
      if (refine_unnamed(c, node, row) || refine_constant_function(c, t, row)) return;
      if (refine_type_bound(c, t, row) || refine_item_word(c, t, row)) return;
      if (refine_bare_item(c, t, row)) return;
      if (refine_comment(c, t, row) || refine_path(c, t, row)) return;
      if (t > 0 && text_of(c, i64{t} - 1) == "#") return refine_character(c, t - 1, row);
      if (token_at(c, t) == Token::Error) return refine_character(c, t, row);
      if ((token_at(c, t) == Token::Let || token_at(c, t) == Token::Var) &&
          token_at(c, i64{t} + 1) == Token::Name) {
        become(row, DiagnosticCode::ConstantItem, 0, 0);
        return;
      }
      if (text_of(c, t) == "mod") return become(row, DiagnosticCode::ModuleItem, 0, 0);
      if (is_item_or_operator(text_of(c, t))) become(row, DiagnosticCode::WordOperator, 0, 0);
      return;
    case DiagnosticCode::TypeWithBody: return refine_type_body(c, t, row);
    case DiagnosticCode::NumberSuffix:
    case DiagnosticCode::BadNumber: return refine_suffix(c, t, row);
    case DiagnosticCode::ReturnWithoutValue: return refine_return(c, t, row);
    case DiagnosticCode::ElementUnknown: refine_unknown(c, t, row); return;
    case DiagnosticCode::BadCharacter: return refine_character(c, t, row);
    case DiagnosticCode::FoldParameters: return refine_fold_parameters(c, node, row);
    case DiagnosticCode::ReservedWord: {
      if (refine_bare_parameter(c, t, row) || refine_leading_brackets(c, t + 1, row)) return;
      const Token behind = token_at(c, i64{t} + 2);
      if (text_of(c, t) == "const" && token_at(c, i64{t} + 1) == Token::Name &&
          (behind == Token::Assign || behind == Token::Colon))
        become(row, DiagnosticCode::LocalConstant);
      return;
    }
    case DiagnosticCode::UnknownConstructor:  // `let mut (a, b) = …`
      if (text_of(c, t) != "mut" || text_of(c, i64{t} - 1) != "let") return;
      become(row, DiagnosticCode::LetMut, 0, 0);
      return move_to(c, row, t - 1, t);
    case DiagnosticCode::LetWithoutValue: return refine_binding(c, node, row);
    case DiagnosticCode::PrefixAfterTighter: return refine_prefix(c, node, row);
    case DiagnosticCode::RecordLiteral: refine_record(c, t, row); [[fallthrough]];
    case DiagnosticCode::UnknownFunction:
      if (refine_keyword_name(c, t, row) || refine_not(c, t, row)) return;
      if (!refine_collect(c, node, row)) refine_callee(c, node, row);
      return;
    case DiagnosticCode::ArgumentType: return refine_argument_type(c, node, row);
    case DiagnosticCode::GridSteps: (void)refine_grid(c, node, row); return;
    case DiagnosticCode::OperandTypes:
      if (refine_string(c, node, row) || refine_repeated(c, node, row)) return;
      if (!refine_operands(c, node, row)) refine_sum(c, node, row);
      return;
    case DiagnosticCode::PatternMismatch:
      if (refine_sort(c, node, row) || refine_indexed(c, node, row)) return;
      refine_element(c, node, row);
      return;
    case DiagnosticCode::NotIndexable: (void)refine_empty_braces(c, node, row); return;
    case DiagnosticCode::LambdaPlace: (void)refine_fold(c, node, row); return;
    case DiagnosticCode::LambdaExpected:
      if (refine_block_lambda(c, t, row) || refine_constructor_lambda(c, t, row)) return;
      (void)refine_fold(c, node, row);
      return;
    case DiagnosticCode::BadCharLiteral: return refine_long_character(c, node, row);
    case DiagnosticCode::ArgumentCount: (void)refine_count(c, node, row); return;
    case DiagnosticCode::ListCapacity: (void)refine_compared(c, node, row); return;
    case DiagnosticCode::UnusedValue:
      if (refine_sign(c, t, row)) return;  // `--n;`
      if (!refine_commented_update(c, node, row)) (void)refine_unused(c, node, row);
      return;
    case DiagnosticCode::NotATuple:
      if (refine_float_field(c, t, row)) return;
      if (!refine_field(c, node, row) && !refine_sort(c, node, row)) refine_sum_field(c, row);
      return;
    case DiagnosticCode::ArmComma:
      if (const Index first = token_from(c, row.begin); first > 0 && is_first_on_line(c, first))
        row.b = end_of(c, first - 1);
      return;
    case DiagnosticCode::ChainedOperator:
      if (refine_colon_lines(c, t, row)) return;
      if (!refine_slice(c, t, row)) (void)refine_path(c, t, row);
      return;
    case DiagnosticCode::MissingBody: return refine_result(c, t, row);
    case DiagnosticCode::TypeInAngles: (void)refine_angles(c, t, row); return;
    case DiagnosticCode::TypeBrackets: (void)refine_type_brackets(c, t, row); return;
    case DiagnosticCode::ChainLength: return refine_chain_length(c, node, row);
    case DiagnosticCode::SliceValue: return refine_slice_value(c, node, row);
    case DiagnosticCode::ArmWithoutArrow: return refine_arm(c, node, row);
    case DiagnosticCode::UnknownType: {
      const std::string_view word = text_of(c, t);
      if (word == "List" || word == "Bytes" || word == "Option")
        return become(row, DiagnosticCode::TypeArguments, 0, 0);
      (void)refine_text_type(c, t, row);
      return;
    }
    case DiagnosticCode::ElementCells:  // a list of values that are not known
      if (row.a == kNothingBrief) become(row, DiagnosticCode::ElementUnknown, 0, 0);
      return;
    case DiagnosticCode::SlicePlace: (void)refine_elements_range(c, node, row); return;
    case DiagnosticCode::OperatorType:
      if (refine_elements_range(c, node, row)) return;
      return refine_operator(c, node, row);
    case DiagnosticCode::GridEnd:
      if (!refine_float_field(c, t, row)) (void)refine_point(c, t, row);
      return;
    case DiagnosticCode::FunctionAsValue:
      if (t > 0 && refine_float_field(c, t - 1, row)) return;
      return refine_function_value(c, node, row);
    case DiagnosticCode::Mismatch:
      if (refine_string(c, node, row) || refine_held_integer(c, node, row)) return;
      if (refine_start(c, node, row)) return;
      if (!refine_argument(c, node, row)) refine_mismatch(c, node, row);
      return;
    case DiagnosticCode::GridForm:
      if (text_of(c, t) != "steps" && text_of(c, t) != "log") (void)refine_grid_word(c, t, row);
      return;
    case DiagnosticCode::GridIntegers: (void)refine_grid_word(c, t, row); return;
    case DiagnosticCode::NotSupported: (void)refine_path(c, t, row); return;
    case DiagnosticCode::ChainedComparison:
      if (refine_template_cast(c, t, row)) return;
      if (!refine_joined(c, t, row)) refine_comparisons(c, node, row);
      return;
    case DiagnosticCode::UnknownRecordField: {         // the record as its type item spells it
      const Span record = subtree_span(c, row.a - 1);  // the node before the parentheses: Call
      row.a = record.begin;
      return;
    }
    case DiagnosticCode::MissingField: {
      const Index field = c.token[row.a];
      row.a = c.token_start[field];
      row.b = c.token_length[field];
      return;
    }
    case DiagnosticCode::NotVariable: {
      const Index above = parent_of(c, node);
      const bool is_left = above != kNone && c.left[above] == node;
      if (!is_left || !refine_comparison(c, above, row)) refine_immutable(c, row);
      return;
    }
    case DiagnosticCode::Unexpected:
      if (refine_open_range(c, t, row) || refine_declared_parameter(c, t, row)) return;
      if (refine_missing_operand(c, t, row)) return;
      if (refine_digits(c, t, row) || refine_slice(c, t, row)) return;
      if (refine_keyword_of_group(c, t, row)) return;
      if (refine_typed_assignment(c, t, row) || refine_bare_parameter(c, t, row)) return;
      if (token_at(c, t) == Token::Colon && text_of(c, i64{t} + 1) != "=" && is_behind_head(c, t) &&
          next_block(c, t) == kNone)
        return become(row, DiagnosticCode::ColonBlock);
      if (refine_reference(c, t, row) || refine_type_braces(c, t, row)) return;
      if (refine_collection(c, node, row) || refine_angles(c, t, row)) return;
      if (refine_path(c, t, row) || refine_variant(c, t, row) || refine_joined(c, t, row)) return;
      if (refine_typed_bars(c, t, row) || refine_field_type(c, t, row)) return;
      if (refine_fold(c, node, row)) return;
      return refine_unexpected(c, node, row);
    case DiagnosticCode::UnknownName:
      if (text_of(c, t) == "Array" && text_of(c, i64{t} + 1) == "." &&
          text_of(c, i64{t} + 2) == "from") {  // `Array.from(xs)`
        become(row, DiagnosticCode::UnknownFunction, 0, 0);
        return move_to(c, row, t, t + 2);
      }
      if (text_of(c, t) == "where" && defines_names_behind(row.end(), source_of(c)))
        return refine_where(c, t, row);
      if (refine_keyword_name(c, t, row) || refine_not(c, t, row)) return;
      if (refine_module(c, t, row) || refine_variant(c, t, row)) return;
      if (refine_it(c, node, row) || refine_own_value(c, node, row)) return;
      if (!refine_assigned(c, node, row)) refine_null(c, node, row);
      return;
    case DiagnosticCode::UnknownModule:
      if (refine_module(c, t, row)) return;
      if (token_at(c, i64{c.token[c.begin[node]]} - 1) != Token::Use)
        (void)refine_variant(c, t, row);
      return;
    default: return;
  }
}

namespace {

bool comes_of_neighbours(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::ExpectedOperator:
    case DiagnosticCode::BadCharacter:
    case DiagnosticCode::NonAsciiName:
    case DiagnosticCode::AsConversion:
    case DiagnosticCode::ForeignComment:
    case DiagnosticCode::AttributeOrLabel:
    case DiagnosticCode::StepOfRange:
    case DiagnosticCode::WordOperator:
    case DiagnosticCode::ForeignFunction:
    case DiagnosticCode::LetMut:
    case DiagnosticCode::LocalConstant:
    case DiagnosticCode::ForeignChoice:
    case DiagnosticCode::TypeBeforeName:
    case DiagnosticCode::MissingBraces:
    case DiagnosticCode::MacroCall:
    case DiagnosticCode::PathOperator:
    case DiagnosticCode::CallTypeArguments:
    case DiagnosticCode::ForeignLambda:
    case DiagnosticCode::ModuleRename:
    case DiagnosticCode::UnknownModule:
    case DiagnosticCode::ModuleItem:
    case DiagnosticCode::UseForm:
    case DiagnosticCode::ImportBraces:
    case DiagnosticCode::RangeCall:
    case DiagnosticCode::StringPrefix:
    case DiagnosticCode::Comprehension:
    case DiagnosticCode::InTest:
    case DiagnosticCode::MisspeltKeyword:
    case DiagnosticCode::SpreadElements:
    case DiagnosticCode::GridComma:
    case DiagnosticCode::GridIntegers:
    case DiagnosticCode::InfixFunction:
    case DiagnosticCode::ForHead: return true;
    default: return false;
  }
}

}  // namespace

bool follows_from(const Columns& c, const Diagnostic& earlier, const Diagnostic& row) {
  if (earlier.begin == row.begin && earlier.code_bits == row.code_bits) return true;
  // `1, 2, 3 => x`
  if (earlier.code() == DiagnosticCode::ArmWithoutArrow && row.code() == earlier.code() &&
      earlier.a == 0 && row.begin > earlier.end()) {
    const std::string_view between = source_of(c).substr(earlier.begin, row.end() - earlier.begin);
    if (between.find_first_of(">\n") == std::string_view::npos) return true;
  }
  const bool inside = row.begin < earlier.end();
  if (inside && comes_of_neighbours(earlier.code()) && comes_of_neighbours(row.code())) return true;
  if (row.code() != DiagnosticCode::ExpectedOperator && row.code() != DiagnosticCode::NotAnItem)
    return false;
  const DiagnosticCode cause = earlier.code();
  if (!comes_of_neighbours(cause)) return false;
  for (u32 at = earlier.begin; at < row.begin; ++at)
    if (c.source[at] == '\n') return false;
  return true;
}

}  // namespace komuz::frontend
