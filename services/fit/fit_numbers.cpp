// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>

#include "base/machine/processors.h"
#include "engine/search/refit.h"
#include "engine/support/worker_pool.h"
#include "frontend_gpu/frontend.h"
#include "services/fit/formula_numbers.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

// A fit holds a column for each number.
constexpr u32 kMostWorkers = 8;
// A number that is off by its standard error makes the squares larger by their share of a row: a tenth of that is
// not seen.
constexpr f64 kGrowth = 0.1;
constexpr int kMostDigits = 16, kMostDecimals = 12;

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

// A formula whose numbers change. In the code a number may have the sign that stands before it in the text.
struct Changed {
  size_t formula = 0;
  std::vector<FormulaNumber> places;
  engine::RefitProgram program;
  std::vector<f64> signs, numbers;  // as the code has them
  bool has_changed = false;
};

// Two programs that differ in their numbers alone show which constants of the code these are.
bool find_constants(frontend::Compiler& compiler, const std::string& program, Changed& out) {
  constexpr f64 kStep = 0x1p-20;
  frontend::Compilation compiled[2];
  std::vector<f64> marks[2];
  for (const size_t side : {0, 1}) {
    for (size_t k = 0; k < out.places.size(); ++k)
      marks[side].push_back(1 + static_cast<f64>(2 * k + 1 + side) * kStep);
    compiler.compile(with_numbers(program, out.places, marks[side]), compiled[side]);
    if (!compiled[side].ok) return false;
  }
  Code& code = compiled[0].code;
  const Code& other = compiled[1].code;
  if (code.constants.size() != other.constants.size()) return false;
  out.program.number_of.assign(code.constants.size(), engine::RefitProgram::kNoNumber);
  out.signs.assign(out.places.size(), 0);
  for (size_t c = 0; c < code.constants.size(); ++c) {
    const f64 first = std::bit_cast<f64>(code.constants[c]),
              second = std::bit_cast<f64>(other.constants[c]);
    for (u32 k = 0; k < out.places.size(); ++k)
      for (const f64 sign : {1.0, -1.0})
        if (first == sign * marks[0][k] && second == sign * marks[1][k]) {
          out.program.number_of[c] = k;
          out.signs[k] = sign;
        }
  }
  if (std::ranges::find(out.signs, 0) != out.signs.end()) return false;
  const engine::EntryChoice entry = engine::choose_entry(code.view(), {});
  if (!entry.refusal.empty()) return false;
  out.program.entry = static_cast<u32>(entry.function);
  for (size_t k = 0; k < out.places.size(); ++k)
    out.numbers.push_back(out.signs[k] * out.places[k].value);
  out.program.code = std::move(code);
  return true;
}

// Numbers stay apart.
frontend::Options plain() {
  frontend::Options options;
  options.is_plain = true;
  return options;
}

class NumberSettler {
 public:
  NumberSettler(const engine::CasesTable& cases, const JudgeOptions& options,
                const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                const std::stop_token& stop)
      : cases_(cases),
        options_(options),
        monotone_(monotone),
        formulas_(formulas),
        stop_(stop),
        pool_(std::min(options.threads == 0 ? machine::usable_processors() : options.threads,
                       kMostWorkers)),
        workers_(pool_.size()) {}

  // Judges formulas, and fits their numbers.
  Problem fit() {
    if (Problem problem = judge(cases_, options_, JudgedRows::Training, formulas_, stop_))
      return problem;
    const auto is_less = [](const FormulaErrors& now, const FormulaErrors& before) {
      return now.mean_loss < before.mean_loss;
    };
    const auto fit = [this](engine::Refit& worker, Changed& one) {
      one.has_changed = worker.fit(one.numbers, stop_);
    };
    return change(fit, is_less);
  }
  // Of formulas that are fitted.
  Problem drop_digits() {
    const f64 variance = variance_of(cases_, options_.loss);
    const f64 weights = weight_of_rows(cases_, options_.loss);
    const auto most_of = [&](f64 loss) {
      return loss * (1 + kGrowth / static_cast<f64>(cases_.rows.size())) +
             kRoundingShare * variance;
    };
    const auto is_as_good = [&](const FormulaErrors& now, const FormulaErrors& before) {
      return now.mean_loss <= most_of(before.mean_loss);
    };
    const auto round = [&](engine::Refit& worker, Changed& one) {
      const std::optional<f64> exact = worker.loss(one.numbers);
      if (!exact) return;
      const f64 most = weights * most_of(*exact / weights);
      const auto is_enough = [&](const std::vector<f64>& numbers) {
        const std::optional<f64> loss = worker.loss(numbers);
        return loss && *loss <= most;
      };
      round_all(one, is_enough);
      for (size_t k = 0; k < one.numbers.size(); ++k) round_one(one, k, is_enough);
    };
    return change(round, is_as_good);
  }

