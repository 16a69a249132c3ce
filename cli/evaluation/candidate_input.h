// SPDX-License-Identifier: Apache-2.0
// The candidates that a command line names, as a source for the engine: files, folders, JSONL files, standard input.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

#include "cli/files/files.h"
#include "engine/candidates/candidates.h"

namespace komuz::cli {

class CandidateInput {
 public:
  CandidateInput();
  ~CandidateInput();

  // Fails when a path does not exist. Files are read when their turn comes: one that cannot be read then is a refused
  // candidate. A read that waits on a stream ends when `stop` is requested.
  Problem open(std::span<const std::string_view> words, const std::stop_token& stop);

  // Of the requests for the best so far in streams; without it they are no candidates. After open().
  void answer_ranks(const engine::AskRank& ask);

  [[nodiscard]] engine::CandidateSource& source();
  // After the end of the source: why candidates may be missing.
  Problem problem() const;
  [[nodiscard]] u64 bytes_read() const;
  // What part of all candidates so many are, from 0 to 1: of JSONL that is read in part by the length of its lines so
  // far. Negative where the end is not known.
  [[nodiscard]] double fraction_of(u64 candidates) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace komuz::cli
