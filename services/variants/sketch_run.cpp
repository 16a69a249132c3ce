// SPDX-License-Identifier: Apache-2.0
#include "services/variants/sketch_run.h"

#include "engine/candidates/harness_names.h"
#include "engine/cases/signature.h"
#include "services/harness.h"
#include "services/session/session_items.h"

namespace komuz::services {

bool SketchRun::read_cases(std::shared_ptr<const ReadCases> known, const std::stop_token& stop) {
  const bool has_expectations = !engine::is_value_score(question_.score);
  const bool is_known = known != nullptr && known->name == question_.cases &&
                        known->bytes == question_.bytes && known->output == question_.output &&
                        known->form == question_.form && known->inputs == question_.inputs &&
                        known->has_expectations == has_expectations;
  if (is_known) {
    cases_ = std::move(known);
    return true;
  }
  auto cases = std::make_shared<ReadCases>();
  cases->name = question_.cases;
  cases->bytes = question_.bytes;
  cases->output = question_.output;
  cases->form = question_.form;
  cases->inputs = question_.inputs;
  cases->has_expectations = has_expectations;
  if (question_.bytes == nullptr) {
    cases->table = engine::single_case();
  } else {
    engine::CaseFields fields;
    fields.has_expectations = has_expectations;
    if (!question_.output.empty()) fields.output = question_.output;
    fields.form = question_.form;
    fields.inputs = question_.inputs;
    fields.most_bytes = kMostQuestionBytes;
    const engine::Watch watch(stop);
    const Problem problem =
        engine::read_cases(question_.cases, *question_.bytes, fields, cases->table, watch);
    if (problem.is(ProblemKind::Stop)) return false;
    cases->problem = problem.text();
  }
  cases_ = std::move(cases);
  return true;
}

// Gives why it is none.
std::string SketchRun::take_harness() {
  const std::string& file = question_.harness;
  const u32 number =
      loader_.load_harness(engine::harness_module(file), {file, question_.harness_text});
  const Module& harness = loader_.library()[number];
  options_.programs.harness = number;
  options_.programs.entry = engine::kScoreFunction;
  if (loader_.needs_too_many()) return file + ": " + std::string(engine::ModuleLoader::kTooMany);
  const HarnessProblem problem = check_harness(harness, options_.programs.entry);
  if (problem.kind != HarnessProblem::Kind::None) return problem.message + "; " + problem.remedy;
  const CodeView code = harness.code.view();
  options_.programs.signature =
      engine::signature_of(code, code.functions[code.find_function(options_.programs.entry)]);
  return {};
}

bool SketchRun::open(std::shared_ptr<const engine::SketchProgram> known, RankedSketch& out,
                     const std::stop_token& stop) {
  out.problem = cases_->problem;
  if (!out.problem.empty()) return true;
  options_.programs.modules = &loader_;
  if (!question_.harness.empty())
    if (out.problem = take_harness(); !out.problem.empty()) return true;
  const std::string text = with_items(question_.text, question_.items);
  loader_.load(text);
  out.sketch = std::move(known);
  out.own_size = static_cast<u32>(question_.text.size());
  if (out.sketch == nullptr) {
    auto sketch = engine::read_sketch(text, {.library = &loader_.library(),
                                             .harness = options_.programs.harness,
                                             .harness_entry = options_.programs.entry});
    if (stop.stop_requested()) return false;
    if (!sketch) {
      out.has_errors = true;
      out.problem = "the text has errors";
      return true;
    }
    out.sketch = std::make_shared<const engine::SketchProgram>(std::move(*sketch));
  }
  const engine::VariantPlan& plan = out.sketch->plan;
  out.variants = plan.count();
  if (!engine::has_decisions(plan.sketch()) && !out.has_no_holes()) {
    out.problem =
        "a bare `?` has no variants; say what may stand there, as in `?[x, 2.0 * x]` or "
        "`?(0.0..1.0, steps: 8)`";
    return true;
  }
  if (question_.harness.empty()) {
    out.problem = engine::choose_entry(out.sketch->code.view(), "").refusal;
    if (!out.problem.empty()) return true;
  }
  if (out.variants.is_exact && out.variants.exact == 0)
    out.problem = "this has no variants; a space needs an alternative without its own name";
  else if (plan.is_too_large())
    out.problem =
        "every variant has more than 65,536 decisions; let its spaces nest less deeply, by a "
        "smaller `depth`";
  options_.programs.sketch = out.sketch.get();
  options_.ranking.score = question_.score;
  options_.ranking.tolerance = question_.tolerance;
  options_.ranking.measure = question_.measure;
  options_.machines.threads = 1;
  options_.details.keep_details = false;
  return true;
}

}  // namespace komuz::services
