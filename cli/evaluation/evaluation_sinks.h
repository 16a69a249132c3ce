// SPDX-License-Identifier: Apache-2.0
// The output of an evaluation while it runs: rows of a stream, the first problems, the progress bar.
#pragma once
#include <span>
#include <string>

#include "cli/evaluation/rank_requests.h"
#include "cli/process/interrupt.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/results/equal_ids.h"
#include "services/files/candidate_input.h"
#include "services/options/evaluation_request.h"
#include "services/results/problem_text.h"
#include "services/results/warning_notes.h"

namespace komuz::cli {

// Writes rows as they come, and keeps a few lines on problems for the end.
class RowSink final : public engine::ResultSink {
 public:
  RowSink(const services::EvaluationRequest& request, Stream& out);

  void on_result(const engine::Results& results, u32 row) override;

  // For a stream that is answered line by line.
  void answer_ranks(services::CandidateInput& input);
  [[nodiscard]] bool has_answered_ranks() const { return ranks_.has_answered(); }

  // Problems are shown for rows of the table; and all variants of a sketch run.
  [[nodiscard]] bool needs_best_alone() const override {
    return request_.options.programs.sketch != nullptr && !request_.streams();
  }
  [[nodiscard]] bool any_scored() const { return any_scored_; }
  // For rows that the table shows, and for those that did not run.
  [[nodiscard]] std::string problems(const engine::Results& results,
                                     std::span<const u32> shown) const {
    return problems_.text(results, shown);
  }
  // For candidates; variants of a sketch have names of their own.
  [[nodiscard]] const engine::EqualIds& equal_ids() const { return equal_ids_; }
  // The same; callers that know more of a program add to it.
  [[nodiscard]] services::Warnings& warnings() { return warnings_; }

 private:
  const services::EvaluationRequest& request_;
  Stream& out_;
  std::string line_;
  RankRequests ranks_;
  services::Problems problems_;
  engine::EqualIds equal_ids_;
  services::Warnings warnings_;
  bool any_scored_ = false;
};

class BarSink final : public engine::ProgressSink {
 public:
  // `parts`: the number of shards of the run.
  BarSink(const services::CandidateInput& input, u32 parts, Terminal& terminal,
          Interrupt& interrupt)
      : input_(input), parts_(parts), bar_(terminal), interrupt_(interrupt) {
    on_progress(0, std::nullopt);
    interrupt_.set_tick([this] { bar_.tick(); });
  }
  ~BarSink() override { interrupt_.set_tick({}); }
  BarSink(const BarSink&) = delete;
  BarSink& operator=(const BarSink&) = delete;

  void on_progress(u64 done, std::optional<u64> total) override;
  void clear() { bar_.clear(); }

 private:
  const services::CandidateInput& input_;
  u32 parts_;
  ProgressBar bar_;
  Interrupt& interrupt_;
};

}  // namespace komuz::cli
