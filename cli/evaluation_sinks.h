// SPDX-License-Identifier: Apache-2.0
// What is told of an evaluation while it goes on: rows of a stream, the first problems, the progress bar.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/candidate_input.h"
#include "cli/evaluation_request.h"
#include "cli/terminal.h"
#include "engine/evaluate.h"

namespace komuz::cli {

// Writes rows as they come, and keeps a few lines on what went wrong for the end.
class RowSink final : public engine::ResultSink {
 public:
  RowSink(const EvaluationRequest& request, Stream& out) : request_(request), out_(out) {}

  void on_result(const engine::Results& results, u32 row) override;

  [[nodiscard]] u64 rows() const { return rows_; }
  [[nodiscard]] bool any_scored() const { return any_scored_; }
  // What did not run is always worth a line; a failing case only where there are few candidates.
  [[nodiscard]] std::string problems() const;

 private:
  static constexpr u64 kShownProblems = 3;
  struct Problems {
    u64 count = 0, shown = 0;
    std::string lines;                    // of the first few
    std::vector<std::string_view> codes;  // of the diagnostics in them: a kind is shown once

    void add(const engine::Results& results, u32 row);
  };

  const EvaluationRequest& request_;
  Stream& out_;
  std::string line_;
  Problems not_run_, failures_;
  u64 rows_ = 0;
  bool any_scored_ = false;
};

class BarSink final : public engine::ProgressSink {
 public:
  BarSink(const CandidateInput& input, Stream& stream) : input_(input), bar_(stream) {}

  void on_progress(u64 done, std::optional<u64> total) override;
  void clear() { bar_.clear(); }

 private:
  const CandidateInput& input_;
  ProgressBar bar_;
};

}  // namespace komuz::cli
