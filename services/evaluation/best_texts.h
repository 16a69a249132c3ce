// SPDX-License-Identifier: Apache-2.0
// The best programs of a run, as people and programs read them: below the table, in files, and in the report.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/candidates/load_modules.h"
#include "engine/results/results.h"
#include "engine/sketch/sketch_program.h"
#include "lang/library.h"
#include "services/evaluation/best_programs.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Calls use(library), which has the modules of the standard library that the text names.
template <class Use>
auto with_standard_modules(const std::string& text, const Use& use) {
  engine::ModuleLoader modules(nullptr);
  modules.load(text);
  return use(&modules.library());
}

// The best variants with a score, whose texts follow from their names. Programs with the same tokens are there once.
[[nodiscard]] std::vector<RankedProgram> ranked_variants(const engine::SketchProgram& sketch,
                                                         const engine::Results& results, u64 most);

// A text that somebody has given is only formatted. A variant is simplified, too (services/simplify/).
enum class TextOrigin : u8 { Given, Variant };
// Where memory ended a run, the rest of it is for writing at all.
[[nodiscard]] TextOrigin origin_of(const engine::Results& results, bool is_variant);
// `library`: the modules that the text may name; null: those of the standard library.
[[nodiscard]] std::string shown_program(const std::string& text, TextOrigin origin,
                                        const Library* library = nullptr);

// Says that a program was too long to be simplified; else empty.
[[nodiscard]] Note unsimplified_note(const std::string& text);

struct BestTextOptions {
  TextOrigin origin = TextOrigin::Given;
  std::string entry = {};            // as for with_line()
  const Library* library = nullptr;  // as above
};
// The best program as it is shown. With a score that fits a line it contains the line, whose numbers may not fit an f64. Empty: there
// is none.
[[nodiscard]] Result<std::string> best_text(const engine::Results& results,
                                            const std::string& source,
                                            const BestTextOptions& options);

// "best program, #72:", and its text below. Empty, if there is no text, or if the id is the name of its file and the text has
// nothing that the file has not.
[[nodiscard]] std::string best_program_text(const engine::Results& results,
                                            const Result<std::string>& text);

// The field `programs` of the report.
[[nodiscard]] std::string programs_json(std::span<const RankedProgram> programs, TextOrigin origin);

}  // namespace komuz::services
