// SPDX-License-Identifier: Apache-2.0
// Windows of programs (neural/windows/windows.h) in words: where they are, and what they compute.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/code.h"
#include "services/render.h"

namespace komuz::services {

// A program whose windows are shown.
struct WindowedProgram {
  std::string_view name;  // under which it is shown
  CodeView code;
  std::function<NamedSource(u32 place)> source_of;  // the text of a place in the code
};

// Where the source of a window begins: the first of its tokens. A line of 0: there is no source.
struct WindowSite {
  NamedSource source;
  Place place = {0, 0};
};
// Of instructions [begin, end) of a function, counted from its first one.
[[nodiscard]] WindowSite window_site(const WindowedProgram& program, u32 function, u32 begin,
                                     u32 end);
// "f at 2:9", "f at modules/m.komuz:2:9", "f".
[[nodiscard]] std::string window_name(const WindowedProgram& program, u32 function,
                                      const WindowSite& site);

// Adds `function`, `file`, `line` and `column` to an object; the last two are null without a source.
void add_window(nlohmann::ordered_json& object, const WindowedProgram& program, u32 function,
                const WindowSite& site);

// The names of a window's slots, given as slots of the function: those of its parameters, if each is a scalar.
[[nodiscard]] std::vector<std::string> slot_names(const CodeView& code, u32 function,
                                                  std::span<const u16> slots);
// The source of a lone function, or its instructions where an operation has no spelling; each line behind `margin`.
[[nodiscard]] std::string lone_code_text(const CodeView& lone, std::span<const std::string> names,
                                         std::string_view margin);

}  // namespace komuz::services
