// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/shown_best.h"

#include "base/machine/memory.h"
#include "engine/cases/signature.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/unprotected_best.h"

namespace komuz::services {

std::string best_entry(const EvaluationRequest& request, const std::string& source) {
  const engine::ProgramOptions& programs = request.options.programs;
  if (!programs.entry.empty() || !programs.signature) return programs.entry;
  frontend::Compiler compiler(compile_options(request));
  frontend::Compilation made;
  compiler.compile(source, made);
  if (!made.ok) return {};
  const CodeView code = made.code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, {}, *programs.signature);
  return entry.refusal.empty() ? std::string(code.name(code.functions[entry.function])) : "";
}

Result<std::string> shown_best(const BestOfRun& run, const std::stop_token& stop, Note& note) {
  const EvaluationRequest& request = run.request;
  const std::string entry = best_entry(request, run.results.best_source);
  const Library* const library = &request.options.programs.modules->library();
  const TextOrigin origin = origin_of(run.results, run.is_variant);
  Result<std::string> text = best_text(run.results, run.results.best_source,
                                       {.origin = origin, .entry = entry, .library = library});
  if (text.problem() || text.value().empty()) return text;
  if (request.unprotects && stop.stop_requested())
    note = {"interrupted: the cases were not asked which protections the best program needs",
            "`komuz fill --unprotect CASES` asks them"};
  else if (request.unprotects && !machine::is_memory_short())
    return unprotected_best(text.value(),
                            {.entry = entry,
                             .tables = run.tables,
                             .library = library,
                             .fuel = request.options.limits.fuel,
                             .stop = stop},
                            note);
  else if (origin == TextOrigin::Variant)
    note = unsimplified_note(text.value());
  return text;
}

}  // namespace komuz::services
