// SPDX-License-Identifier: Apache-2.0
// The candidates of an epoch: those of the shard, as many as the epoch takes. All others are read, too, as there may be
// something to learn from them.
#pragma once
#include <functional>
#include <stop_token>

#include "engine/candidates/candidates.h"
#include "engine/candidates/evaluate_options.h"

namespace komuz::engine {

class EpochReader {
 public:
  EpochReader(const EvaluateOptions& options, const Results& results, std::stop_token stop)
      : options_(options), results_(results), stop_(std::move(stop)) {}

  // Told of each candidate in input order, whether it is of the shard or not. May refuse it, by its error.
  using See = std::function<Problem(Candidate& candidate, bool is_own)>;
  // Reads candidates of the shard into the batch. There are none at the end, and where a stop came, which may have cut short
  // what was read.
  Problem read(CandidateSource& source, u32 most, const See& see) {
    batch_.clear();
    return read_more(source, most, see);
  }
  // The same behind those that the batch has; `most` is of all. Where a stop came none of it is there.
  Problem read_more(CandidateSource& source, u32 most, const See& see);
  [[nodiscard]] const CandidateBatch& batch() const { return batch_; }
  // A text that lasts as long as the batch, for the error of one of its candidates.
  [[nodiscard]] std::string_view keep(std::string_view text) { return batch_.keep(text); }

 private:
  const EvaluateOptions& options_;
  const Results& results_;
  std::stop_token stop_;
  CandidateBatch batch_, others_;   // of the shard; of other shards
  std::vector<Candidate> dropped_;  // of a stop: of a million it takes long to give back
  u64 position_ = 0;                // in the input, behind the batch
};

}  // namespace komuz::engine
