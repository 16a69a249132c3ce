// SPDX-License-Identifier: Apache-2.0
#include "services/import/write_operation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace komuz::services {
namespace {

constexpr size_t kMostArguments = 100;

class OperationWriter {
 public:
  OperationWriter(FormulaFormat format, const InputPlace& place)
      : row_(format_row(format)), place_(place) {}

  [[nodiscard]] Result<Written> operation(FormulaOperation operation,
                                          std::span<Written> parts) const {
    switch (operation) {
      case FormulaOperation::Choose: return choice(parts[0], parts[1], parts[2]);
      case FormulaOperation::ChooseBefore: return choice(parts[1], parts[0], parts[2]);
      case FormulaOperation::Otherwise: break;
      case FormulaOperation::Or: return connective("||", WrittenForm::Or, parts);
      case FormulaOperation::And: return connective("&&", WrittenForm::And, parts);
      case FormulaOperation::Xor: return connective("!=", WrittenForm::Comparison, parts);
      case FormulaOperation::Not: return negation(parts[0]);
      case FormulaOperation::Less: return comparison("<", parts);
      case FormulaOperation::LessOrEqual: return comparison("<=", parts);
      case FormulaOperation::Greater: return comparison(">", parts);
      case FormulaOperation::GreaterOrEqual: return comparison(">=", parts);
      case FormulaOperation::Equal: return comparison("==", parts);
      case FormulaOperation::NotEqual: return comparison("!=", parts);
      case FormulaOperation::Add: return arithmetic("+", WrittenForm::Sum, parts);
      case FormulaOperation::Subtract: return arithmetic("-", WrittenForm::Sum, parts);
      case FormulaOperation::Multiply: return arithmetic("*", WrittenForm::Product, parts);
      case FormulaOperation::Divide: return arithmetic("/", WrittenForm::Product, parts);
      case FormulaOperation::DivideLeft:
        std::swap(parts[0], parts[1]);
        return arithmetic("/", WrittenForm::Product, parts);
      case FormulaOperation::DivideFloor:
        if (row_.format == FormulaFormat::Sympy) return calls("floor(@1 / @2)", parts);
        return calls("div_floored($1, $2)", parts);
      case FormulaOperation::Remainder: return calls("fmod($1, $2)", parts);
      case FormulaOperation::ModuloFloor: return calls("mod_floored($1, $2)", parts);
      case FormulaOperation::Power: return power(parts);
      case FormulaOperation::Negate: return negative(parts[0]);
      case FormulaOperation::Keep: return number(parts[0]);
      case FormulaOperation::Percent:
        if (Problem problem = make_numbers(parts)) return problem;
        return filled({"@1 / 100.0", WrittenForm::Product, WrittenType::Number}, parts);
    }
    return std::move(parts[0]);
  }

  [[nodiscard]] Result<Written> call(const FunctionRow& row, std::span<Written> arguments) const {
    if (arguments.size() > kMostArguments)
      return fault("a call has " + std::to_string(arguments.size()) + " arguments",
                   "import reads up to " + std::to_string(kMostArguments));
    if (row.arguments == "p*") return piecewise(arguments);
    for (size_t k = 0; k < arguments.size(); ++k) {
      const char letter = row.has_any_number() ? row.arguments[0] : row.arguments[k];
      if (Problem problem = letter == 't' ? make_truth(arguments[k]) : make_number(arguments[k]))
        return problem;
    }
    if (!row.has_any_number()) return filled({row.text, row.form, row.type}, arguments);
    Written all = std::move(arguments[0]);
    for (Written& next : arguments.subspan(1)) {
      std::array<Written, 2> two = {std::move(all), std::move(next)};
      all = filled({row.text, row.form, row.type}, two);
    }
    return all;
  }

 private:
  [[nodiscard]] Problem fault(std::string message, std::string remedy) const {
    return input_problem(place_, std::move(message), std::move(remedy));
  }

  [[nodiscard]] Problem make_number(Written& part) const {
    if (part.type == WrittenType::Truth && row_.truth == TruthForm::Apart)
      return fault("a truth value stands where a number is expected",
                   std::string(row_.title) + " calculates with numbers only");
    part = as_number(std::move(part));
    return {};
  }
  [[nodiscard]] Problem make_numbers(std::span<Written> parts) const {
    for (Written& part : parts)
      if (Problem problem = make_number(part)) return problem;
    return {};
  }
  [[nodiscard]] Problem make_truth(Written& part) const {
    if (part.type == WrittenType::Number && row_.truth == TruthForm::Apart)
      return fault("a number stands where a truth value is expected", "compare it, as in `x > 0`");
    part = as_truth(std::move(part));
    return {};
  }
  [[nodiscard]] Result<Written> number(Written& part) const {
    if (Problem problem = make_number(part)) return problem;
    return std::move(part);
  }

  [[nodiscard]] Result<Written> choice(Written& condition, Written& then, Written& other) const {
    std::array<Written, 3> parts = {std::move(condition), std::move(then), std::move(other)};
    if (Problem problem = make_truth(parts[0])) return problem;
    if (Problem problem = make_numbers(std::span(parts).subspan(1))) return problem;
    return filled({"if $1 { $2 } else { $3 }", WrittenForm::Choice, WrittenType::Number}, parts);
  }

