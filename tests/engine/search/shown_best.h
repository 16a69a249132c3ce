// SPDX-License-Identifier: Apache-2.0
// The output of a run that keeps only the best, for comparing runs on different machines.
#pragma once
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "engine/candidates/evaluate_options.h"
#include "engine/results/report.h"

namespace komuz::engine::test {

// Lines of programs by their ids, without regard to other rows.
class LinesOfPrograms final : public ResultSink {
 public:
  explicit LinesOfPrograms(bool needs_all) : needs_all_(needs_all) {}
  void on_result(const Results& results, u32 row) override {
    if (results.rows[row].duplicate_of != kNone) return;
    std::string line;
    write_row_json(line, results, row);
    lines.emplace(results.id(row), line);
  }
  [[nodiscard]] bool needs_best_alone() const override { return !needs_all_; }

  std::map<std::string, std::string> lines;

 private:
  bool needs_all_;
};

// The parts of a run that a table is made from.
struct ShownBest {
  struct Row {
    std::string id;
    u32 rank;
    u64 copies;
    f64 score;
    u64 fuel;
    Status status;
    std::string line;  // with what is known of its first failing case
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> best;
  u64 candidates = 0;
  OutcomeCounts counts;
  std::string best_source;
  std::vector<u64> expected, actual;  // of the first, as bits
  bool operator==(const ShownBest&) const = default;
};

[[nodiscard]] inline ShownBest shown_best(const Results& results, LinesOfPrograms& sink) {
  ShownBest shown;
  shown.candidates = results.candidates();
  shown.counts = count_outcomes(results);
  shown.best_source = results.best_source;
  const std::vector<u64> copies = count_copies(results);
  for (const u32 row : results.ranking) {
    const ResultRow& r = results.rows[row];
    const std::string id(results.id(row));
    shown.best.push_back({id, r.rank, copies[row], r.score, r.fuel, r.status, sink.lines[id]});
  }
  for (const f64 value : results.best.expected) shown.expected.push_back(std::bit_cast<u64>(value));
  for (const f64 value : results.best.actual) shown.actual.push_back(std::bit_cast<u64>(value));
  return shown;
}

}  // namespace komuz::engine::test
