// SPDX-License-Identifier: Apache-2.0
// The lines below the ranking about candidates that failed or did not run.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/failure_text.h"
#include "engine/results/results.h"

namespace komuz::services {

[[nodiscard]] std::string joined(std::span<const std::string> parts);
// "case on line 4, x = 1.5: expected 2.0, found trap DIV_ZERO at 3:5"
[[nodiscard]] std::string failure_line(const engine::FailureText& failure);
// The first failing case of a candidate: the line above, or a block of lines if it is wider than `width`. `kind`: what kind of case
// that is, behind the id, which is cut where both take too much: ", worst".
[[nodiscard]] std::string failure_text(std::string_view id, const engine::FailureText& failure,
                                       u32 width, std::string_view kind = {});
inline constexpr std::string_view kWorstKind = ", worst";

// The worst cases of the best candidate, a line or block each: "c12, worst: case on line 4, …"; empty if there are none.
[[nodiscard]] std::string worst_text(const engine::Results& results, u32 width);

// Keeps a few lines while results come, since their details may not be kept.
class Problems {
 public:
  using Findings = std::function<engine::FindingsText(u32 row)>;

  // `failures`: for how many of the best that failed lines are kept.
  Problems(u32 width, size_t failures) : width_(width), most_failures_(failures) {}

  // Called for every row, in input order; details are asked for only a few.
  void add(const engine::Results& results, u32 row, const Findings& findings);
  // First the best that failed, among the rows that are `shown`; then those that did not run, and sketches.
  [[nodiscard]] std::string text(const engine::Results& results, std::span<const u32> shown) const;

 private:
  static constexpr u64 kShown = 3;
  struct Failed {
    engine::RankKey key;
    std::string id, text;
  };
  void add_failed(const engine::Results& results, u32 row, const Findings& findings);
  void add_not_run(const engine::Results& results, u32 row, const Findings& findings);
  void add_over_budget(const engine::Results& results, u32 row, const Findings& findings);

  u32 width_;
  size_t most_failures_;
  std::vector<Failed> failed_;  // the best so far, best first
  void add_sketch(const engine::Results& results, u32 row, const Findings& findings);

  u64 not_run_ = 0, not_run_shown_ = 0, sketches_ = 0, sketches_shown_ = 0;
  std::string not_run_lines_, over_budget_line_, sketch_lines_;
  std::vector<std::string_view> codes_;  // of diagnostics in the lines: each kind is shown once
};

}  // namespace komuz::services
