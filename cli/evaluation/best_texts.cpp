// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/best_texts.h"

#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/support/json_text.h"
#include "services/display_text.h"
#include "services/format.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {

std::vector<RankedProgram> ranked_variants(const engine::SketchProgram& sketch,
                                           const engine::Results& results, u64 most) {
  std::vector<RankedProgram> programs;
  engine::Fill fill(sketch.source, sketch.plan);
  for (const u32 row : services::shown_rows(results, services::TableRows::Best, most)) {
    if (!results.rows[row].scored) break;
    engine::Decisions decisions;
    RankedProgram& program = programs.emplace_back();
    program.id = results.id(row);
    if (!engine::read_variant_name(sketch.plan, program.id, decisions))
      static_cast<void>(fill.write(decisions, program.text));
  }
  return programs;
}

std::string shown_program(const std::string& text) {
  frontend::Compiler compiler;
  services::Formatted formatted = services::format(compiler, text);
  return formatted.ok ? std::move(formatted.text) : text;
}

std::string best_program_text(std::string_view id, const std::string& text) {
  if (text.empty() || id.ends_with(".komuz")) return {};
  std::string shown = "best program, " +
                      services::fitted_at_both_ends(services::printable(id, ~0u),
                                                    services::kShortIdWidth) +
                      ":\n" + shown_program(text);
  if (!shown.ends_with('\n')) shown += '\n';
  return shown;
}

std::string programs_json(std::span<const RankedProgram> programs) {
  std::string json = "[";
  for (const RankedProgram& program : programs) {
    json += &program == programs.data() ? "{\"id\": " : ", {\"id\": ";
    engine::append_json_string(json, program.id);
    json += ", \"program\": ";
    engine::append_json_string(json, shown_program(program.text));
    json += '}';
  }
  return json + "]";
}

}  // namespace komuz::cli
