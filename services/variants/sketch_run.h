// SPDX-License-Identifier: Apache-2.0
// What every evaluation of a sketch in an editor needs: its cases, its modules, the sketch itself, and the options of the engine.
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "engine/candidates/evaluate_options.h"
#include "services/variants/rank_sketch.h"

namespace komuz::services {

// Cases as they have been read for a question.
struct ReadCases {
  std::string name;
  std::shared_ptr<const std::string> bytes;
  // As the question has them.
  std::string output;
  engine::TableForm form;
  std::vector<std::string> inputs;
  bool has_expectations = true;
  std::string problem;  // empty: there are cases
  engine::CasesTable table;
};

class SketchRun {
 public:
  // `question` outlives it.
  explicit SketchRun(const RankingQuestion& question)
      : question_(question), modules_(question.modules), loader_(&modules_) {}
  SketchRun(const SketchRun&) = delete;  // the loader knows the modules by their address
  SketchRun& operator=(const SketchRun&) = delete;

  // `known`: those of another question, which may be the same; null: none. False: stopped.
  [[nodiscard]] bool read_cases(std::shared_ptr<const ReadCases> known,
                                const std::stop_token& stop);
  [[nodiscard]] const std::shared_ptr<const ReadCases>& read() const { return cases_; }
  [[nodiscard]] const engine::CasesTable& cases() const { return cases_->table; }
  // Sets the sketch, how many variants it has, and what is wrong. `known`: the sketch, if it has been read. False: stopped.
  [[nodiscard]] bool open(std::shared_ptr<const engine::SketchProgram> known, RankedSketch& out,
                          const std::stop_token& stop);
  // For the sketch that was opened last.
  [[nodiscard]] engine::EvaluateOptions& options() { return options_; }

 private:
  [[nodiscard]] std::string take_harness();

  const RankingQuestion& question_;
  KeptModules modules_;
  engine::ModuleLoader loader_;
  engine::EvaluateOptions options_;
  std::shared_ptr<const ReadCases> cases_;
};

}  // namespace komuz::services
