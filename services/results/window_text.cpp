// SPDX-License-Identifier: Apache-2.0
#include "services/results/window_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "lang/source_places.h"
#include "lang/text/code_text.h"
#include "services/display_text.h"
#include "services/results/code_source.h"

namespace komuz::services {

WindowSite window_site(const WindowedProgram& program, u32 function, u32 begin, u32 end) {
  const u32 first = program.code.functions[function].code_begin;
  const u32 place =
      *std::ranges::min_element(program.code.places.subspan(first + begin, end - begin));
  WindowSite site{program.source_of(place)};
  if (!site.source.text.empty()) site.place = site.source.place(offset_of(place));
  return site;
}

std::string window_name(const WindowedProgram& program, u32 function, const WindowSite& site) {
  std::string text(program.code.name(program.code.functions[function]));
  if (site.place.line == 0) return text;
  text += " at ";
  if (site.source.name != program.name) text += printable(site.source.name, ~0u) + ":";
  return text + std::to_string(site.place.line) + ":" + std::to_string(site.place.column);
}

void add_window(nlohmann::ordered_json& object, const WindowedProgram& program, u32 function,
                const WindowSite& site) {
  object["function"] = program.code.name(program.code.functions[function]);
  object["file"] = site.source.name;
  object["line"] = nullptr;
  object["column"] = nullptr;
  if (site.place.line == 0) return;
  object["line"] = site.place.line;
  object["column"] = site.place.column;
}

std::vector<std::string> slot_names(const CodeView& code, u32 function,
                                    std::span<const u16> slots) {
  const Function& f = code.functions[function];
  const u32 parameters = static_cast<u8>(code.parameter_types(f)[1]);  // of the tuple
  std::vector<std::string> names;
  for (const u16 slot : slots) {
    if (parameters != f.parameter_slots || slot >= parameters) {
      names.push_back("v" + std::to_string(slot));
      continue;
    }
    const NameRange name = code.parameter_names[f.parameters_begin + slot];
    names.emplace_back(code.names.substr(name.begin, name.end - name.begin));
  }
  return names;
}

std::string lone_code_text(const CodeView& lone, std::span<const std::string> names,
                           std::string_view margin) {
  if (std::optional<std::string> source = body_of_code(lone, names, margin))
    return std::move(*source);
  const std::string text = disassemble(lone);
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

}  // namespace komuz::services