  [[nodiscard]] Result<Written> connective(std::string_view op, WrittenForm form,
                                           std::span<Written> parts) const {
    const bool has_numbers = std::ranges::any_of(
        parts, [](const Written& part) { return part.type == WrittenType::Number; });
    if (has_numbers && row_.format == FormulaFormat::Python)
      return fault("`and` and `or` of numbers give one of the numbers in Python",
                   "compare them, as in `x != 0 and y != 0`");
    for (Written& part : parts)
      if (Problem problem = make_truth(part)) return problem;
    return joined(std::move(parts[0]), op, std::move(parts[1]), form, WrittenType::Truth);
  }
  [[nodiscard]] Result<Written> negation(Written& part) const {
    if (Problem problem = make_truth(part)) return problem;
    return filled({"!@1", WrittenForm::Negation, WrittenType::Truth}, {&part, 1});
  }

  [[nodiscard]] Result<Written> comparison(std::string_view op, std::span<Written> parts) const {
    const bool has_truth = std::ranges::any_of(
        parts, [](const Written& part) { return part.type == WrittenType::Truth; });
    const bool is_chain = parts[0].is_comparison;
    if (is_chain && (row_.format == FormulaFormat::Python || row_.truth == TruthForm::Apart))
      return fault("two comparisons stand in a row", row_.format == FormulaFormat::Python
                                                         ? "write `a < b and b < c`"
                                                         : "join two of them by `&` or `And`");
    if (has_truth && row_.format == FormulaFormat::Excel)
      return fault(
          "a comparison is compared: Excel holds each truth value for larger than any number",
          "write `AND(A2<B2,B2<C2)`");
    if (Problem problem = make_numbers(parts)) return problem;
    Written out = joined(std::move(parts[0]), op, std::move(parts[1]), WrittenForm::Comparison,
                         WrittenType::Truth);
    out.is_comparison = true;
    return out;
  }

  [[nodiscard]] Result<Written> arithmetic(std::string_view op, WrittenForm form,
                                           std::span<Written> parts) const {
    if (Problem problem = make_numbers(parts)) return problem;
    return joined(std::move(parts[0]), op, std::move(parts[1]), form, WrittenType::Number);
  }
  [[nodiscard]] Result<Written> calls(std::string_view text, std::span<Written> parts) const {
    if (Problem problem = make_numbers(parts)) return problem;
    return filled({text, WrittenForm::Atom, WrittenType::Number}, parts);
  }

  [[nodiscard]] Result<Written> negative(Written& part) const {
    if (Problem problem = make_number(part)) return problem;
    if (part.is_literal && part.value != 0 && !std::signbit(part.value))
      return written_number(-part.value);
    const bool is_tight = part.form >= WrittenForm::Power;
    Written out =
        filled({is_tight ? "-$1" : "-@1", WrittenForm::Negation, WrittenType::Number}, {&part, 1});
    return out;
  }

  // A product of up to eight factors has a shorter form, and the base e is a function.
  [[nodiscard]] Result<Written> power(std::span<Written> parts) const {
    if (Problem problem = make_numbers(parts)) return problem;
    constexpr f64 kMostFactors = 8;
    const Written& exponent = parts[1];
    const bool is_whole = exponent.is_literal && exponent.value == std::trunc(exponent.value);
    if (is_whole && exponent.value >= 2 && exponent.value <= kMostFactors) {
      const std::string count = std::to_string(static_cast<int>(exponent.value));
      return filled({"@1 ** " + count, WrittenForm::Power, WrittenType::Number}, parts.first(1));
    }
    if (parts[0].is_euler)
      return filled({"exp($1)", WrittenForm::Atom, WrittenType::Number}, parts.subspan(1));
    // Where PySR has NaN in place of an infinity, its exponent is negative or infinite.
    const bool is_positive = exponent.is_literal && exponent.value > 0;
    if (row_.format == FormulaFormat::Pysr && !is_positive) return calls("pow_pysr($1, $2)", parts);
    return filled({"@1 ** @2", WrittenForm::Power, WrittenType::Number}, parts);
  }

  // From the last pair on: what holds where no condition before does.
  [[nodiscard]] Result<Written> piecewise(std::span<Written> parts) const {
    Written other;
    other.text = "NAN";
    for (size_t k = parts.size(); k >= 2; k -= 2) {
      Written &value = parts[k - 2], &condition = parts[k - 1];
      if (Problem problem = make_number(value)) return problem;
      if (condition.text == "true" && condition.type == WrittenType::Truth) {
        other = std::move(value);
        continue;
      }
      std::array<Written, 3> three = {std::move(value), std::move(condition), std::move(other)};
      if (Problem problem = make_truth(three[1])) return problem;
      other = filled({three[2].form == WrittenForm::Choice ? "if $2 { $1 } else $3"
                                                           : "if $2 { $1 } else { $3 }",
                      WrittenForm::Choice, WrittenType::Number},
                     three);
    }
    return other;
  }

  const FormatRow& row_;
  const InputPlace& place_;
};

}  // namespace

Result<Written> write_operation(FormulaOperation operation, std::span<Written> operands,
                                FormulaFormat format, const InputPlace& place) {
  return OperationWriter(format, place).operation(operation, operands);
}

Result<Written> write_call(const FunctionRow& row, std::span<Written> arguments,
                           FormulaFormat format, const InputPlace& place) {
  return OperationWriter(format, place).call(row, arguments);
}

}  // namespace komuz::services
