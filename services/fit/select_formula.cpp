// SPDX-License-Identifier: Apache-2.0
#include "services/fit/select_formula.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "engine/cases/cases_table.h"
#include "services/fit/formula_numbers.h"

namespace komuz::services {
namespace {

// A loss that is this share of the expected values' variance is nothing but rounding.
constexpr f64 kRounding = 1e-20;
bool is_rounding(const FormulaErrors& errors) {
  return errors.has_unexplained && errors.unexplained <= kRounding;
}

// The errors that formulas are chosen by.
struct Judged {
  const std::vector<FitFormula>& front;
  bool is_held_out = false;

  explicit Judged(const std::vector<FitFormula>& all)
      : front(all), is_held_out(std::ranges::any_of(all, [](const FitFormula& one) {
          return one.held_out.is_known;
        })) {}
  [[nodiscard]] const FormulaErrors& errors(size_t k) const {
    return is_held_out ? front[k].held_out : front[k].training;
  }
  [[nodiscard]] f64 loss(size_t k) const {
    return errors(k).is_known ? errors(k).mean_loss : std::numeric_limits<f64>::infinity();
  }
  // The one with the smallest loss, of at most this size.
  [[nodiscard]] std::optional<size_t> best(u32 most = ~u32{0}) const {
    std::optional<size_t> out;
    for (size_t k = 0; k < front.size(); ++k)
      if (errors(k).is_known && front[k].size <= most && (!out || loss(k) < loss(*out))) out = k;
    return out;
  }
  [[nodiscard]] std::string_view rows() const {
    return is_held_out ? "the rows that are held out" : "the rows of the search";
  }
};

// A loss that is larger by this share does not matter, even where it is clear: two formulas that are nearly the same
// have the same noise.
constexpr f64 kNoMatter = 0.01;
// True if the loss of one is not clearly above that of the other.
bool is_within_error(const FormulaErrors& one, const FormulaErrors& best) {
  if (is_rounding(one)) return true;
  const size_t count = std::min(one.losses.size(), best.losses.size());
  if (count < 2) return one.mean_loss <= best.mean_loss;
  const auto n = static_cast<f64>(count);
  f64 mean = 0;
  for (size_t k = 0; k < count; ++k) mean += (one.losses[k] - best.losses[k]) / n;
  f64 squares = 0;
  for (size_t k = 0; k < count; ++k) {
    const f64 off = one.losses[k] - best.losses[k] - mean;
    squares += off * off;
  }
  return mean <= std::max(std::sqrt(squares / (n - 1) / n), kNoMatter * best.mean_loss);
}

// One that a smaller formula beats is never taken, however much its losses differ from those of the best.
Selected select_smallest(const Judged& judged, size_t best) {
  f64 least = std::numeric_limits<f64>::infinity();
  for (size_t k = 0; k < best; ++k) {
    if (!(judged.loss(k) < least)) continue;
    least = judged.loss(k);
    if (is_within_error(judged.errors(k), judged.errors(best)))
      return {k, "the smallest whose error is within that of the best on " +
                     std::string(judged.rows())};
  }
  return {best, "the smallest error on " + std::string(judged.rows())};
}

// With nothing held out, size has to pay for itself.
Selected select_by_information(const Judged& judged, size_t best) {
  f64 variance = 0;
  for (size_t k = 0; k <= best && variance == 0; ++k)
    if (const FormulaErrors& one = judged.errors(k);
        one.is_known && one.has_unexplained && one.unexplained > 0)
      variance = one.mean_loss / one.unexplained;
  // Rows beside a pole show it. Where a formula without one explains them all, it was made up.
  constexpr f64 kUnexplained = 0.01;
  const bool explains_without_poles = std::ranges::any_of(judged.front, [&](const FitFormula& one) {
    return !one.has_poles && one.training.has_unexplained &&
           one.training.unexplained < kUnexplained;
  });
  size_t chosen = best;
  f64 smallest = std::numeric_limits<f64>::infinity();
  for (size_t k = 0; k <= best; ++k) {
    if (!judged.errors(k).is_known) continue;
    const size_t count = judged.errors(k).losses.size();
    if (judged.front[k].has_poles && explains_without_poles) continue;
    // Numbers can be made to fit as many rows as there are numbers, whatever the formula is.
    if (k != 0 && 2 * numbers_of(judged.front[k].program).size() > count) continue;
    const auto rows = static_cast<f64>(count);
    const f64 loss =
        std::max({judged.loss(k), kRounding * variance, std::numeric_limits<f64>::min()});
    // The loss of classes is the logarithm of a likelihood already.
    const f64 misfit =
        judged.errors(k).is_of_classes ? 2 * rows * judged.loss(k) : rows * std::log(loss);
    const f64 cost = misfit + judged.front[k].size * std::log(std::max(rows, 2.0));
    if (!(cost < smallest)) continue;
    smallest = cost;
    chosen = k;
  }
  return {chosen, "the best trade of size for error on " + std::string(judged.rows())};
}

// The one that is farthest below the line from the smallest formula to the best, in size and in the logarithm of the loss (Satopää and
// others, 2011).
Selected select_knee(const Judged& judged, size_t best) {
  const auto log_loss = [&](size_t k) {
    return std::log(std::max(judged.loss(k), std::numeric_limits<f64>::min()));
  };
  size_t first = 0;
  while (first < best && !judged.errors(first).is_known) ++first;
  size_t chosen = best;
  f64 farthest = 0;
  for (size_t k = first; k < best; ++k) {
    if (!judged.errors(k).is_known) continue;
    const f64 across = static_cast<f64>(judged.front[k].size - judged.front[first].size) /
                       static_cast<f64>(judged.front[best].size - judged.front[first].size);
    const f64 up = (log_loss(k) - log_loss(best)) / (log_loss(first) - log_loss(best));
    if (1 - across - up > farthest) {
      farthest = 1 - across - up;
      chosen = k;
    }
  }
  return {chosen, "the knee of size and error on " + std::string(judged.rows())};
}

}  // namespace

void keep_front(std::vector<FitFormula>& formulas) {
  std::erase_if(formulas, [](const FitFormula& one) { return !one.training.is_known; });
  std::ranges::stable_sort(formulas, [](const FitFormula& a, const FitFormula& b) {
    if (a.size != b.size) return a.size < b.size;
    if (a.training.mean_loss != b.training.mean_loss)
      return a.training.mean_loss < b.training.mean_loss;
    return a.text < b.text;
  });
  // Near copies, whose numbers differ by rounding, are no better.
  constexpr f64 kLeastGain = 1e-9;
  f64 least = std::numeric_limits<f64>::infinity();
  bool is_done = false;
  std::erase_if(formulas, [&](const FitFormula& one) {
    if (is_done || !(one.training.mean_loss < least * (1 - kLeastGain))) return true;
    least = one.training.mean_loss;
    is_done = is_rounding(one.training);
    return false;
  });
}

Result<Selection> read_selection(std::string_view text) {
  if (text == "smallest") return Selection{SelectBy::Smallest};
  if (text == "knee") return Selection{SelectBy::Knee};
  if (text == "best") return Selection{SelectBy::Best};
  std::string_view number = text;
  if (number.starts_with("size")) {
    number.remove_prefix(4);
    while (!number.empty() && (number[0] == ' ' || number[0] == '=' || number[0] == ':'))
      number.remove_prefix(1);
  }
  Selection out{SelectBy::Size};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), out.size);
  if (error == std::errc() && end == number.data() + number.size() && out.size != 0) return out;
  return option_problem("`--select` takes smallest, knee, best or a size such as `size 7`, not " +
                            engine::shown(text),
                        {});
}

std::string selection_text(const Selection& selection) {
  switch (selection.by) {
    case SelectBy::Smallest: return "smallest";
    case SelectBy::Knee: return "knee";
    case SelectBy::Best: return "best";
    case SelectBy::Size: break;
  }
  return "size " + std::to_string(selection.size);
}

std::optional<Selected> select_formula(const std::vector<FitFormula>& front,
                                       const Selection& selection) {
  const Judged judged(front);
  const std::optional<size_t> best = judged.best();
  if (!best) return std::nullopt;
  switch (selection.by) {
    case SelectBy::Smallest:
      return judged.is_held_out ? select_smallest(judged, *best)
                                : select_by_information(judged, *best);
    case SelectBy::Knee: return select_knee(judged, *best);
    case SelectBy::Best:
      return Selected{*best, "the smallest error on " + std::string(judged.rows())};
    case SelectBy::Size: break;
  }
  const std::optional<size_t> fitting = judged.best(selection.size);
  if (!fitting)
    return Selected{0, "the smallest there is: none has a size of " +
                           std::to_string(selection.size) + " or less"};
  return Selected{*fitting, "the best one of size " + std::to_string(selection.size) + " or less"};
}

}  // namespace komuz::services
