// SPDX-License-Identifier: Apache-2.0
// A run that has ended, as Python looks at it: rows by their rank, and the report.
#pragma once
#include <pybind11/pybind11.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cases/cases_table.h"
#include "engine/log/merge_logs.h"
#include "engine/results/report.h"
#include "engine/results/results.h"
#include "engine/support/text_list.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/files/project.h"
#include "services/options/evaluation_request.h"

namespace komuz::python {

namespace py = pybind11;

class Ranking {
 public:
  explicit Ranking(const std::string& program_path) : project(program_path) {}

  // The request refers to them.
  std::deque<std::string> words;
  services::EvaluationRequest request;
  services::Project project;
  engine::CasesTable cases, held_out;
  std::optional<services::EvaluatedSketch> sketch;
  engine::Results results;
  // Of a run that was joined from parts: they have what the results lack.
  mutable std::optional<engine::MergedLogs> logs;
  engine::TextList texts;  // of candidates that are no variants, in input order
  std::vector<services::RankedProgram> programs;
  bool was_interrupted = false;
  std::vector<services::Note> notes;

  // From here on `at` is a place in the ranking, from 0.
  [[nodiscard]] size_t size() const { return results.ranking.size(); }
  [[nodiscard]] std::string id(size_t at) const { return std::string(results.id(row(at))); }
  // The candidate's object in the report.
  [[nodiscard]] std::string row_json(size_t at) const;
  // The text that was compiled; that of a variant is simplified.
  [[nodiscard]] std::string source(size_t at) const;
  [[nodiscard]] py::object case_scores(size_t at) const;
  // Columns by their names in the report: lists with an element for each candidate, best first.
  [[nodiscard]] py::dict columns() const;

  [[nodiscard]] std::string report_json() const;
  [[nodiscard]] std::string table(u64 most) const;
  [[nodiscard]] std::string chart() const;
  // What the report says of the run as a whole.
  [[nodiscard]] py::dict facts() const;

 private:
  [[nodiscard]] u32 row(size_t at) const;
  // What logs have of a row; empty: the results have it.
  [[nodiscard]] engine::WriteDetails details() const;
};

void register_ranking(py::module_& module);

}  // namespace komuz::python
