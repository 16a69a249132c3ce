// SPDX-License-Identifier: Apache-2.0
// The texts of the best candidates of a run. They stand between the source of the candidates and the run, and between the run
// and its sink: texts that come by are kept for as long as their candidates are among the best so far. So a stream is
// enough, and memory does not grow with it.
#pragma once
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/candidates/evaluate_options.h"

namespace komuz::services {

struct RankedProgram {
  std::string id;
  std::string text;  // as it was compiled
};

// Of candidates that are programs. Each that is read has a row, in the same order: they are no part of a shard.
class BestPrograms final : public engine::CandidateSource, public engine::ResultSink {
 public:
  // Of so many of the best; both outlive it.
  BestPrograms(engine::CandidateSource& source, engine::ResultSink& sink, u64 most)
      : source_(source), sink_(sink), most_(most) {}

  void read(engine::CandidateBatch& batch, size_t most) override;
  void set_stop(const std::stop_token& stop) override { source_.set_stop(stop); }
  [[nodiscard]] std::optional<u64> total() const override { return source_.total(); }
  Problem problem() const override { return source_.problem(); }

  void on_result(const engine::Results& results, u32 row) override;

  // So far, in the order of the ranking. Programs with the same tokens are there once, and those without a score are not.
  [[nodiscard]] std::vector<RankedProgram> programs() const;

 private:
  struct Kept {
    engine::RankKey key;
    RankedProgram program;
  };

  engine::CandidateSource& source_;
  engine::ResultSink& sink_;
  u64 most_;
  std::mutex mutex_;                   // candidates may be read while others get their rows
  std::deque<RankedProgram> waiting_;  // for their rows
  std::vector<Kept> best_;             // in the order of the ranking
};

}  // namespace komuz::services
