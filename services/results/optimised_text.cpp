// SPDX-License-Identifier: Apache-2.0
#include "services/results/optimised_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "services/display_text.h"
#include "services/results/proof_text.h"

namespace komuz::services {
namespace {

using neural::CheaperWindow;
using neural::Verdict;

std::string_view function_name(const OptimisedProgram& p, u32 function) {
  return p.program.code.name(p.program.code.functions[function]);
}

WindowSite site_of(const OptimisedProgram& p, const CheaperWindow& cheaper) {
  const neural::CodeWindow& window = cheaper.window;
  return window_site(p.program, window.function, window.begin, window.end);
}

std::string_view author_name(const CheaperWindow& cheaper) {
  return neural::kAuthorNames[static_cast<u8>(cheaper.author)];
}

std::string ratio_text(u64 after, u64 before) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<f64>(after) / static_cast<f64>(before));
  return text;
}

}  // namespace

std::string optimised_text(const OptimisedProgram& p, const RenderStyle& style) {
  const Palette& colours = palette(style);
  const neural::Optimised& o = p.optimised;
  const std::string name = printable(p.program.name, ~0u);
  const auto head = [&](std::string_view colour, std::string_view word) {
    return std::string(colour) + std::string(word) + std::string(colours.plain) + name + ": ";
  };
  if (o.is_interrupted) return head(colours.warning, "stopped  ") + "nothing has changed\n";
  if (!o.refusal.empty())
    return head(colours.error, "REFUSED  ") + o.refusal + "; nothing has changed\n";
  std::string text = o.cheaper.empty() ? head("", "same     ") : head(colours.note, "cheaper  ");
  text += grouped(o.cheaper.size()) + " of " + counted(o.windows, "window");
  if (o.unproved != 0)
    text += "; " + counted(o.unproved, "cheaper proposal") + (o.unproved == 1 ? " was" : " were") +
            " not proved";
  text += "\n";
  if (!o.why.empty()) text += "  no proof of the first: " + o.why + "\n";
  for (const CheaperWindow& cheaper : o.cheaper) {
    text += "  " + window_name(p.program, cheaper.window.function, site_of(p, cheaper));
    text += ": " + grouped(cheaper.instructions_before) + " → " +
            counted(cheaper.instructions_after, "instruction") + ", cost " +
            grouped(cheaper.cost_before) + " → " + grouped(cheaper.cost_after) + ", by " +
            std::string(author_name(cheaper)) + "; " +
            std::string(neural::kVerdictNames[static_cast<u8>(cheaper.equality.verdict)]) + ": " +
            evidence_text(cheaper.equality) + "\n";
    if (!p.shows_code) continue;
    const std::vector<std::string> names =
        slot_names(p.program.code, cheaper.window.function, cheaper.slots);
    text += lone_code_text(cheaper.before.view(), names, "    - ");
    text += lone_code_text(cheaper.after.view(), names, "    + ");
  }
  for (const auto& [function, executed] : p.executed) {
    if (executed.before == 0) continue;
    text += "  " + std::string(function_name(p, function)) + " executes " +
            ratio_text(executed.after, executed.before) + " of the instructions on " +
            counted(executed.inputs, "guided input") + " (seed " + std::to_string(p.seed) +
            "): " + grouped(executed.before) + " → " + grouped(executed.after) + "\n";
  }
  return text;
}

nlohmann::ordered_json optimised_json(const OptimisedProgram& p) {
  const neural::Optimised& o = p.optimised;
  nlohmann::ordered_json object;
  object["file"] = p.program.name;
  object["windows"] = o.windows;
  object["refuted"] = o.refuted;
  object["unproved"] = o.unproved;
  object["no_proof"] = nullptr;
  if (!o.why.empty()) object["no_proof"] = o.why;
  object["interrupted"] = o.is_interrupted;
  object["refused"] = nullptr;
  if (!o.refusal.empty()) object["refused"] = o.refusal;
  auto& rows = object["cheaper"] = nlohmann::ordered_json::array();
  for (const CheaperWindow& cheaper : o.cheaper) {
    nlohmann::ordered_json row;
    add_window(row, p.program, cheaper.window.function, site_of(p, cheaper));
    row["instructions"] = {cheaper.instructions_before, cheaper.instructions_after};
    row["cost"] = {cheaper.cost_before, cheaper.cost_after};
    row["by"] = author_name(cheaper);
    row["verdict"] = neural::kVerdictNames[static_cast<u8>(cheaper.equality.verdict)];
    row["evidence"] = neural::kEvidenceNames[static_cast<u8>(cheaper.equality.evidence)];
    row["method"] = nullptr;
    if (!cheaper.equality.method.empty()) row["method"] = cheaper.equality.method;
    if (cheaper.equality.verdict == Verdict::Tested) {
      row["inputs"] = cheaper.equality.inputs;
      row["bound"] = cheaper.equality.bound;
    }
    rows.push_back(std::move(row));
  }
  auto& executed_rows = object["executed"] = nlohmann::ordered_json::array();
  for (const auto& [function, executed] : p.executed) {
    if (executed.before == 0) continue;
    executed_rows.push_back({{"function", function_name(p, function)},
                             {"inputs", executed.inputs},
                             {"seed", p.seed},
                             {"before", executed.before},
                             {"after", executed.after}});
  }
  return object;
}

std::string measured_text(const OptimisedProgram& p, std::span<const MeasuredRow> rows,
                          f64 seconds) {
  char line[256];
  std::snprintf(line, sizeof line, " took %.2f s\n", seconds);
  std::string text = "optimise: " + printable(p.program.name, ~0u) + line;
  for (const auto& [function, runs] : rows) {
    if (runs.before_ns == 0) continue;
    std::snprintf(line, sizeof line,
                  " takes %.2f of the time on the virtual machine, %.1f → %.1f ns a case",
                  runs.after_ns / runs.before_ns, runs.before_ns, runs.after_ns);
    text += "optimise: " + std::string(function_name(p, function)) + line;
    const f64 gained = runs.before_ns - runs.after_ns;
    text += gained > 0 ? "; paid after " + counted(static_cast<u64>(1e9 * seconds / gained), "case")
                       : std::string("; nothing is gained");
    text += "\n";
  }
  return text;
}

}  // namespace komuz::services
