// SPDX-License-Identifier: Apache-2.0
// Targets, and how each writes operations. Rows of tables/NAME.def:
//
//   SYNTAX(Form, text)                       a line or a part of one (syntax_forms.def)
//   LEVELS(choose, and, or, comparison, sign)  how tightly these bind; 20 is an operand
//   TYPE(Scalar, name)
//   OPERATION(Op, types, level, text)        of an operation, for these types; the first row that fits holds. An operation
//                                            without a row is refused
//   NONZERO(…)                               … where the last operand is a constant other than 0
//   MEASURED(…)                              … whose last digits may differ from Komuz: a note says so
//   CONVERSION(Op, types, others, level, text)
//   HELPER(name, text)                       a function that the text carries where it is used
//
// In texts stand: $0 $1 $2 operands, in parentheses where they bind less tightly; %0 the same, in parentheses unless it is an
// operand; @name a helper; @name:$t one for each type. $T the type, $t its name in Komuz, $U the unsigned type of as many
// bits, $a the other type's name in Komuz, $B bits, $MIN $MAX ends of the type, $NAN the bits of a NaN, $f `f` for f32,
// $s how functions begin in C, $I Int or Uint.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "lang/ops.h"

namespace komuz::services {

enum class ExportTarget : u8 {
#define TARGET(Name, spelling, endings, Form, comment, what) Name,
#include "services/export/targets.def"
};
enum class TargetForm : u8 { Program, Formula };
struct TargetRow {
  std::string_view spelling, endings;
  TargetForm form;
  std::string_view comment, what;
};
inline constexpr TargetRow kTargetRows[] = {
#define TARGET(Name, spelling, endings, Form, comment, what) \
  {spelling, endings, TargetForm::Form, comment, what},
#include "services/export/targets.def"
};
[[nodiscard]] constexpr const TargetRow& target_row(ExportTarget target) {
  return kTargetRows[static_cast<u8>(target)];
}

enum class SyntaxForm : u8 {
#define FORM(Name) Name,
#include "services/export/syntax_forms.def"
};

inline constexpr u8 kOperandLevel = 20;

struct OperationRow {
  Op op;
  TypeSet types, others;  // others: of a conversion
  u8 level;
  bool needs_nonzero, is_measured;
  std::string_view text;
};
struct SyntaxRow {
  SyntaxForm form;
  std::string_view text;
};
struct TargetHelper {
  std::string_view name, text;
};
struct BindingLevels {
  u8 choose, both, either, comparison, sign;
};

struct TargetTable {
  std::span<const SyntaxRow> syntax;
  BindingLevels levels;
  std::array<std::string_view, kScalarCount> types;
  std::span<const OperationRow> operations;
  std::span<const TargetHelper> helpers;

  // Empty where there is no row.
  [[nodiscard]] std::string_view form(SyntaxForm wanted) const;
  [[nodiscard]] const TargetHelper* helper(std::string_view name) const;
};
[[nodiscard]] const TargetTable& target_table(ExportTarget target);

}  // namespace komuz::services
