// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/evaluated_sketch.h"

#include "engine/sketch/fill.h"
#include "services/results/decided_text.h"

namespace komuz::services {

std::string variants_text(const engine::EvaluateOptions& options) {
  if (options.programs.sketch == nullptr) return {};
  const engine::BindObstacle obstacle = options.programs.sketch->obstacle;
  if (obstacle != engine::BindObstacle::None)
    return "expanded: " + std::string(engine::obstacle_text(obstacle));
  return options.programs.expands_variants ? "expanded: `--expand` says so"
                                           : "bound to the sketch's code";
}

ShownPrograms shown_decisions(const engine::SketchProgram& program,
                              const engine::Results& results) {
  const auto fill = std::make_shared<engine::Fill>(program.source, program.plan);
  const auto text = [&program, fill, &results](u32 row) {
    engine::Decisions decisions;
    std::string variant;
    const bool is_known = !engine::read_variant_name(program.plan, results.id(row), decisions) &&
                          fill->write(decisions, variant);
    if (!is_known) return std::string();
    return decided_text(list_decided(program.plan, *fill, variant, {}, kMostProgramWidth));
  };
  return {ProgramForm::Decided, text};
}

EvaluatedSketch::EvaluatedSketch(engine::SketchProgram program, const engine::VariantChoice& choice)
    : program_(std::move(program)) {
  variants_.emplace(program_.source, program_.plan, choice);
}
EvaluatedSketch::EvaluatedSketch(engine::SketchProgram program, const engine::SearchOptions& search,
                                 engine::ResultSink& sink)
    : program_(std::move(program)) {
  search_.emplace(program_.source, program_.plan, search, &sink);
}

engine::CandidateSource& EvaluatedSketch::source() {
  if (search_) return *search_;
  return *variants_;
}

std::string EvaluatedSketch::summary(const engine::EvaluateOptions& options) const {
  const std::string text = search_ ? search_line(*search_) : std::string();
  return text + "variants " + variants_text(options) + "\n";
}

}  // namespace komuz::services