 private:
  using IsEnough = std::function<bool(const std::vector<f64>& numbers)>;

  // All numbers lose a unit or digits.
  static void round_all(Changed& one, const IsEnough& is_enough) {
    for (const bool is_behind_point : {true, false})
      for (int count = is_behind_point ? 0 : 1;
           count <= (is_behind_point ? kMostDecimals : kMostDigits); ++count) {
        std::vector<f64> numbers = one.numbers;
        for (f64& number : numbers) number = with_digits(number, {count, is_behind_point});
        if (numbers == one.numbers) return;
        if (!is_enough(numbers)) continue;
        one.numbers = std::move(numbers);
        one.has_changed = true;
        return;
      }
  }
  static void round_one(Changed& one, size_t which, const IsEnough& is_enough) {
    const f64 exact = one.numbers[which];
    std::vector<f64> numbers = one.numbers;
    for (int count = 1; count <= kMostDigits; ++count) {
      numbers[which] = with_digits(exact, {count, false});
      if (numbers[which] == exact) return;
      if (!is_enough(numbers)) continue;
      one.numbers = std::move(numbers);
      one.has_changed = true;
      return;
    }
  }

  using Change = std::function<void(engine::Refit& worker, Changed& one)>;
  using IsKept = std::function<bool(const FormulaErrors& now, const FormulaErrors& before)>;
  Problem change(const Change& change_one, const IsKept& is_kept);

  const engine::CasesTable& cases_;
  const JudgeOptions& options_;
  const MonotoneCheck& monotone_;
  std::vector<FitFormula>& formulas_;
  const std::stop_token& stop_;
  engine::WorkerPool pool_;
  std::vector<engine::Refit> workers_;
  frontend::Compiler compiler_{plain()};
  std::optional<engine::Signature> signature_;
  engine::RefitCases columns_;
};

Problem NumberSettler::change(const Change& change_one, const IsKept& is_kept) {
  std::vector<Changed> all;
  for (size_t k = 0; k < formulas_.size(); ++k) {
    if (!formulas_[k].training.is_known || formulas_[k].is_given) continue;
    Changed one;
    one.formula = k;
    one.places = numbers_of(formulas_[k].program);
    if (one.places.empty() || !find_constants(compiler_, formulas_[k].program, one)) continue;
    const CodeView code = one.program.code.view();
    const Function& function = code.functions[one.program.entry];
    if (!signature_) {
      signature_ = engine::signature_of(code, function);
      if (Problem problem = columns_.open(cases_, *signature_, row_of(options_.loss).score,
                                          options_.measure, stop_))
        return problem;
    }
    // Formulas of one search have the parameters of its sketch.
    if (engine::has_signature(code, function, *signature_, true)) all.push_back(std::move(one));
  }
  pool_.run(static_cast<u32>(all.size()), [&](u32 worker, u32 k) {
    engine::Refit& refit = workers_[worker];
    if (!stop_.stop_requested() &&
        refit.begin(columns_, all[k].program, static_cast<u32>(all[k].numbers.size())))
      change_one(refit, all[k]);
  });
  if (stop_.stop_requested()) return stopped();
  std::vector<FitFormula> changed;
  std::vector<size_t> places;
  for (const Changed& one : all) {
    if (!one.has_changed) continue;
    std::vector<f64> values;
    for (size_t k = 0; k < one.numbers.size(); ++k) values.push_back(one.signs[k] * one.numbers[k]);
    FitFormula& formula = changed.emplace_back(formulas_[one.formula]);
    formula.write(simplified_text(with_numbers(formula.program, one.places, values), nullptr,
                                  Exactness::ToRounding));
    places.push_back(one.formula);
  }
  if (Problem problem = judge(cases_, options_, JudgedRows::Training, changed, stop_))
    return problem;
  std::vector<FitFormula> monotone_ones = changed;
  if (Problem problem = monotone_.keep_monotone(monotone_ones, options_.threads, stop_))
    return problem;
  for (size_t k = 0; k < changed.size(); ++k) {
    FitFormula& own = formulas_[places[k]];
    if (changed[k].training.is_known && is_kept(changed[k].training, own.training) &&
        std::ranges::find(monotone_ones, changed[k].program, &FitFormula::program) !=
            monotone_ones.end())
      own = std::move(changed[k]);
  }
  return {};
}

}  // namespace

Problem fit_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                    const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                    const std::stop_token& stop) {
  return NumberSettler(cases, options, monotone, formulas, stop).fit();
}

Problem drop_digits(const engine::CasesTable& cases, const JudgeOptions& options,
                    const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                    const std::stop_token& stop) {
  return NumberSettler(cases, options, monotone, formulas, stop).drop_digits();
}

}  // namespace komuz::services
