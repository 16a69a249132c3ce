// SPDX-License-Identifier: Apache-2.0
// The candidates of an epoch: those of the shard, as many as the epoch takes. The others are read as well, since the
// run may learn from them.
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

  // Told of each candidate in input order, whether it belongs to the shard or not. An error refuses the candidate.
  using See = std::function<Problem(Candidate& candidate, bool is_own)>;
  // Reads candidates of the shard into the batch. The batch is empty at the end, and after a stop, which may have
  // interrupted the reading.
  Problem read(CandidateSource& source, u32 most, const See& see) {
    batch_.clear();
    return read_more(source, most, see);
  }
  // The same behind the candidates of the batch; `most` counts all. After a stop nothing is added.
  Problem read_more(CandidateSource& source, u32 most, const See& see);
  [[nodiscard]] const CandidateBatch& batch() const { return batch_; }
  // Keeps a text as long as the batch, for an error of one of its candidates.
  [[nodiscard]] std::string_view keep(std::string_view text) { return batch_.keep(text); }

 private:
  const EvaluateOptions& options_;
  const Results& results_;
  std::stop_token stop_;
  CandidateBatch batch_, others_;   // of the shard; of other shards
  std::vector<Candidate> dropped_;  // after a stop: freeing a million candidates takes long
  u64 position_ = 0;                // in the input, behind the batch
};

}  // namespace komuz::engine
