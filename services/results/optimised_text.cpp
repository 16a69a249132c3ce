// SPDX-License-Identifier: Apache-2.0
#include "services/results/optimised_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "lang/source_places.h"
#include "lang/text/code_text.h"
#include "services/display_text.h"
#include "services/results/code_source.h"
#include "services/results/proof_text.h"

namespace komuz::services {
namespace {

using neural::CheaperWindow;
using neural::Verdict;

std::string_view function_name(const OptimisedProgram& p, u32 function) {
  return p.code.name(p.code.functions[function]);
}

// Where the source of a window begins: the first of its tokens.
struct Site {
  NamedSource source;
  Place place;
};
Site site_of(const OptimisedProgram& p, const CheaperWindow& cheaper) {
  const u32 first = p.code.functions[cheaper.window.function].code_begin;
  const auto places = p.code.places.subspan(first + cheaper.window.begin,
                                            cheaper.window.end - cheaper.window.begin);
  const u32 begin = *std::ranges::min_element(places);
  Site site{p.source_of(begin), {}};
  if (!site.source.text.empty()) site.place = site.source.place(offset_of(begin));
  return site;
}

std::string_view author_name(const CheaperWindow& cheaper) {
  return neural::kAuthorNames[static_cast<u8>(cheaper.author)];
}

// The names of a window's slots: those of the function's parameters, if each is a scalar.
std::vector<std::string> slot_names(const OptimisedProgram& p, const CheaperWindow& cheaper) {
  const Function& f = p.code.functions[cheaper.window.function];
  const u32 parameters = static_cast<u8>(p.code.parameter_types(f)[1]);  // of the tuple
  std::vector<std::string> names;
  for (const u16 slot : cheaper.slots) {
    if (parameters != f.parameter_slots || slot >= parameters) {
      names.push_back(slot < f.slots ? "v" + std::to_string(slot) : "");
      continue;
    }
    const NameRange name = p.code.parameter_names[f.parameters_begin + slot];
    names.emplace_back(p.code.names.substr(name.begin, name.end - name.begin));
  }
  return names;
}

// The source of a lone function, or its instructions where there is none.
std::string code_lines(const Code& lone, std::span<const std::string> names,
                       std::string_view margin) {
  if (std::optional<std::string> source = body_of_code(lone.view(), names, margin))
    return std::move(*source);
  const std::string text = disassemble(lone.view());
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find("  @"));
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.starts_with("   ") && line.find("RETURN") == std::string_view::npos)
      out.append(margin).append(line).append("\n");
  }
  return out;
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
  const std::string name = printable(p.name, ~0u);
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
  for (const CheaperWindow& cheaper : o.cheaper) {
    const Site site = site_of(p, cheaper);
    text += "  " + std::string(function_name(p, cheaper.window.function));
    if (site.place.line != 0) {
      text += " at ";
      if (site.source.name != p.name) text += printable(site.source.name, ~0u) + ":";
      text += std::to_string(site.place.line) + ":" + std::to_string(site.place.column);
    }
    text += ": " + grouped(cheaper.instructions_before) + " → " +
            counted(cheaper.instructions_after, "instruction") + ", cost " +
            grouped(cheaper.cost_before) + " → " + grouped(cheaper.cost_after) + ", by " +
            std::string(author_name(cheaper)) + "; " +
            std::string(neural::kVerdictNames[static_cast<u8>(cheaper.equality.verdict)]) + ": " +
            evidence_text(cheaper.equality) + "\n";
    if (!p.shows_code) continue;
    const std::vector<std::string> names = slot_names(p, cheaper);
    text += code_lines(cheaper.before, names, "    - ");
    text += code_lines(cheaper.after, names, "    + ");
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
  object["file"] = p.name;
  object["windows"] = o.windows;
  object["refuted"] = o.refuted;
  object["unproved"] = o.unproved;
  object["interrupted"] = o.is_interrupted;
  object["refused"] = nullptr;
  if (!o.refusal.empty()) object["refused"] = o.refusal;
  auto& rows = object["cheaper"] = nlohmann::ordered_json::array();
  for (const CheaperWindow& cheaper : o.cheaper) {
    const Site site = site_of(p, cheaper);
    nlohmann::ordered_json row;
    row["function"] = function_name(p, cheaper.window.function);
    row["file"] = site.source.name;
    row["line"] = nullptr;
    row["column"] = nullptr;
    if (site.place.line != 0) {
      row["line"] = site.place.line;
      row["column"] = site.place.column;
    }
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
  std::string text = "optimise: " + printable(p.name, ~0u) + line;
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
