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
  // After an interrupt they are ranked when somebody asks: of many rows that takes longer than it may.
  mutable engine::Results results;
  engine::TextList texts;  // of candidates that are no variants, in input order
  // The best programs, which the report has; of variants, so many are found once they are ranked.
  mutable std::vector<services::RankedProgram> programs;
  u64 told_variants = 0;
  bool was_interrupted = false;
  std::vector<services::Note> notes;

  // From here on `at` is a place in the ranking, from 0.
  [[nodiscard]] size_t size() const { return results.rows.size(); }
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
  // How many candidates came to what.
  [[nodiscard]] std::string summary() const;
  // What the report says of the run as a whole.
  [[nodiscard]] py::dict facts() const;

 private:
  [[nodiscard]] const engine::Results& ranked() const;
  [[nodiscard]] u32 row(size_t at) const;
};

void register_ranking(py::module_& module);

}  // namespace komuz::python
