// SPDX-License-Identifier: Apache-2.0
#include "lang/diagnostic_types.h"
#include "mend/aliases.h"
#include "mend/builtin_words.h"
#include "mend/edits.h"
#include "mend/habits/from_chains.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_formulas.h"
#include "mend/habits/from_items.h"
#include "mend/habits/from_loops.h"
#include "mend/habits/from_matches.h"
#include "mend/habits/from_text.h"
#include "mend/habits/from_updates.h"
#include "mend/name_edits.h"

namespace komuz {

namespace {

// `powi(x, 3)`, `x.powi(n)`, given the name
std::optional<Edit> power_edit(u32 begin, u32 end, std::string_view source) {
  if (source_at(source, end, 1) != "(") return std::nullopt;
  const size_t close = closing_bracket(source, end);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 stop = static_cast<u32>(close);
  const std::string call = power_call(between(source, end + 1, stop));
  return call.empty() ? std::nullopt : std::optional<Edit>({begin, stop + 1, call});
}
// `new Array(8).fill(0)`, `new P(1.0)`, given the `new`
std::optional<Edit> new_edit(const Fix& fix) {
  const u32 value = fix.end + 1;
  if (source_at(fix.source, fix.end, 1) != " ") return std::nullopt;
  if (word_at(fix.source, value) != "Array") return Edit{fix.begin, value, ""};
  const std::optional<Edit> array = array_edit(value, value + 5, fix.source);
  if (!array) return std::nullopt;
  return Edit{fix.begin, array->end, array->text};
}
// The special edits of words in aliases.def. The part of the advice for arguments of the given type.
std::string_view formulas_for(const AliasRow& row, const Diagnostic& d) {
  const bool is_of_integer = d.code() == DiagnosticCode::UnknownFunction && d.a == kIntegerGiven;
  return is_of_integer ? row.advice.substr(row.advice.find(kOfIntegers)) : row.advice;
}
std::optional<Edit> edit_of_alias(const AliasRow& row, const Fix& fix) {
  const u32 begin = fix.begin, end = fix.end;
  const std::string_view source = fix.source;
  const bool has_block = source_at(source, behind_gap(source, end), 1) == "{";
  switch (row.edit) {
    case AliasEdit::None: return std::nullopt;
    case AliasEdit::Fold:
    case AliasEdit::FoldRight: return fold_edit(begin, end, source);
    case AliasEdit::Sort: return sort_edit(begin, end, source);
    case AliasEdit::Array: return array_edit(begin, end, source);
    case AliasEdit::ArrayFrom: return array_from_edit(begin, end, source);
    case AliasEdit::ElementBy: return element_by_edit(begin, end, source);
    case AliasEdit::ForEach: return for_of_each(begin, end, source);
    case AliasEdit::Joined:
      if (auto joined = joined_edit(begin, end, row.advice, source)) return joined;
      [[fallthrough]];
    case AliasEdit::FloatFormula:
    case AliasEdit::Formula: return formula_edit(begin, end, formulas_for(row, fix.d), source);
    case AliasEdit::Piecewise: return piecewise_edit(begin, end, source);
    case AliasEdit::Rational: return rational_edit(begin, end, source);
    case AliasEdit::Power: return power_edit(begin, end, source);
    case AliasEdit::NumberText:
      return fix.d.a == 0 ? std::nullopt : text_edit(fix.d.a - 1, begin, end, source);
    case AliasEdit::New: return new_edit(fix);
    case AliasEdit::Where: return let_of_where(begin, fix.d.a, fix.d.b, source);
    case AliasEdit::Update: return update_edit(begin, end, source);
    case AliasEdit::TypeItem: return type_item_edit(begin, source);
    case AliasEdit::Import: return idle_import_edit(begin, source);
    case AliasEdit::LeaveOut: return fix.replace("");
    case AliasEdit::Repeat:
      return has_block ? while_of_do(begin, source) : repeat_edit(begin, end, source);
    case AliasEdit::DoWhile: return while_of_do(begin, source);
    case AliasEdit::FallingRange: return until_edit(begin, end, source);
    case AliasEdit::Otherwise: return or_edit(begin, end, source);
    case AliasEdit::Guard: return if_of_guard(begin, source);
    case AliasEdit::Then: return choice_of_then(begin, source);
    case AliasEdit::Shape: return length_of_shape(begin, end, source);
    case AliasEdit::Spread: return spread_edit(begin, end, source);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Edit> fix_unknown_name(const Fix& fix) {
  if (fix.d.a == kNoneMeant) return fix.replace("None");
  const AliasRow* const row = find_value_alias(fix.at);
  if (row != nullptr && row->kind == AliasKind::Prefix)
    return prefix_edit(fix.begin, fix.end, fix.source);
  return alias_edit(row, fix.begin, fix.end, fix.source);
}

std::optional<Edit> fix_unknown_type(const Fix& fix) {
  if (fix.d.a < fix.end) return alias_edit(find_alias(fix.at), fix.begin, fix.end, fix.source);
  // behind the parameter's type
  return fix.replace_to(fix.d.a, slice_type(between(fix.source, fix.begin, fix.d.a)));
}

std::optional<Edit> fix_unknown_function(const Fix& fix) {
  const Diagnostic& d = fix.d;
  if (d.a == kNoEdit || d.a == kTextGiven) return std::nullopt;
  if (is_fold_word(fix.at)) return fold_edit(fix.begin, fix.end, fix.source);
  // `xs.maxOf { it.x }`
  const size_t close = end_of_call(fix.source, behind_gap(fix.source, fix.end));
  const bool has_lambda =
      close == std::string_view::npos ||
      fix.source.substr(fix.end, close - fix.end).find("=>") != std::string_view::npos;
  if (has_lambda && (fix.at == "minOf" || fix.at == "maxOf"))
    return element_by_edit(fix.begin, fix.end, fix.source);
  // `add(x, y)`; `xs.add(x)` is another function.
  const bool is_method = fix.begin > 0 && fix.source[fix.begin - 1] == '.';
  const AliasRow* const row = find_function_alias(fix.at);
  if (const std::string formula = formula_of_call(fix.at, row); !is_method && !formula.empty())
    return formula_edit(fix.begin, fix.end, formula, fix.source);
  if (row != nullptr && row->edit != AliasEdit::None) return edit_of_alias(*row, fix);
  if (d.a != 0) return operator_edit(d.a - 1, fix.begin, fix.end, fix.source);
  return function_alias_edit(fix.begin, fix.end, fix.source);
}

std::optional<Edit> fix_word(const Fix& fix) {
  // `mod(a, b)`, `where(c, a, b)`
  if (const AliasRow* const called = find_function_alias(fix.at);
      called != nullptr && source_at(fix.source, fix.end, 1) == "(")
    return called->edit != AliasEdit::None ? edit_of_alias(*called, fix)
                                           : alias_edit(called, fix.begin, fix.end, fix.source);
  if (fix.d.b == kNoEdit) return std::nullopt;
  // `pub const fn`
  if (fix.at.ends_with(" fn")) {
    const bool is_public =
        has_word(fix.at, "pub") || has_word(fix.at, "public") || has_word(fix.at, "export");
    return fix.replace(is_public ? "pub fn" : "fn");
  }
  const AliasRow* const row = find_alias(fix.at);
  if (row != nullptr && row->edit != AliasEdit::None) return edit_of_alias(*row, fix);
  const bool has_block = source_at(fix.source, behind_gap(fix.source, fix.end), 1) == "{";
  if (fix.at == "when" && has_block) return match_of_when(fix.begin, fix.source);
  return alias_edit(row, fix.begin, fix.end, fix.source);
}

std::optional<Edit> fix_function_value(const Fix& fix) {
  const bool is_method = fix.begin > 0 && fix.source[fix.begin - 1] == '.';
  if (is_method && fix.at == "count") return fix.replace("len()");
  if (!is_method || !takes_receiver_alone(fix.at)) return std::nullopt;
  return Fix::insert(fix.end, "()");
}

std::optional<Edit> fix_match_word(const Fix& fix) {
  if (std::optional<Edit> match = match_of_when(fix.begin, fix.source)) return match;
  if (fix.at == "case") return match_of_case(fix.begin, fix.source);
  return stands_before_word(fix.source, fix.end) ? fix.replace("match") : std::nullopt;
}

std::optional<Edit> leave_out_call(const Fix& fix) {
  const bool is_empty_call = fix.begin > 0 && fix.source[fix.begin - 1] == '.' &&
                             fix.source.substr(fix.end).starts_with("()");
  if (!is_empty_call) return std::nullopt;
  return Edit{fix.begin - 1, fix.end + 2, ""};
}

}  // namespace komuz
