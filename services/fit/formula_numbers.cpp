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

// A number that is off by its standard error makes the squares larger by their share of a row: a tenth of that is
// not seen.
constexpr f64 kGrowth = 0.1;
constexpr int kMostDigits = 16, kMostDecimals = 12;
// What rounding alone can make of the loss of a formula that is exact, as a share of the variance.
constexpr f64 kRounding = 1e-24;

// How many digits, or how many behind the point: all numbers of a formula have one unit then, so small ones become 0.
struct Digits {
  int count = 0;
  bool is_behind_point = false;
};
f64 with_digits(f64 value, Digits digits) {
  constexpr f64 kMostWithDecimals = 1e15;
  std::array<char, 40> text{};
  if (digits.is_behind_point && std::fabs(value) > kMostWithDecimals) return value;
  if (digits.is_behind_point)
    std::snprintf(text.data(), text.size(), "%.*f", digits.count, value);
  else
    std::snprintf(text.data(), text.size(), "%.*e", digits.count - 1, value);
  return std::strtod(text.data(), nullptr);
}
std::vector<Digits> digits_to_try() {
  std::vector<Digits> out;
  for (int count = 0; count <= kMostDecimals; ++count) out.push_back({count, true});
  for (int count = 1; count <= kMostDigits; ++count) out.push_back({count, false});
  return out;
}

// One formula whose numbers lose digits: first all of them, then one after the other.
struct Rounding {
  size_t formula = 0;
  std::vector<FormulaNumber> numbers;
  std::vector<f64> values;
};

bool is_as_good(const FormulaErrors& rounded, const FormulaErrors& exact) {
  if (!rounded.is_known) return false;
  const f64 variance = exact.has_r2 && exact.r2 < 1 ? exact.mean_loss / (1 - exact.r2) : 0;
  const f64 growth = kGrowth / static_cast<f64>(exact.losses.size());
  return rounded.mean_loss <= exact.mean_loss * (1 + growth) + kRounding * variance;
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
        !engine::parse_scalar(Scalar::F64, program.substr(begin, end - begin),
                              engine::ValueStyle::Text, bits))
      out.push_back({begin, end, is_signed, std::bit_cast<f64>(bits)});
    is_signed = token == Token::Minus && !is_behind_operand;
    is_behind_operand = token_row(token).ends != Ends::No;
  }
  return out;
}

std::string with_numbers(std::string_view program, std::span<const FormulaNumber> numbers,
                         std::span<const f64> values) {
  std::string out;
  size_t at = 0;
  for (size_t k = 0; k < numbers.size(); ++k) {
    out += program.substr(at, numbers[k].begin - at);
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(values[k]),
                         engine::ValueStyle::Source);
    out += values[k] < 0 ? "(" + text + ")" : text;
    at = numbers[k].end;
  }
  return out.append(program.substr(at));
}

Problem round_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                      std::vector<FitFormula>& formulas, const std::stop_token& stop) {
  if (Problem problem = judge(cases, options, JudgedRows::Training, formulas, stop)) return problem;
  std::vector<Rounding> roundings;
  for (size_t k = 0; k < formulas.size(); ++k) {
    Rounding rounding{k, numbers_of(formulas[k].program), {}};
    for (const FormulaNumber& number : rounding.numbers) rounding.values.push_back(number.value);
    if (!rounding.numbers.empty() && formulas[k].training.is_known)
      roundings.push_back(std::move(rounding));
  }
  // All digits of a formula, or of one of its numbers, are tried at once.
  const auto try_all = [&](size_t number, bool is_all) -> Problem {
    std::vector<FitFormula> tried;
    std::vector<std::pair<size_t, Digits>> of;
    for (size_t r = 0; r < roundings.size(); ++r) {
      Rounding& rounding = roundings[r];
      if (!is_all && number >= rounding.numbers.size()) continue;
      for (const Digits digits : digits_to_try()) {
        // One number by itself loses digits; all of them may lose a unit.
        if (digits.is_behind_point && !is_all) continue;
        std::vector<f64> values = rounding.values;
        bool changes = false;
        for (size_t k = 0; k < values.size(); ++k) {
          if (!is_all && k != number) continue;
          values[k] = with_digits(values[k], digits);
          changes = changes || values[k] != rounding.values[k];
        }
        if (!changes) continue;
        FitFormula& one = tried.emplace_back();
        one.program = with_numbers(formulas[rounding.formula].program, rounding.numbers, values);
        of.emplace_back(r, digits);
      }
    }
    if (Problem problem = judge(cases, options, JudgedRows::Training, tried, stop)) return problem;
    std::vector<bool> is_done(roundings.size());
    for (size_t k = 0; k < tried.size(); ++k) {
      const auto [r, digits] = of[k];
      Rounding& rounding = roundings[r];
      if (is_done[r] || !is_as_good(tried[k].training, formulas[rounding.formula].training))
        continue;
      is_done[r] = true;
      for (size_t n = 0; n < rounding.values.size(); ++n)
        if (is_all || n == number) rounding.values[n] = with_digits(rounding.values[n], digits);
    }
    return {};
  };
  size_t most_numbers = 0;
  for (const Rounding& rounding : roundings)
    most_numbers = std::max(most_numbers, rounding.numbers.size());
  if (Problem problem = try_all(0, true)) return problem;
  for (size_t number = 0; number < most_numbers; ++number)
    if (Problem problem = try_all(number, false)) return problem;
  std::vector<FitFormula> rounded;
  std::vector<size_t> of_rounded;
  for (const Rounding& rounding : roundings) {
    const FitFormula& formula = formulas[rounding.formula];
    const std::string program = with_numbers(formula.program, rounding.numbers, rounding.values);
    if (program == formula.program) continue;
    FitFormula& one = rounded.emplace_back(formula);
    one.program = simplified_text(program, nullptr, Exactness::ToRounding);
    one.text = formula_text(one.program);
    one.size = formula_size(one.text);
    of_rounded.push_back(rounding.formula);
  }
  if (Problem problem = judge(cases, options, JudgedRows::Training, rounded, stop)) return problem;
  for (size_t k = 0; k < rounded.size(); ++k)
    if (is_as_good(rounded[k].training, formulas[of_rounded[k]].training))
      formulas[of_rounded[k]] = std::move(rounded[k]);
  return {};
}

}  // namespace komuz::services
