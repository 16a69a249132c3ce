// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/best_texts.h"

#include "base/machine/memory.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/unused_copies.h"
#include "engine/support/json_text.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/results/fitted_line.h"
#include "services/results/ranking_text.h"
#include "services/simplify/simplify.h"

namespace komuz::services {

std::vector<RankedProgram> ranked_variants(const engine::SketchProgram& sketch,
                                           const engine::Results& results, u64 most) {
  std::vector<RankedProgram> programs;
  engine::Fill fill(sketch.source, sketch.plan);
  for (const u32 row : shown_rows(results, TableRows::Best, most)) {
    if (!results.rows[row].scored) break;
    engine::Decisions decisions;
    RankedProgram& program = programs.emplace_back();
    program.id = results.id(row);
    if (!engine::read_variant_name(sketch.plan, program.id, decisions))
      if (fill.write(decisions, program.text))
        engine::drop_unused_copies(sketch.copies, sketch.own_size, fill, program.text);
  }
  return programs;
}

TextOrigin origin_of(const engine::Results& results, bool is_variant) {
  const bool is_cut_short = !results.complete && machine::is_memory_short();
  return is_variant && !is_cut_short ? TextOrigin::Variant : TextOrigin::Given;
}

std::string shown_program(const std::string& text, TextOrigin origin, const Library* library) {
  if (text.empty()) return {};
  if (origin == TextOrigin::Given) {
    frontend::Compiler compiler;
    Formatted formatted = format(compiler, text);
    return formatted.ok ? std::move(formatted.text) : text;
  }
  if (library != nullptr) return simplified_text(text, library);
  return with_standard_modules(
      text, [&](const Library* standard) { return simplified_text(text, standard); });
}

Note unsimplified_note(const std::string& text) {
  if (text.size() <= kMostSimplified) return {};
  return {"the program has more than 256 KiB, and is not simplified", ""};
}

Result<std::string> best_text(const engine::Results& results, const std::string& source,
                              const BestTextOptions& options) {
  if (!engine::fits_line(results.score) || source.empty())
    return shown_program(source, options.origin, options.library);
  if (!results.best_line)
    return input_problem("the line of the best program does not fit an f64: it is not written")
        .with_remedy("scale the numbers of the cases");
  const auto fit = [&](const Library* library) {
    return with_line(source, options.entry, *results.best_line, library);
  };
  const Result<std::string> fitted =
      options.library != nullptr ? fit(options.library) : with_standard_modules(source, fit);
  if (fitted.problem()) return fitted;
  return shown_program(fitted.value(), options.origin, options.library);
}

std::string best_program_text(const engine::Results& results, const Result<std::string>& text) {
  if (results.ranking.empty() || text.problem() || text.value().empty()) return {};
  const std::string_view id = results.id(results.ranking.front());
  if (id.ends_with(".komuz") && !engine::fits_line(results.score)) return {};
  std::string shown = "best program, " + fitted_at_both_ends(printable(id, ~0u), kShortIdWidth) +
                      ":\n" + text.value();
  if (!shown.ends_with('\n')) shown += '\n';
  return shown;
}

std::string programs_json(std::span<const RankedProgram> programs, TextOrigin origin) {
  std::string json = "[";
  for (const RankedProgram& program : programs) {
    json += &program == programs.data() ? "{\"id\": " : ", {\"id\": ";
    engine::append_json_string(json, program.id);
    json += ", \"program\": ";
    // A reader of the log may lack the modules of the run: both write the same.
    engine::append_json_string(json, shown_program(program.text, origin));
    json += '}';
  }
  return json + "]";
}

}  // namespace komuz::services
