// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/mended_sketch.h"

#include <utility>

#include "base/counts.h"

namespace komuz::services {
namespace {

std::optional<engine::SketchProgram> read(const EvaluationRequest& request,
                                          std::string_view source) {
  request.options.programs.modules->load(source);
  return engine::read_sketch(std::string(source), compile_options(request));
}

}  // namespace

std::optional<engine::SketchProgram> read_mended_sketch(EvaluationRequest& request,
                                                        std::string_view path,
                                                        std::string_view source,
                                                        std::vector<Note>& notes) {
  std::optional<engine::SketchProgram> sketch = read(request, source);
  if (sketch || !request.options.programs.fix || request.options.programs.modules->needs_too_many())
    return sketch;
  frontend::Compiler compiler(compile_options(request));
  engine::FixedSource fixed = request.options.programs.fix(compiler, source, {});
  if (fixed.fixes.empty()) return sketch;
  sketch = read(request, fixed.text);
  if (!sketch || !engine::has_decisions(sketch->plan.sketch())) return sketch;
  notes.push_back({counted(fixed.fixes.size(), "edit") + " by --fix in `" + std::string(path) +
                       "`, the first in line " + grouped(fixed.fixes.front().line) + ": " +
                       fixed.fixes.front().message,
                   "places are those of the edited text, which `komuz fix` writes"});
  request.options.programs.sketch_fixes = std::move(fixed.fixes);
  return sketch;
}

Note free_holes_note(const engine::SketchProgram& sketch, std::string_view path) {
  const std::string free = engine::free_holes_text(sketch.plan.sketch());
  if (free.empty()) return {};
  return {"`" + std::string(path) + "` has " + free + ": variants that come to one trap HOLE",
          "write what is missing; `komuz sketch` shows what may be used there"};
}

}  // namespace komuz::services
