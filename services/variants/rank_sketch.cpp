// SPDX-License-Identifier: Apache-2.0
#include "services/variants/rank_sketch.h"

#include <algorithm>

#include "engine/candidates/harness_names.h"
#include "engine/cases/signature.h"
#include "engine/run/evaluate.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/variants/worst_case.h"

namespace komuz::services {

struct SketchRanker::Cases {
  std::string name;
  std::shared_ptr<const std::string> bytes;
  bool has_expectations = true;
  std::string problem;  // empty: there are cases
  engine::CasesTable table;
};

namespace {

RankedRef refused(std::string problem) {
  RankedSketch out;
  out.problem = std::move(problem);
  return std::make_shared<const RankedSketch>(std::move(out));
}

engine::CaseFields fields_of(bool has_expectations) {
  engine::CaseFields fields;
  fields.has_expectations = has_expectations;
  return fields;
}

// How many variants the last step takes.
u64 most_of(u64 cases) {
  return std::clamp(kMostRuns / std::max<u64>(cases, 1), kFirstStep, kMostVariants);
}

// The harness of a question, as a module. Gives why it is none.
std::string take_harness(const RankingQuestion& question, engine::ModuleLoader& loader,
                         engine::EvaluateOptions& options) {
  const u32 number = loader.load_harness(engine::harness_module(question.harness),
                                         {question.harness, question.harness_text});
  const Module& harness = loader.library()[number];
  options.programs.harness = number;
  options.programs.entry = engine::kScoreFunction;
  if (loader.needs_too_many())
    return question.harness + ": " + std::string(engine::ModuleLoader::kTooMany);
  if (!harness.ok) return "the harness " + question.harness + " has errors";
  if (harness.open.empty())
    return question.harness +
           " leaves nothing to its candidates; write what they define as `pub fn f(x: f64) -> "
           "f64;`, "
           "without a body";
  const CodeView code = harness.code.view();
  const size_t entry = code.find_function(options.programs.entry);
  if (entry == code.functions.size())
    return question.harness + " has no function `" + options.programs.entry +
           "`; define `pub fn score() -> f64`";
  options.programs.signature = engine::signature_of(code, code.functions[entry]);
  return {};
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

SketchRanker::SketchRanker() = default;
SketchRanker::~SketchRanker() = default;

RankedRef SketchRanker::rank(const RankingQuestion& question, const RankedRef& before,
                             const std::stop_token& stop) {
  const bool has_expectations = !engine::is_value_score(question.score);
  const bool is_known = cases_ != nullptr && cases_->name == question.cases &&
                        cases_->bytes == question.bytes &&
                        cases_->has_expectations == has_expectations;
  if (!is_known) {
    auto cases = std::make_shared<Cases>();
    cases->name = question.cases;
    cases->bytes = question.bytes;
    cases->has_expectations = has_expectations;
    if (question.bytes == nullptr) {
      cases->table = engine::single_case();
    } else {
      const engine::Watch watch(stop);
      const Problem problem = engine::read_cases(question.cases, *question.bytes,
                                                 fields_of(has_expectations), cases->table, watch);
      if (problem.is(ProblemKind::Stop)) return nullptr;
      cases->problem = problem.text();
    }
    cases_ = std::move(cases);
  }
  if (!cases_->problem.empty()) return refused(cases_->problem);

  KeptModules modules = question.modules;
  engine::ModuleLoader loader(&modules);
  engine::EvaluateOptions options;
  options.programs.modules = &loader;
  if (!question.harness.empty())
    if (std::string problem = take_harness(question, loader, options); !problem.empty())
      return refused(std::move(problem));
  loader.load(question.text);

  RankedSketch out;
  if (before != nullptr) {
    out.sketch = before->sketch;
  } else {
    auto sketch = engine::read_sketch(question.text, {.library = &loader.library(),
                                                      .harness = options.programs.harness,
                                                      .harness_entry = options.programs.entry});
    if (stop.stop_requested()) return nullptr;
    if (!sketch) {
      out.has_errors = true;
      out.problem = "the text has errors";
      return std::make_shared<const RankedSketch>(std::move(out));
    }
    out.sketch = std::make_shared<const engine::SketchProgram>(std::move(*sketch));
  }
  const engine::VariantPlan& plan = out.sketch->plan;
  out.variants = plan.count();
  if (!engine::has_decisions(plan.sketch())) {
    out.has_nothing_to_decide = true;
    out.problem =
        "there is nothing to decide; a sketch has holes, such as `?c(0.0..1.0, steps: 8)`";
    return std::make_shared<const RankedSketch>(std::move(out));
  }
  if (question.harness.empty())
    if (const engine::EntryChoice entry = engine::choose_entry(out.sketch->code.view(), "");
        !entry.refusal.empty())
      return refused(entry.refusal);
  if (out.variants.is_exact && out.variants.exact == 0)
    return refused("this has no variants; a space needs an alternative without its own name");
  if (plan.is_too_large())
    return refused(
        "every variant has more than 65,536 decisions; let its spaces nest less deeply, by a "
        "smaller "
        "`depth`");

  options.programs.sketch = out.sketch.get();
  options.ranking.score = question.score;
  options.machines.threads = 1;
  options.details.keep_details = false;
  const u64 most = most_of(cases_->table.rows.size()), first = std::min(kFirstStep, most);
  const u64 taken = before == nullptr ? first : most;
  engine::VariantChoice choice;
  if (!out.variants.is_exact || out.variants.exact > taken) choice.samples = taken;
  out.is_last = !choice.samples || taken == most;
  engine::SketchCandidates candidates(out.sketch->source, plan, choice);
  const Problem problem =
      engine::evaluate(candidates, cases_->table, options, out.results, nullptr, nullptr, stop);
  if (stop.stop_requested() || problem.is(ProblemKind::Stop)) return nullptr;
  if (problem) return refused(problem.text());
  if (!out.results.complete) return refused("there is no memory to evaluate its variants");
  if (const auto best = out.best())
    out.worst = find_worst_case(options, cases_->table, out.results, *best, stop);
  if (stop.stop_requested()) return nullptr;
  return std::make_shared<const RankedSketch>(std::move(out));
}

}  // namespace komuz::services
