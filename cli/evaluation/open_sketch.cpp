// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/open_sketch.h"

#include <memory>
#include <utility>

#include "cli/programs/findings.h"
#include "cli/programs/model_errors.h"
#include "cli/programs/program_warnings.h"
#include "services/evaluation/given_programs.h"
#include "services/evaluation/mended_sketch.h"
#include "services/evaluation/sketch_problem.h"
#include "services/files/files.h"

namespace komuz::cli {
namespace {

void show_errors(const services::EvaluationRequest& request, const std::string& path,
                 const std::string& source, Terminal& terminal) {
  frontend::Compiler compiler(services::compile_options(request));
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
}  // namespace

Exit open_sketch(services::EvaluationRequest& request, const engine::CasesTable& cases,
                 const std::stop_token& stop, engine::ResultSink& rows, Terminal& terminal,
                 std::optional<services::EvaluatedSketch>& out) {
  const bool is_wanted = request.search || request.variants.samples;
  const std::string path(request.candidates[0]);
  if (request.candidates.size() != 1 || !path.ends_with(".komuz")) {
    if (!is_wanted) return Exit::Success;
    return terminal.usage_error(request.command(),
                                "variants are those of one sketch, a program with holes");
  }
  std::string source;
  if (const auto error = services::read_file(path, source, services::kMostSourceBytes))
    return is_wanted ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
  std::vector<services::Note> notes;
  const auto show_notes = [&] {
    for (const services::Note& note : notes) terminal.note(note.message, note.remedy);
    notes.clear();
  };
  std::optional<engine::SketchProgram> sketch =
      services::read_mended_sketch(request, path, source, notes);
  show_notes();
  if (request.options.programs.modules->needs_too_many()) {
    if (!is_wanted) return Exit::Success;  // it is a candidate with this fault
    return terminal.input_error(path + ": " + std::string(engine::ModuleLoader::kTooMany),
                                "leave some out, or join some into one");
  }
  if (!sketch && is_wanted) {
    show_errors(request, path, source, terminal);
    return Exit::Failure;
  }
  if (!sketch || !engine::has_decisions(sketch->plan.sketch())) {
    if (!is_wanted) return Exit::Success;
    return terminal.input_error("`" + path + "` has nothing to decide", services::kNoDecisions);
  }
  if (const Problem problem = services::find_sketch_problem(*sketch, path, request)) {
    terminal.error(problem.message(), problem.remedy());
    return problem.is(ProblemKind::Option) ? Exit::Usage : Exit::InputOutput;
  }
  if (services::Note free = services::free_holes_note(*sketch, path); !free.message.empty())
    notes.push_back(std::move(free));
  show_notes();
  if (request.search) {
    engine::settle(sketch->plan, *request.search, request.options);
    if (const Problem problem = services::take_proposals(request, *sketch, cases, stop))
      return report_model_problem(problem, terminal);
    if (const Problem problem = services::take_starts(request, *sketch, stop, notes))
      return terminal.input_error(problem.message(), problem.remedy());
    show_notes();
    out.emplace(std::move(*sketch), *request.search, rows);
  } else {
    out.emplace(std::move(*sketch), request.variants);
  }
  request.options.programs.sketch = &out->program();
  const Problem problem = services::find_size_problem(out->program(), path, request);
  return problem ? terminal.input_error(problem.message(), problem.remedy()) : Exit::Success;
}

}  // namespace komuz::cli
