// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/values/value_text.h"
#include "frontend_gpu/view.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

constexpr f64 kGrowth = 1e-6;
constexpr int kMostDigits = 16;
// What rounding alone can make of the loss of a formula that is exact, as a share of the variance.
constexpr f64 kRounding = 1e-24;

f64 with_digits(f64 value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
  return std::strtod(text.data(), nullptr);
}

// One formula whose numbers lose digits: first all of them, then one after the other.
struct Rounding {
  size_t formula = 0;
  std::vector<FormulaNumber> numbers;
  std::vector<f64> values;
};

bool is_as_good(const FormulaErrors& rounded, const FormulaErrors& exact) {
  if (!rounded.is_known) return false;
  const f64 variance = 1 - exact.r2 > 0 ? exact.mean_loss / (1 - exact.r2) : 0;
  return rounded.mean_loss <= exact.mean_loss * (1 + kGrowth) + kRounding * variance;
}

}  // namespace

std::vector<FormulaNumber> numbers_of(std::string_view program) {
  frontend::Compiler compiler;
  static_cast<void>(compiler.identify(program));
  const frontend::Columns& c = compiler.columns();
  std::vector<FormulaNumber> out;
  bool is_behind_operand = false, is_signed = false;
  for (frontend::Index t = 0; t < c.tokens; ++t) {
    const Token token = frontend::token_at(c, t);
    const u32 begin = c.token_start[t], end = begin + c.token_length[t];
    u64 bits = 0;
    if (token == Token::Float &&
        !engine::parse_scalar(Scalar::F64, program.substr(begin, end - begin), engine::ValueStyle::Text, bits))
      out.push_back({begin, end, is_signed, std::bit_cast<f64>(bits)});
    is_signed = token == Token::Minus && !is_behind_operand;
    is_behind_operand = token_row(token).ends != Ends::No;
  }
  return out;
}

std::string with_numbers(std::string_view program, std::span<const FormulaNumber> numbers, std::span<const f64> values) {
  std::string out;
  size_t at = 0;
  for (size_t k = 0; k < numbers.size(); ++k) {
    out += program.substr(at, numbers[k].begin - at);
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(values[k]), engine::ValueStyle::Source);
    out += values[k] < 0 ? "(" + text + ")" : text;
    at = numbers[k].end;
  }
  return out.append(program.substr(at));
}

Problem round_numbers(const engine::CasesTable& cases, const JudgeOptions& options, std::vector<Formula>& formulas,
                      const std::stop_token& stop) {
  if (Problem problem = judge(cases, options, JudgedRows::Training, formulas, stop)) return problem;
  std::vector<Rounding> roundings;
  for (size_t k = 0; k < formulas.size(); ++k) {
    Rounding rounding{k, numbers_of(formulas[k].program), {}};
    for (const FormulaNumber& number : rounding.numbers) rounding.values.push_back(number.value);
    if (!rounding.numbers.empty() && formulas[k].training.is_known) roundings.push_back(std::move(rounding));
  }
  // All digits of a formula, or of one of its numbers, are tried at once.
  const auto try_all = [&](size_t number, bool is_all) -> Problem {
    std::vector<Formula> tried;
    std::vector<std::pair<size_t, int>> of;
    for (size_t r = 0; r < roundings.size(); ++r) {
      Rounding& rounding = roundings[r];
      if (!is_all && number >= rounding.numbers.size()) continue;
      for (int digits = 1; digits <= kMostDigits; ++digits) {
        std::vector<f64> values = rounding.values;
        bool changes = false;
        for (size_t k = 0; k < values.size(); ++k) {
          if (!is_all && k != number) continue;
          values[k] = with_digits(values[k], digits);
          changes = changes || values[k] != rounding.values[k];
        }
        if (!changes) break;
        Formula& one = tried.emplace_back();
        one.program = with_numbers(formulas[rounding.formula].program, rounding.numbers, values);
        of.emplace_back(r, digits);
      }
    }
    if (Problem problem = judge(cases, options, JudgedRows::Training, tried, stop)) return problem;
    std::vector<bool> is_done(roundings.size());
    for (size_t k = 0; k < tried.size(); ++k) {
      const auto [r, digits] = of[k];
      Rounding& rounding = roundings[r];
      if (is_done[r] || !is_as_good(tried[k].training, formulas[rounding.formula].training)) continue;
      is_done[r] = true;
      for (size_t n = 0; n < rounding.values.size(); ++n)
        if (is_all || n == number) rounding.values[n] = with_digits(rounding.values[n], digits);
    }
    return {};
  };
  size_t most_numbers = 0;
  for (const Rounding& rounding : roundings) most_numbers = std::max(most_numbers, rounding.numbers.size());
  if (Problem problem = try_all(0, true)) return problem;
  for (size_t number = 0; number < most_numbers; ++number)
    if (Problem problem = try_all(number, false)) return problem;
  for (const Rounding& rounding : roundings) {
    Formula& formula = formulas[rounding.formula];
    const std::string program = with_numbers(formula.program, rounding.numbers, rounding.values);
    if (program == formula.program) continue;
    formula.program = simplified_text(program, nullptr, Exactness::ToRounding);
    formula.text = formula_text(formula.program);
    formula.size = formula_size(formula.text);
  }
  return {};
}

}  // namespace komuz::services
