// SPDX-License-Identifier: Apache-2.0
#include "services/fit/settle_numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "services/fit/fit_numbers.h"
#include "services/fit/formula_numbers.h"
#include "services/fit/select_formula.h"
#include "services/simplify/fewer_numbers.h"
#include "services/simplify/fewer_parts.h"
#include "services/simplify/small_phases.h"

namespace komuz::services {
namespace {

// At most so many rows, at equal distances.
engine::CasesTable some_of(const engine::CasesTable& cases, size_t most) {
  engine::CasesTable out = cases;
  const size_t count = cases.rows.size();
  if (count <= most) return out;
  std::vector<u32> rows;
  for (size_t k = 0; k < most; ++k) rows.push_back(static_cast<u32>(k * count / most));
  engine::keep_rows(rows, out);
  return out;
}

// A formula goes if a smaller one is as good; numbers that others make up for are so. Of two formulas of a size that
// differ in how many numbers they have, the one with more goes, unless these pay for themselves (Schwarz, 1978): it has
// the smaller loss as a rule, whatever the rows are.
void keep_shorter(std::vector<FitFormula>& formulas, const engine::CasesTable& cases,
                  FitLoss loss) {
  // A share of the loss that says nothing.
  constexpr f64 kNoLoss = 1e-6;
  const auto rows = static_cast<f64>(cases.rows.size());
  const f64 rounding = kRoundingShare * variance_of(cases, loss);
  std::vector<size_t> counts;
  for (const FitFormula& one : formulas) counts.push_back(numbers_of(one.program).size());
  const auto misfit = [&](const FormulaErrors& errors) {
    // The loss of classes is the logarithm of a likelihood already.
    if (errors.is_of_classes) return 2 * rows * errors.mean_loss;
    return rows * std::log(std::max(errors.mean_loss + rounding, std::numeric_limits<f64>::min()));
  };
  const auto is_beaten = [&](size_t own, size_t other) {
    const FitFormula &one = formulas[own], &rival = formulas[other];
    if (one.is_given || !one.training.is_known || !rival.training.is_known) return false;
    if (rival.size < one.size)
      return rival.training.mean_loss <= one.training.mean_loss * (1 + kNoLoss) + rounding;
    return rival.size == one.size && counts[other] < counts[own] &&
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

// Adds what formulas become with fewer numbers, if it is better than all smaller ones. The formulas are fitted.
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

  // Others may have shorter ones, too, or be better than they were now that they are fitted.
  Problem drop(const Shortening& shortening) {
    const std::vector<FitFormula>& others = shortening.others;
    const Parts parts = shortening.cuts_parts ? Parts::AlsoCut : Parts::Stay;
    const bool is_some = some_.rows.size() != cases_.rows.size();
    std::vector<FitFormula> front = formulas_;
    if (is_some)
      if (Problem problem = fit_numbers(some_, options_, monotone_, front, stop_)) return problem;
    std::vector<FitFormula> from = front, added;
    for (const std::vector<FitFormula>* const all : {&std::as_const(front), &others})
      for (const FitFormula& one : *all) known_.insert(one.program);
    for (u32 round = 0; round < kMostRounds && !from.empty(); ++round) {
      std::vector<FitFormula> found = shorter_than(from, parts);
      if (round == 0) {
        std::ranges::move(shorter_than(others, Parts::Stay), std::back_inserter(found));
        std::ranges::copy_if(others, std::back_inserter(found),
                             [](const FitFormula& one) { return !one.is_given; });
      }
      if (Problem problem = fit(some_, found)) return problem;
      keep_best(front, found);
      front.insert(front.end(), found.begin(), found.end());
      added.insert(added.end(), found.begin(), found.end());
      from = std::move(found);
    }
    if (is_some)
      if (Problem problem = fit(cases_, added)) return problem;
    formulas_.insert(formulas_.end(), added.begin(), added.end());
    keep_shorter(formulas_, cases_, options_.loss);
    return {};
  }

 private:
  // Parts that are not numbers. They are cut of a few formulas alone: there are many such parts.
  enum class Parts : u8 { Stay, AlsoCut };
  static constexpr size_t kMostTriedRows = 2000, kMostTried = 256;
  static constexpr u32 kMostRounds = 8;

  [[nodiscard]] std::vector<FitFormula> shorter_than(const std::vector<FitFormula>& all,
                                                     Parts parts) {
    std::vector<FitFormula> out;
    for (const FitFormula& one : all) {
      if (one.is_given || !one.training.is_known) continue;
      const size_t numbers = numbers_of(one.program).size();
      std::vector<std::string> programs = with_fewer_numbers(one.program);
      if (parts == Parts::AlsoCut)
        std::ranges::move(with_fewer_parts(one.program), std::back_inserter(programs));
      for (std::string& program : programs) {
        if (out.size() == kMostTried) return out;
        if (!known_.insert(program).second) continue;
        FitFormula made = one;
        made.write(std::move(program));
        made.training = made.held_out = {};
        if (made.size <= one.size && numbers_of(made.program).size() <= numbers)
          out.push_back(std::move(made));
      }
    }
    return out;
  }
  // Those that give a number, and are as monotone as is wanted, stay.
  Problem fit(const engine::CasesTable& cases, std::vector<FitFormula>& formulas) const {
    if (Problem problem = fit_numbers(cases, options_, monotone_, formulas, stop_)) return problem;
    std::erase_if(formulas, [](const FitFormula& one) { return !one.training.is_known; });
    return monotone_.keep_monotone(formulas, options_.threads, stop_);
  }
  // Leaves those that would be on the front.
  void keep_best(const std::vector<FitFormula>& front, std::vector<FitFormula>& found) const {
    std::vector<FitFormula> all = front;
    all.insert(all.end(), found.begin(), found.end());
    keep_shorter(all, some_, options_.loss);
    keep_front(all);
    std::erase_if(found, [&](const FitFormula& one) {
      return std::ranges::find(all, one.program, &FitFormula::program) == all.end();
    });
  }

  const engine::CasesTable& cases_;
  const JudgeOptions& options_;
  const MonotoneCheck& monotone_;
  std::vector<FitFormula>& formulas_;
  const std::stop_token& stop_;
  const engine::CasesTable some_;
  std::set<std::string> known_;
};

// Numbers in sines and cosines lose their whole periods.
Problem take_small_phases(const engine::CasesTable& cases, const JudgeOptions& options,
                          std::vector<FitFormula>& formulas, const std::stop_token& stop) {
  for (FitFormula& one : formulas) {
    std::string program = one.is_given ? std::string() : with_small_phases(one.program);
    if (program.empty()) continue;
    std::vector<FitFormula> made(1, one);
    made[0].write(std::move(program));
    if (made[0].size > one.size) continue;
    if (Problem problem = judge(cases, options, JudgedRows::Training, made, stop)) return problem;
    if (made[0].training.is_known) one = std::move(made[0]);
  }
  return {};
}

}  // namespace

Problem settle_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                       const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                       const Shortening* shortening, const std::stop_token& stop) {
  if (Problem problem = fit_numbers(cases, options, monotone, formulas, stop)) return problem;
  if (shortening != nullptr)
    if (Problem problem = NumberDropper(cases, options, monotone, formulas, stop).drop(*shortening))
      return problem;
  if (Problem problem = take_small_phases(cases, options, formulas, stop)) return problem;
  return drop_digits(cases, options, monotone, formulas, stop);
}

}  // namespace komuz::services
