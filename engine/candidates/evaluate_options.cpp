// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/evaluate_options.h"

namespace komuz::engine {
namespace {

// What is wrong; null: nothing.
const char* conflict(const ProgramOptions& programs) {
  if (programs.signature && !programs.result_type.empty())
    return "candidates have a signature, or else a result type alone";
  if (programs.sketch == nullptr && !programs.sketch_fixes.empty())
    return "there are edits of a sketch, and no sketch";
  if (programs.harness != kNoModule && (programs.modules == nullptr || programs.entry.empty()))
    return "a harness is one of the modules, and a function of it is the entry";
  if (programs.shard.index >= programs.shard.of) return "there is no such shard";
  return nullptr;
}

const char* conflict(const RankingOptions& ranking) {
  if (ranking.cut_off != 0 && is_value_score(ranking.score))
    return "a score that ranks by the values themselves has no cut-off";
  if (ranking.best_rows == 0 && ranking.best_of_each_behaviour)
    return "the best of each behaviour are among so many of the best programs";
  if (ranking.best_rows == 0 && ranking.ranks_later)
    return "the ranking is put off for so many of the best programs";
  return nullptr;
}

}  // namespace

Problem check(const EvaluateOptions& options) {
  const char* text = conflict(options.programs);
  if (text == nullptr) text = conflict(options.ranking);
  if (text == nullptr) return {};
  return option_problem(std::string("these options do not go together: ") + text, {});
}

}  // namespace komuz::engine
