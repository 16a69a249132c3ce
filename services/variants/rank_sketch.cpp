// SPDX-License-Identifier: Apache-2.0
#include "services/variants/rank_sketch.h"

#include <algorithm>

#include "engine/run/evaluate.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/variants/sketch_run.h"
#include "services/variants/worst_case.h"

namespace komuz::services {

namespace {

// How many variants the last step takes.
u64 most_of(u64 cases) {
  return std::clamp(kMostRuns / std::max<u64>(cases, 1), kFirstStep, kMostVariants);
}

// Evaluates the candidates, and finishes what is told of them. Null: stopped.
RankedRef ranked(SketchRun& run, engine::CandidateSource& candidates,
                 const engine::EvaluateOptions& options, engine::ResultSink* sink,
                 const std::stop_token& stop, RankedSketch& out) {
  const Problem problem =
      engine::evaluate(candidates, run.cases(), options, out.results, sink, nullptr, stop);
  if (stop.stop_requested() || problem.is(ProblemKind::Stop)) return nullptr;
  out.problem = problem.text();
  if (!problem && !out.results.complete)
    out.problem = "there is no memory to evaluate its variants";
  if (const auto best = out.best())
    out.worst = find_worst_case(options, run.cases(), out.results, *best, stop);
  if (stop.stop_requested()) return nullptr;
  return std::make_shared<const RankedSketch>(std::move(out));
}

}  // namespace

std::optional<engine::ModuleText> KeptModules::read(std::string_view path) {
  const auto found = texts.find(path);
  return found == texts.end() ? std::nullopt : std::optional(found->second);
}
std::vector<std::string> KeptModules::list() {
  std::vector<std::string> paths;
  for (const auto& [path, text] : texts) paths.push_back(path);
  return paths;
}

std::optional<u32> RankedSketch::best() const {
  if (!is_ranked() || results.ranking.empty()) return std::nullopt;
  const u32 row = results.ranking.front();
  return results.rows[row].scored ? std::optional(row) : std::nullopt;
}

RankedRef SketchRanker::rank(const RankingQuestion& question, const RankedRef& before,
                             const std::stop_token& stop) {
  SketchRun run(question);
  if (!run.read_cases(cases_, stop)) return nullptr;
  cases_ = run.read();
  RankedSketch out;
  if (!run.open(before == nullptr ? nullptr : before->sketch, out, stop)) return nullptr;
  if (!out.is_ranked()) return std::make_shared<const RankedSketch>(std::move(out));

  const u64 most = most_of(run.cases().rows.size()), first = std::min(kFirstStep, most);
  const u64 taken = before == nullptr ? first : most;
  if (out.sketch->plan.has_reals()) {
    // Numbers have to be fitted: a short search, and then a longer one.
    constexpr u64 kFirstGenerations = 4, kGenerations = 40;
    engine::SearchOptions search;
    search.generations = before == nullptr ? kFirstGenerations : kGenerations;
    search.population =
        static_cast<u32>(std::clamp<u64>(most / kGenerations, 2, search.population));
    engine::EvaluateOptions how = run.options();
    how.machines.epoch = how.machines.device_epoch = search.population;
    engine::settle(out.sketch->plan, search, how);
    engine::SearchCandidates candidates(out.sketch->source, out.sketch->plan, search);
    out.is_last = before != nullptr;
    return ranked(run, candidates, how, &candidates, stop, out);
  }
  engine::VariantChoice choice;
  if (!out.variants.is_exact || out.variants.exact > taken) choice.samples = taken;
  out.is_last = !choice.samples || taken == most;
  engine::SketchCandidates candidates(out.sketch->source, out.sketch->plan, choice);
  return ranked(run, candidates, run.options(), nullptr, stop, out);
}

}  // namespace komuz::services
