// SPDX-License-Identifier: Apache-2.0
// Fits the numbers of what a search proposes, before it is looked at: proposals on some of the cases, those that are to become exact on
// all of them (number_fit.h). A proposal's numbers follow from it and from the cases alone.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "engine/results/results.h"
#include "engine/search/number_fit.h"

namespace komuz::engine {

class NumberFits {
 public:
  // `sketch` outlives it, and has no obstacle. `entry`: as in ProgramOptions.
  NumberFits(const SketchProgram& sketch, ScoreKind score, std::string entry,
             std::optional<Signature> signature)
      : sketch_(sketch),
        fits_line_(fits_line(score)),
        entry_(std::move(entry)),
        signature_(std::move(signature)) {}
  // True for scores that measure squares.
  [[nodiscard]] static bool measures(ScoreKind score) {
    const ScoreRow row = score_row(score);
    return row.sums == ScoreSum::Line ||
           (row.sums == ScoreSum::Errors && row.error == ErrorKind::Squared);
  }

  // Takes the cases from the first results that have some.
  void see(const Results& results);
  // Cases are known, and they are such that numbers are fitted to.
  [[nodiscard]] bool can_fit() const { return some_ != nullptr; }
  // For so many threads.
  void use_workers(u32 workers);
  void fit(u32 worker, Decisions& decisions);
  // False: the numbers of this variant have to be fitted in another way.
  [[nodiscard]] bool fit_all(Decisions& decisions);

 private:
  const SketchProgram& sketch_;
  bool fits_line_;
  std::string entry_;
  std::optional<Signature> signature_;
  bool has_seen_ = false;
  u32 function_ = 0;
  std::unique_ptr<FitCases> some_, all_;
  std::vector<std::unique_ptr<NumberFit>> workers_;
};

}  // namespace komuz::engine
