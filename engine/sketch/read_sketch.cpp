// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/read_sketch.h"

#include <algorithm>

#include "frontend_gpu/sketch.h"

namespace komuz::engine {

std::optional<Sketch> read_sketch(std::string_view source, const frontend::Options& options) {
  frontend::Compiler compiler(options);
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return std::nullopt;
  return frontend::describe_sketch(compiler.columns());
}

bool has_decisions(const Sketch& sketch) {
  return std::ranges::any_of(sketch.holes,
                             [](const Hole& hole) { return hole.form != HoleForm::Free; });
}

}  // namespace komuz::engine
