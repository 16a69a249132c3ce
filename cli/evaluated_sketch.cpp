// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluated_sketch.h"

#include "services/results/ranking_text.h"

namespace komuz::cli {

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
  const std::string text = search_ ? services::search_line(*search_) : std::string();
  if (program_.obstacle != engine::BindObstacle::None)
    return text + "variants expanded: " + std::string(engine::obstacle_text(program_.obstacle)) +
           "\n";
  return text + (options.expands_variants ? "variants expanded: `--expand` says so\n"
                                          : "variants bound to the sketch's code\n");
}

}  // namespace komuz::cli
