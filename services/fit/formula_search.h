// SPDX-License-Identifier: Apache-2.0
// One search of a fit: the best variants of each size of code, as they come.
//
// What is kept follows from whole generations alone. So a search that the clock or a stop ends within a generation
// has found what one with so many generations finds.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/engine.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::services {

struct FoundVariant {
  f64 loss = 0;  // of the search's score
  u32 code_bytes = 0;
  std::string variant;
  std::optional<engine::ScoreLine> line;
};

// What has been found so far, by size of code: each has a smaller loss than all smaller ones.
class BestBySize final : public engine::ResultSink {
 public:
  explicit BestBySize(size_t of_each_size) : of_each_size_(of_each_size) {}

  // `search`: says which generation a result belongs to.
  void watch(const engine::SearchCandidates& search) { search_ = &search; }
  void on_result(const engine::Results& results, u32 row) override;
  // The search has ended: results of a generation that is not complete do not count, unless there is nothing else.
  void end();
  // From small to large.
  [[nodiscard]] std::vector<FoundVariant> front() const;
  // Changes with what front() gives.
  [[nodiscard]] u64 changes() const { return changes_; }

 private:
  void end_generation();
  void keep(FoundVariant&& found);

  const engine::SearchCandidates* search_ = nullptr;
  size_t of_each_size_;
  u64 generation_ = 0, changes_ = 0;
  std::vector<FoundVariant> pending_;
  std::map<u32, std::vector<FoundVariant>> by_size_;
};

struct FormulaSearchOptions {
  engine::SearchOptions search;
  engine::EvaluateOptions evaluation;  // but for the sketch
  // So many variants of each size of code are kept; others of a size may be simpler once they are simplified.
  size_t of_each_size = 3;
  // Called once all options are settled, before anything is evaluated; empty: nothing.
  std::function<Problem(const engine::EvaluateOptions& evaluation)> on_settled = {};
};
struct FormulaSearchResult {
  std::vector<FoundVariant> found;
  u64 generations = 0, candidates = 0;
  bool has_reached_target = false;
};
// Told now and then what has been found, and after how many generations and candidates.
using OnFound = std::function<void(const BestBySize& best, u64 generations, u64 candidates)>;
Result<FormulaSearchResult> search_formulas(const engine::SketchProgram& sketch,
                                            const engine::CasesTable& cases,
                                            FormulaSearchOptions options,
                                            const OnFound& on_generation,
                                            const std::stop_token& stop);

}  // namespace komuz::services
