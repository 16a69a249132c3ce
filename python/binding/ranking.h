// SPDX-License-Identifier: Apache-2.0
// A run that has ended, as Python looks at it: rows by their rank, and the report.
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/log/merge_logs.h"
#include "engine/results/report.h"
#include "engine/results/results.h"
#include "engine/support/text_list.h"
#include "python/binding/run_setting.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/evaluation/optimised_best.h"

namespace komuz::python {

namespace py = pybind11;

class Ranking {
 public:
  explicit Ranking(std::shared_ptr<const RunSetting> with) : setting(std::move(with)) {}

  std::shared_ptr<const RunSetting> setting;
  std::optional<services::EvaluatedSketch> sketch;
  // After an interrupt they are ranked when somebody asks: of many rows that takes longer than it may.
  mutable engine::Results results;
  // Of a run that was joined from parts: they have what the results lack.
  mutable std::optional<engine::MergedLogs> logs;
  engine::TextList texts;  // of candidates that are no variants, in input order
  // The best programs, see told_programs(); of variants, so many are found once they are ranked.
  mutable std::vector<services::RankedProgram> programs;
  u64 told_variants = 0;
  bool was_interrupted = false;
  std::vector<services::Note> notes;
  std::optional<std::string> best_text;  // as it is shown; none: nobody has asked
  services::OptimisedBest optimised;     // of the first of `programs`

  // From here on `at` is a place in the ranking, from 0.
  [[nodiscard]] size_t size() const { return results.rows.size(); }
  [[nodiscard]] std::string id(size_t at) const { return std::string(results.id(row(at))); }
  [[nodiscard]] std::optional<u32> rank(size_t at) const;
  [[nodiscard]] std::string_view status(size_t at) const;
  [[nodiscard]] std::optional<f64> score(size_t at) const;
  // The candidate's object in the report.
  [[nodiscard]] std::string row_json(size_t at) const;
  // The text that was compiled; that of a variant is simplified.
  [[nodiscard]] std::string source(size_t at) const;
  [[nodiscard]] py::object case_scores(size_t at) const;
  // Columns by their names in the report: lists with an element for each candidate, best first.
  [[nodiscard]] py::dict columns() const;

  // The best programs, which the report has and which are optimised.
  [[nodiscard]] const std::vector<services::RankedProgram>& told_programs() const;
  [[nodiscard]] std::string report_json() const;
  [[nodiscard]] std::string table(u64 most) const;
  [[nodiscard]] std::string chart() const;
  // How many candidates came to what.
  [[nodiscard]] std::string summary() const;
  // What the report says of the run as a whole.
  [[nodiscard]] py::dict facts() const;

 private:
  [[nodiscard]] const engine::Results& ranked() const;
  [[nodiscard]] u32 row(size_t at) const;
  // What logs have of a row; empty: the results have it.
  [[nodiscard]] engine::WriteDetails details() const;
};

// In the unit of the score; none: it has none.
[[nodiscard]] std::optional<f64> score_of(const engine::ResultRow& row);

// Ids and texts may be any bytes.
[[nodiscard]] py::str text_of(std::string_view text);
// Of the module array; None if there are none.
[[nodiscard]] py::object array_of(std::span<const f64> scores);

void register_ranking(py::module_& module);

}  // namespace komuz::python
