// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/open_sketch.h"

#include <memory>
#include <utility>

#include "base/counts.h"
#include "cli/evaluation/given_programs.h"
#include "cli/files/files.h"
#include "cli/programs/findings.h"
#include "cli/programs/model_errors.h"
#include "cli/programs/program_warnings.h"
#include "engine/cases/signature.h"
#include "neural/proposals/propose_ways.h"

namespace komuz::cli {
namespace {

std::optional<engine::SketchProgram> read_sketch(const EvaluationRequest& request,
                                                 const std::string& source) {
  request.options.programs.modules->load(source);
  return engine::read_sketch(source, compile_options(request));
}
void show_errors(const EvaluationRequest& request, const std::string& path,
                 const std::string& source, Terminal& terminal) {
  frontend::Compiler compiler(compile_options(request));
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  // With what it takes of modules it may exceed a limit that it keeps alone.
  std::string whole = source;
  if (compilation.ok)
    if (std::optional<WrittenOut> written_out = compiler.written_out(source)) {
      whole = std::move(written_out->text);
      compiler.compile(whole, compilation);
    }
  const std::string& text = compilation.text.empty() ? whole : compilation.text;
  const Findings findings[] = {{{path, text}, compilation.diagnostics}};
  terminal.err.write(render_findings(findings, terminal.err.style()));
}
engine::FixedSource fix_sketch(const EvaluationRequest& request, const std::string& source) {
  frontend::Compiler compiler(compile_options(request));
  return request.options.programs.fix(compiler, source, {});
}

// Asks whoever is to say how often the ways of decisions are drawn.
Problem take_proposals(EvaluationRequest& request, const engine::SketchProgram& sketch,
                       const engine::CasesTable& cases, const std::stop_token& stop) {
  if (request.proposer == Proposer::Plain) return {};
  Result<engine::WayWeights> weights =
      neural::propose_ways(sketch, request.options.programs.entry, cases, stop);
  if (weights.problem()) return std::move(weights).problem();
  request.search->weights = std::make_shared<const engine::WayWeights>(std::move(weights).value());
  return {};
}

// Makes variants of the programs that the search is to begin with.
Problem take_starts(EvaluationRequest& request, const engine::SketchProgram& sketch,
                    const std::stop_token& stop, Terminal& terminal) {
  if (request.start_paths.empty()) return {};
  std::vector<engine::GivenProgram> given;
  if (Problem problem = read_given_programs(request.start_paths, stop, given)) return problem;
  request.start_text = given_text(given);
  const engine::EncodeOptions how{engine::fits_line(request.options.ranking.score)};
  engine::Starts starts = engine::find_starts(sketch, given, request.search->population, how, stop);
  say_starts(starts, "`komuz eval` scores them as they are", terminal);
  request.search->starts =
      std::make_shared<const std::vector<engine::Decisions>>(std::move(starts.variants));
  return {};
}

}  // namespace

Exit open_sketch(EvaluationRequest& request, const engine::CasesTable& cases,
                 const std::stop_token& stop, engine::ResultSink& rows, Terminal& terminal,
                 std::optional<EvaluatedSketch>& out) {
  constexpr u64 kMostVariants = 10'000'000;
  constexpr std::string_view kNoHoles = "a sketch has holes, such as `?c(0.0..1.0, steps: 8)`";
  const bool is_wanted = request.search || request.variants.samples;
  const std::string path(request.candidates[0]);
  if (request.candidates.size() != 1 || !path.ends_with(".komuz")) {
    if (!is_wanted) return Exit::Success;
    return terminal.usage_error(request.command(),
                                "variants are those of one sketch, a program with holes");
  }
  std::string source;
  if (const auto error = read_file(path, source, kMostSourceBytes))
    return is_wanted ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
  std::optional<engine::SketchProgram> sketch = read_sketch(request, source);
  if (request.options.programs.modules->needs_too_many()) {
    if (!is_wanted) return Exit::Success;  // it is a candidate with this fault
    return terminal.input_error(path + ": " + std::string(engine::ModuleLoader::kTooMany),
                                "leave some out, or join some into one");
  }
  if (!sketch && request.options.programs.fix) {
    engine::FixedSource fixed = fix_sketch(request, source);
    if (!fixed.fixes.empty()) sketch = read_sketch(request, fixed.text);
    if (sketch && engine::has_decisions(sketch->plan.sketch())) {
      terminal.note(counted(fixed.fixes.size(), "edit") + " by --fix in `" + path +
                        "`, the first in line " + grouped(fixed.fixes.front().line) + ": " +
                        fixed.fixes.front().message,
                    "places are those of the edited text, which `komuz fix` writes");
      request.options.programs.sketch_fixes = std::move(fixed.fixes);
    }
  }
  if (!sketch && is_wanted) {
    show_errors(request, path, source, terminal);
    return Exit::Failure;
  }
  if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
    if (!is_wanted) return Exit::Success;
    return terminal.input_error("`" + path + "` has nothing to decide", kNoHoles);
  }
  if (request.harness_path.empty()) {
    const engine::EntryChoice entry =
        engine::choose_entry(sketch->code.view(), request.options.programs.entry);
    if (!entry.refusal.empty()) {
      terminal.error("`" + path + "`: " + entry.refusal);
      return request.options.programs.entry.empty() ? Exit::InputOutput : Exit::Usage;
    }
  }
  if (const std::string free = engine::free_holes_text(sketch->plan.sketch()); !free.empty())
    terminal.note("`" + path + "` has " + free + ": variants that come to one trap HOLE",
                  "write what is missing; `komuz sketch` shows what may be used there");
  const engine::VariantCount count = sketch->plan.count();
  if (count.is_exact && count.exact == 0)
    return terminal.input_error("`" + path + "` has no variants",
                                "a space needs an alternative without its own name");
  if (sketch->plan.is_too_large())
    return terminal.input_error("every variant of `" + path + "` has more than 65,536 decisions",
                                "let its spaces nest less deeply, by a smaller `depth`");
  if (const Problem unfitted = engine::unfitted_reals(sketch->plan); unfitted && !request.search)
    return terminal.input_error("`" + path + "`: " + unfitted.message(), unfitted.remedy());
  if (request.search) {
    engine::settle(sketch->plan, *request.search, request.options);
    if (const Problem problem = take_proposals(request, *sketch, cases, stop))
      return report_model_problem(problem, terminal);
    if (const Problem problem = take_starts(request, *sketch, stop, terminal))
      return terminal.input_error(problem.message(), problem.remedy());
    out.emplace(std::move(*sketch), *request.search, rows);
  } else {
    out.emplace(std::move(*sketch), request.variants);
  }
  request.options.programs.sketch = &out->program();
  if (request.search || request.variants.samples || count.exact <= kMostVariants)
    return Exit::Success;
  return terminal.input_error("`" + path + "` has " + engine::count_text(count) + " variants",
                              "say how many of them to draw, such as `--samples 10000`, or look "
                              "for good ones by `komuz search`");
}

}  // namespace komuz::cli
