// SPDX-License-Identifier: Apache-2.0
// The formats of formulas, and what their operators, functions and constants mean: rows of the tables of this room.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

enum class FormulaFormat : u8 {
#define FORMAT(Id, ...) Id,
#include "services/import/formats.def"
};

enum class Capitals : u8 { Matter, Ignored };
enum class PowerSide : u8 { Right, Left, Never, None };
enum class MinusOfPower : u8 { Looser, Tighter, OfNumber };
enum class Joined : u8 { Refused, Product, Letters };
enum class TruthForm : u8 { Number, Apart };

struct FormatRow {
  FormulaFormat format;
  std::string_view name, title;
  Capitals capitals;
  PowerSide side;
  MinusOfPower minus;
  Joined joined;
  TruthForm truth;
  std::string_view indexed;  // empty: inputs have names only
  u32 first_index;
  std::string_view comments;
};
[[nodiscard]] std::span<const FormatRow> formula_formats();
[[nodiscard]] const FormatRow& format_row(FormulaFormat format);
[[nodiscard]] std::optional<FormulaFormat> find_format(std::string_view name);

enum class FormulaOperation : u8 {
  Choose,        // condition ? value : other
  ChooseBefore,  // value if condition else other
  Otherwise,     // the second word of both
  Or,
  Xor,
  And,
  Not,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Equal,
  NotEqual,
  Add,
  Subtract,
  Multiply,
  Divide,
  DivideLeft,   // a \ b is b / a
  DivideFloor,  // as Python's
  Remainder,    // with the sign of the dividend
  ModuloFloor,  // with the sign of the divisor
  Power,
  Negate,
  Keep,
  Percent,
};

enum class OperatorPlace : u8 { Infix, Prefix, Postfix };
struct OperatorRow {
  u32 formats;  // a bit for each
  std::string_view spelling;
  FormulaOperation operation;
  u8 precedence;
  OperatorPlace place;
};
// The longest operator that the text begins with; null: none.
[[nodiscard]] const OperatorRow* find_operator(FormulaFormat format, OperatorPlace place,
                                               std::string_view text);
// The product of neighbours without an operator.
[[nodiscard]] const OperatorRow& joined_product();

enum class WrittenType : u8 { Number, Truth };
// How tightly a text of Komuz binds, from the loosest on.
enum class WrittenForm : u8 {
  Choice,
  Or,
  And,
  Comparison,
  Sum,
  Product,
  Negation,
  Power,
  Atom,
};

struct FunctionRow {
  u32 formats;
  std::string_view name, arguments;
  WrittenType type;
  WrittenForm form;
  std::string_view text;

  [[nodiscard]] bool has_any_number() const { return arguments.ends_with('*'); }
  [[nodiscard]] bool takes(size_t count) const {
    return has_any_number() ? count > 0 : count == arguments.size();
  }
};
[[nodiscard]] bool is_function(FormulaFormat format, std::string_view name);
// The row with this number of arguments; null: there is none.
[[nodiscard]] const FunctionRow* find_function(FormulaFormat format, std::string_view name,
                                               size_t arguments);
// "1", "1 or 2", "any number of": how many arguments the function takes.
[[nodiscard]] std::string argument_counts(FormulaFormat format, std::string_view name);
// The names that a misspelt one may have meant.
[[nodiscard]] std::vector<std::string_view> function_names(FormulaFormat format);

// The text of a constant in Komuz; empty: it is none.
[[nodiscard]] std::string_view find_constant(FormulaFormat format, std::string_view name);
// Why Komuz cannot mean what the name does; empty: nothing is known of it.
[[nodiscard]] std::string_view reason_of_absence(FormulaFormat format, std::string_view name);

struct HelperFunction {
  std::string_view name, text;
};
[[nodiscard]] std::span<const HelperFunction> helper_functions();

}  // namespace komuz::services
