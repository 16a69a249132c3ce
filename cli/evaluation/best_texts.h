// SPDX-License-Identifier: Apache-2.0
// The best programs of a run, as people and programs read them: below the table, and in the report.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/evaluation/best_programs.h"
#include "engine/results/results.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::cli {

// The best variants with a score, whose texts follow from their names. Programs with the same tokens are there once.
[[nodiscard]] std::vector<RankedProgram> ranked_variants(const engine::SketchProgram& sketch,
                                                         const engine::Results& results, u64 most);

// The text as it is shown: formatted, unless it has errors of syntax.
[[nodiscard]] std::string shown_program(const std::string& text);

// "best program, #72:", and its text below. Empty, if the id is the name of the program's file, or if there is no text.
[[nodiscard]] std::string best_program_text(std::string_view id, const std::string& text);

// The field `programs` of the report.
[[nodiscard]] std::string programs_json(std::span<const RankedProgram> programs);

}  // namespace komuz::cli
