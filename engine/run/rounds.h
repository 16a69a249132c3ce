// SPDX-License-Identifier: Apache-2.0
// Candidates that come round by round, as from a model in a loop: evaluate() that goes on. Whatever stays the same is kept between the
// rounds: threads and their compilers, cases and their types, modules, what a device holds, and all that is known of programs and
// behaviours. Rows, ranking and log are those of evaluate() of the candidates of all rounds, one after the other.
//
// One thing depends on the rounds: the slow candidates of a block (block_budget.h) that a round leaves incomplete are judged by those of the
// block that there are, as those of a run that goes on with more candidates.
#pragma once
#include <functional>
#include <memory>
#include <stop_token>

#include "engine/candidates/evaluate_options.h"

namespace komuz::engine {

// Used by one thread at a time.
class Rounds {
 public:
  // What is named here outlives it. A stop ends it: what was finished stays, and there is no further round.
  Rounds(const CasesTable& cases, const EvaluateOptions& options, Results& out, ResultSink* sink,
         ProgressSink* progress, const std::stop_token& stop);
  ~Rounds();

  // Called once, before all else. An error concerns the options, or the cases, which do not fit the stated signature.
  Problem begin();
  // Evaluates all candidates of the source. An error, such as that of a log that cannot be written, ends it, too.
  Problem run(CandidateSource& candidates);
  // May there be further rounds?
  [[nodiscard]] bool goes_on() const;
  // Ranks all rows, and finds out what results tell of the best ones. `take` sees them so, also behind an error, and may change them while
  // nobody else looks (`rows_mutex`). The next round goes on from there.
  Problem rank(const std::function<void()>& take = {});
  // Ranks, and writes the end of the log. Nothing follows.
  Problem end(const std::function<void()>& take = {});

 private:
  Problem rank_now();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace komuz::engine
