// SPDX-License-Identifier: Apache-2.0
#include "services/fit/settle_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "services/fit/fit_numbers.h"
#include "services/fit/formula_numbers.h"
#include "services/fit/select_formula.h"
#include "services/simplify/fewer_numbers.h"

namespace komuz::services {
namespace {

// At most so many rows, at equal distances.
engine::CasesTable some_of(const engine::CasesTable& cases, size_t most) {
  engine::CasesTable out = cases;
  const size_t count = cases.rows.size(), columns = cases.columns.size();
  if (count <= most) return out;
  out.rows.clear();
  out.cells.clear();
  for (size_t k = 0; k < most; ++k) {
    const size_t row = k * count / most;
    out.rows.push_back(cases.rows[row]);
    for (size_t column = 0; column < columns; ++column)
      out.cells.push_back(cases.cell(row, column));
  }
  return out;
}

// Of two formulas of a size that differ in how many numbers they have, the one with more goes, unless these pay for
// themselves (Schwarz, 1978): it has the smaller loss as a rule, whatever the rows are.
void prefer_fewer_numbers(std::vector<FitFormula>& formulas, const engine::CasesTable& cases) {
  const auto rows = static_cast<f64>(cases.rows.size());
  const f64 rounding = kRoundingShare * variance_of(cases);
  std::vector<size_t> counts;
  for (const FitFormula& one : formulas) counts.push_back(numbers_of(one.program).size());
  const auto misfit = [&](const FormulaErrors& errors) {
    // The loss of classes is the logarithm of a likelihood already.
    if (errors.is_of_classes) return 2 * rows * errors.mean_loss;
    return rows * std::log(std::max(errors.mean_loss + rounding, std::numeric_limits<f64>::min()));
  };
  const auto is_beaten = [&](size_t own, size_t other) {
    const FitFormula &one = formulas[own], &rival = formulas[other];
    return rival.size == one.size && counts[other] < counts[own] && !one.is_given &&
           one.training.is_known && rival.training.is_known &&
           misfit(rival.training) - misfit(one.training) <
               static_cast<f64>(counts[own] - counts[other]) * std::log(rows);
  };
  std::vector<FitFormula> kept;
  for (size_t own = 0; own < formulas.size(); ++own) {
    bool stays = true;
    for (size_t other = 0; other < formulas.size() && stays; ++other)
      stays = !is_beaten(own, other);
    if (stays) kept.push_back(formulas[own]);
  }
  formulas = std::move(kept);
}

// Adds what formulas become with fewer numbers, if it is better than all smaller ones; a formula that is no better than
// what it becomes goes. The formulas are fitted.
class NumberDropper {
 public:
  NumberDropper(const engine::CasesTable& cases, const JudgeOptions& options,
                const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                const std::stop_token& stop)
      : cases_(cases),
        options_(options),
        monotone_(monotone),
        formulas_(formulas),
        stop_(stop),
        some_(some_of(cases, kMostTriedRows)) {}

  // `others`: they may have shorter ones, too, or be better than they were now that they are fitted.
  Problem drop(const std::vector<FitFormula>& others) {
    std::vector<FitFormula> from = formulas_;
    from.insert(from.end(), others.begin(), others.end());
    for (const FitFormula& one : from) known_.insert(one.program);
    for (u32 round = 0; round < kMostRounds && !from.empty(); ++round) {
      std::vector<Shorter> found = shorter_than(from);
      if (round == 0)
        for (const FitFormula& one : others)
          if (!one.is_given) found.push_back({one, {}});
      if (Problem problem = keep_best(found)) return problem;
      from.clear();
      for (const Shorter& one : found) from.push_back(one.formula);
      add(std::move(found));
      prefer_fewer_numbers(formulas_, cases_);
    }
    return {};
  }

 private:
  static constexpr size_t kMostTriedRows = 2000, kMostTried = 256;
  static constexpr u32 kMostRounds = 5;
  // A share of the loss that says nothing.
  static constexpr f64 kNoLoss = 1e-6;

  struct Shorter {
    FitFormula formula;
    std::string of;  // the program that it was made of; empty: it was found
  };

  [[nodiscard]] std::vector<Shorter> shorter_than(const std::vector<FitFormula>& all) {
    std::vector<Shorter> out;
    for (const FitFormula& one : all) {
      if (one.is_given || !one.training.is_known) continue;
      for (std::string& program : with_fewer_numbers(one.program)) {
        if (out.size() == kMostTried) return out;
        if (!known_.insert(program).second) continue;
        Shorter made{one, one.program};
        made.formula.write(std::move(program));
        made.formula.training = made.formula.held_out = {};
        if (made.formula.size <= one.size &&
            numbers_of(made.formula.program).size() <= numbers_of(one.program).size())
          out.push_back(std::move(made));
      }
    }
    return out;
  }
  // On some rows, and what is left on all of them.
  Problem keep_best(std::vector<Shorter>& found) const {
    const bool is_some = some_.rows.size() != cases_.rows.size();
    if (Problem problem = fit_all(some_, found)) return problem;
    std::vector<FitFormula> front = formulas_;
    if (is_some)
      if (Problem problem = fit_numbers(some_, options_, monotone_, front, stop_)) return problem;
    for (const Shorter& one : found) front.push_back(one.formula);
    prefer_fewer_numbers(front, some_);
    keep_front(front);
    std::erase_if(found, [&](const Shorter& one) {
      return std::ranges::find(front, one.formula.program, &FitFormula::program) == front.end();
    });
    return is_some ? fit_all(cases_, found) : Problem();
  }
  // Those that give a number, and are as monotone as is wanted, stay.
  Problem fit_all(const engine::CasesTable& cases, std::vector<Shorter>& found) const {
    std::vector<FitFormula> formulas;
    for (const Shorter& one : found) formulas.push_back(one.formula);
    if (Problem problem = fit_numbers(cases, options_, monotone_, formulas, stop_)) return problem;
    for (size_t k = 0; k < found.size(); ++k) found[k].formula = formulas[k];
    std::erase_if(formulas, [](const FitFormula& one) { return !one.training.is_known; });
    if (Problem problem = monotone_.keep_monotone(formulas, options_.threads, stop_))
      return problem;
    std::erase_if(found, [&](const Shorter& one) {
      return std::ranges::find(formulas, one.formula.program, &FitFormula::program) ==
             formulas.end();
    });
    return {};
  }
  void add(std::vector<Shorter> found) {
    const f64 rounding = kRoundingShare * variance_of(cases_);
    for (Shorter& one : found) {
      const f64 loss = one.formula.training.mean_loss;
      std::erase_if(formulas_, [&](const FitFormula& longer) {
        return longer.program == one.of &&
               loss <= longer.training.mean_loss * (1 + kNoLoss) + rounding;
      });
      formulas_.push_back(std::move(one.formula));
    }
  }

  const engine::CasesTable& cases_;
  const JudgeOptions& options_;
  const MonotoneCheck& monotone_;
  std::vector<FitFormula>& formulas_;
  const std::stop_token& stop_;
  const engine::CasesTable some_;
  std::set<std::string> known_;
};

}  // namespace

Problem settle_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                       const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                       const std::vector<FitFormula>& others, const std::stop_token& stop) {
  if (Problem problem = fit_numbers(cases, options, monotone, formulas, stop)) return problem;
  if (Problem problem = NumberDropper(cases, options, monotone, formulas, stop).drop(others))
    return problem;
  return drop_digits(cases, options, monotone, formulas, stop);
}

}  // namespace komuz::services
