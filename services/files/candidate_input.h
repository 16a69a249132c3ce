// SPDX-License-Identifier: Apache-2.0
// The candidates that a command line names, as a source for the engine: files, folders, JSONL files, standard input.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

#include "engine/candidates/candidates.h"
#include "services/files/files.h"

namespace komuz::services {

class CandidateInput {
 public:
  CandidateInput();
  ~CandidateInput();

  // Fails if a path does not exist. Files are read when their turn comes; a file that cannot be read then is a
  // refused candidate. A read that waits on a stream ends when `stop` is requested.
  Problem open(std::span<const std::string_view> words, const std::stop_token& stop);

  // Sets who answers requests for the best so far in streams; without an answerer, requests count as candidates.
  // Called after open().
  void answer_ranks(const engine::AskRank& ask);

  [[nodiscard]] engine::CandidateSource& source();
  // After the end of the source: why candidates may be missing.
  Problem problem() const;
  [[nodiscard]] u64 bytes_read() const;
  // The fraction of all candidates, from 0 to 1; for partly read JSONL, it is estimated from the length of its lines
  // so far. Negative if the end is not known.
  [[nodiscard]] double fraction_of(u64 candidates) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace komuz::services
