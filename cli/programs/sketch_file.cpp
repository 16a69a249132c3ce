// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/sketch_file.h"

namespace komuz::cli {

Exit load_sketch(const std::string& path, const Harness* harness, Terminal& terminal,
                 SketchFile& out) {
  const Exit loaded = load_correct_program(path, ErrorForm::Text, terminal, out.program,
                                           {.kind = ProgramKind::MayBeHarness, .harness = harness});
  if (loaded != Exit::Success) return loaded;
  if (out.program.is_code)
    return terminal.input_error("`" + path + "` is bytecode, which has no holes",
                                "give the program's source");
  frontend::Options options;
  options.is_harness = out.program.is_harness;
  if (out.program.project) options.library = &out.program.project->modules().library();
  if (harness != nullptr) {
    options.harness = harness->number;
    options.harness_entry = harness->entry;
  }
  std::optional<engine::SketchProgram> sketch = engine::read_sketch(out.program.source, options);
  if (!sketch || sketch->plan.sketch().holes.empty())
    return terminal.input_error("`" + path + "` has no holes",
                                "a sketch has some, such as `?c(0.0..1.0, steps: 8)`");
  out.source = std::move(sketch->source);
  out.copies = std::move(sketch->copies);
  out.plan.emplace(std::move(sketch->plan));
  return Exit::Success;
}

}  // namespace komuz::cli
