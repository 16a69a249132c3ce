// SPDX-License-Identifier: Apache-2.0
#include "services/import/write_program.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <vector>

#include "mend/source_text.h"
#include "services/import/formats.h"

namespace komuz::services {
namespace {

constexpr std::string_view kModule = "math";

// clang-format off
constexpr std::string_view kBuiltIns[] = {
#define BUILTIN(name, ...) #name,
#define CONSTANT(name, ...) #name,
#include "lang/builtins.def"
};
// clang-format on

}  // namespace

bool may_be_called(std::string_view name) {
  // Euler's number is written as a number, since an energy is often called so.
  if (name == "E") return false;
  return name == kModule || std::ranges::find(kBuiltIns, name) != std::end(kBuiltIns) ||
         std::ranges::any_of(helper_functions(),
                             [name](const HelperFunction& row) { return row.name == name; });
}

std::string write_program(std::string_view expression, std::span<const std::string> parameters,
                          std::span<const DefinedFunction> defined) {
  std::string entry = "pub fn " + std::string(kEntryName) + "(";
  for (const std::string& name : parameters)
    entry += (entry.ends_with('(') ? "" : ", ") + name + ": f64";
  entry.append(") -> f64 { ").append(expression).append(" }\n");
  // From the last one up, since helpers call those above them.
  std::string text;
  for (const DefinedFunction& own : std::views::reverse(defined))
    if (has_word(entry, own.called) || has_word(text, own.called)) text.insert(0, own.text);
  for (const HelperFunction& row : std::views::reverse(helper_functions()))
    if (has_word(entry, row.name) || has_word(text, row.name)) text.insert(0, row.text);
  text += entry;
  return has_word(text, kModule) ? "use std." + std::string(kModule) + ";\n\n" + text : text;
}

}  // namespace komuz::services
