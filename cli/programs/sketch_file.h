// SPDX-License-Identifier: Apache-2.0
// Reads sketches from files, for the commands that take them.
#pragma once
#include <optional>
#include <string>

#include "cli/programs/harness.h"
#include "cli/programs/program.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::cli {

struct SketchFile {
  Program program;
  // Those of the sketch (engine/sketch/sketch_program.h).
  std::string source;
  std::vector<SketchCopy> copies;
  std::optional<engine::VariantPlan> plan;
};

// Loads a program without errors, and its variants. Faults are reported on standard error; a program without a hole
// is one.
[[nodiscard]] Exit load_sketch(const std::string& path, const Harness* harness, Terminal& terminal,
                               SketchFile& out);

}  // namespace komuz::cli
