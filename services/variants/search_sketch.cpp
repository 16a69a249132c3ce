// SPDX-License-Identifier: Apache-2.0
#include "services/variants/search_sketch.h"

#include "engine/run/evaluate.h"
#include "engine/search/search.h"
#include "services/results/ranking_text.h"
#include "services/variants/sketch_run.h"

namespace komuz::services {
namespace {

class Told final : public engine::ProgressSink {
 public:
  explicit Told(const std::function<void(u64 evaluated)>& tell) : tell_(tell) {}
  void on_progress(u64 done, std::optional<u64> /*total*/) override {
    if (tell_) tell_(done);
  }

 private:
  const std::function<void(u64 evaluated)>& tell_;
};

}  // namespace

std::optional<SearchedSketch> search_sketch(const RankingQuestion& question,
                                            std::chrono::milliseconds time,
                                            const std::function<void(u64 evaluated)>& on_progress,
                                            const std::stop_token& stop) {
  SketchRun run(question);
  RankedSketch sketch;
  if (!run.read_cases(nullptr, stop) || !run.open(nullptr, sketch, stop)) return std::nullopt;
  SearchedSketch out;
  out.problem = sketch.problem;
  if (out.problem.empty() && sketch.is_plain)
    out.problem =
        "there is nothing to decide; a sketch has holes, such as `?c(0.0..1.0, steps: 8)`";
  if (!out.problem.empty()) return out;
  engine::SearchOptions search;
  search.generations.reset();
  search.time = time;
  engine::EvaluateOptions& options = run.options();
  options.machines.epoch = options.machines.device_epoch = search.population;
  options.ranking.best_rows = 1;
  engine::settle(sketch.sketch->plan, search, options);
  engine::SearchCandidates candidates(sketch.sketch->source, sketch.sketch->plan, search);
  Told told(on_progress);
  engine::Results results;
  const Problem problem =
      engine::evaluate(candidates, run.cases(), options, results, &candidates, &told, stop);
  if (stop.stop_requested() || problem.is(ProblemKind::Stop)) return std::nullopt;
  out.problem = problem.text();
  if (problem) return out;
  out.evaluated = results.candidates();
  const bool has_best = !results.ranking.empty() && results.rows[results.ranking.front()].scored;
  if (!has_best) {
    out.problem = "no variant that was tried has a score";
    return out;
  }
  const u32 best = results.ranking.front();
  out.variant = results.id(best);
  out.score = score_text(results.score, results.rows[best]);
  return out;
}

}  // namespace komuz::services
