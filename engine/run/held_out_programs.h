// SPDX-License-Identifier: Apache-2.0
// The programs that are run on the cases that are held out: those that a table shows, and those on the Pareto front. Which they are
// is known at the end, so the texts of all that may be among them are kept until then. A workspace for one thread.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/candidates/evaluate_options.h"
#include "engine/run/candidate_runner.h"

namespace komuz::engine {

class HeldOutPrograms {
 public:
  explicit HeldOutPrograms(const RankingOptions& options) : options_(options) {}

  // Takes the row of a candidate that is no duplicate; all come in input order.
  void see(const ResultRow& row, const Candidate& candidate);
  // Loads the modules that a text names.
  using LoadModules = std::function<Problem(std::string_view source)>;
  // Runs them on the held-out cases of the ranked results. `runner` has run nothing else. A correlation uses the line that fits the
  // other cases; `trained`, which knows those cases, runs each candidate on them again to get it. Those that a stop leaves over have
  // no result.
  Problem run(CandidateRunner& trained, CandidateRunner& runner, const LoadModules& load,
              const std::stop_token& stop, Results& results) const;

 private:
  struct Program {
    RankKey key;
    u64 behaviour = 0;
    std::string id, source;  // of a variant the source is sketch_
    std::vector<u32> decisions;
    u64 number = Candidate::kNoNumber;
  };
  using ProgramRef = std::shared_ptr<const Program>;
  using Place = std::pair<RankKey, u64>;  // programs with equal keys are in input order
  using Ranked = std::map<Place, ProgramRef>;

  [[nodiscard]] Candidate candidate_of(const Program& program) const;
  [[nodiscard]] bool gets_among_best(const Program& program) const;
  [[nodiscard]] bool gets_on_front(const RankKey& key) const;
  void add_to_best(const Place& place, const ProgramRef& program);
  void add_to_front(const Place& place, const ProgramRef& program);
  [[nodiscard]] Problem run_program(const Program& program, u32 row, CandidateRunner& trained,
                                    CandidateRunner& runner, const std::stop_token& stop,
                                    Results& results) const;

  const RankingOptions& options_;
  u64 seen_ = 0;
  std::string sketch_;
  Ranked best_, front_;
  std::unordered_map<u64, Place> by_behaviour_;  // of the best, where each behaviour counts once
};

}  // namespace komuz::engine
