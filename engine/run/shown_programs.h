// SPDX-License-Identifier: Apache-2.0
// The programs that more is found out of at the end of a run: those that a table shows, and those on the Pareto front. They are run on
// the cases that are held out, and their worst cases are looked for. Which they are is known at the end, so the texts of all that may be
// among them are kept until then. A workspace for one thread.
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
#include "engine/results/worst_cases.h"
#include "engine/run/candidate_runner.h"

namespace komuz::engine {

class ShownPrograms {
 public:
  explicit ShownPrograms(const EvaluateOptions& options)
      : options_(options.ranking),
        worst_cases_(has_worst_cases(options.ranking.score) ? options.details.worst_cases : 0),
        worst_rows_(options.details.worst_rows) {}

  [[nodiscard]] bool are_wanted() const {
    return options_.held_out != nullptr || worst_cases_ != 0;
  }
  // Takes the row of a candidate that is no duplicate; all come in input order.
  void see(const ResultRow& row, const Candidate& candidate);
  // Loads the modules that a text names.
  using LoadModules = std::function<Problem(std::string_view source)>;
  struct Runners {
    CandidateRunner& trained;   // knows the cases of the run
    CandidateRunner& scored;    // … and keeps case scores
    CandidateRunner& held_out;  // has run nothing else than cases that are held out
  };
  // Runs them once more, for the ranked results. A correlation uses the line that fits the other cases on those that are held out.
  // Those that a stop leaves over have no result.
  Problem run(const Runners& runners, const LoadModules& load, const std::stop_token& stop,
              Results& results) const;

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
  void hold_out(const Candidate& candidate, u32 row, const Runners& runners,
                const std::stop_token& stop, Results& results) const;
  void find_worst(const Candidate& candidate, u32 row, CandidateRunner& runner,
                  const std::stop_token& stop, Results& results) const;

  const RankingOptions& options_;
  const u32 worst_cases_;  // of each program, and of how many
  const u64 worst_rows_;
  u64 seen_ = 0;
  std::string sketch_;
  Ranked best_, front_;
  std::unordered_map<u64, Place> by_behaviour_;  // of the best, where each behaviour counts once
};

}  // namespace komuz::engine
