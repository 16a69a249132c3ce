// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/sketch_problem.h"

#include <memory>
#include <string>
#include <utility>

#include "engine/cases/signature.h"
#include "neural/proposals/propose_ways.h"

namespace komuz::services {

Problem find_sketch_problem(const engine::SketchProgram& sketch, std::string_view name,
                            const EvaluationRequest& request) {
  const std::string quoted = "`" + std::string(name) + "`";
  if (request.harness_path.empty()) {
    const engine::EntryChoice entry =
        engine::choose_entry(sketch.code.view(), request.options.programs.entry);
    if (!entry.refusal.empty()) {
      const ProblemKind kind =
          request.options.programs.entry.empty() ? ProblemKind::Input : ProblemKind::Option;
      return Problem(kind, {}, quoted + ": " + entry.refusal, {});
    }
  }
  const engine::VariantCount count = sketch.plan.count();
  if (count.is_exact && count.exact == 0)
    return input_problem({}, quoted + " has no variants",
                         "a space needs an alternative without its own name");
  if (sketch.plan.is_too_large())
    return input_problem({}, "every variant of " + quoted + " has more than 65,536 decisions",
                         "let its spaces nest less deeply, by a smaller `depth`");
  if (const Problem unfitted = engine::unfitted_reals(sketch.plan); unfitted && !request.search)
    return input_problem({}, quoted + ": " + unfitted.message(), unfitted.remedy());
  return {};
}

Problem find_size_problem(const engine::SketchProgram& sketch, std::string_view name,
                          const EvaluationRequest& request) {
  constexpr u64 kMostVariants = 10'000'000;
  const engine::VariantCount count = sketch.plan.count();
  if (request.search || request.variants.samples || count.exact <= kMostVariants) return {};
  return input_problem({},
                       "`" + std::string(name) + "` has " + engine::count_text(count) + " variants",
                       "say how many of them to draw, such as `--samples 10000`, or look "
                       "for good ones by `komuz search`");
}

Problem take_proposals(EvaluationRequest& request, const engine::SketchProgram& sketch,
                       const engine::CasesTable& cases, const std::stop_token& stop) {
  if (request.proposer == Proposer::Plain) return {};
  Result<engine::WayWeights> weights =
      neural::propose_ways(sketch, request.options.programs.entry, cases, stop);
  if (weights.problem()) return std::move(weights).problem();
  request.search->weights = std::make_shared<const engine::WayWeights>(std::move(weights).value());
  return {};
}

}  // namespace komuz::services
