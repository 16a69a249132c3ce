// SPDX-License-Identifier: Apache-2.0
#include "lang/standard_uses.h"

#include <algorithm>

#include "lang/standard_modules.h"

namespace komuz {

namespace {

struct PublicFunction {
  std::string_view name, module;
};

// Of all modules, by name.
std::vector<PublicFunction> list_functions() {
  constexpr std::string_view kHead = "pub fn ";
  std::vector<PublicFunction> functions;
  for (const StandardModule& module : standard_modules())
    for (size_t at = 0; at < module.text.size(); at = module.text.find('\n', at) + 1) {
      const std::string_view line = module.text.substr(at);
      if (line.starts_with(kHead))
        functions.push_back(
            {line.substr(kHead.size(), line.find('(') - kHead.size()), module.name});
      if (line.find('\n') == std::string_view::npos) break;
    }
  std::ranges::stable_sort(functions, {}, &PublicFunction::name);
  return functions;
}

std::string function_use(std::string_view function, std::string_view module) {
  return "use std." + std::string(module) + ".{" + std::string(function) + "};";
}

// Where a `use` may stand: before the first one, else behind the comment that heads the file, which a blank line ends.
u32 use_place(std::string_view source) {
  size_t at = 0, head = 0;
  while (at < source.size()) {
    const std::string_view line = source.substr(at, source.find('\n', at) - at);
    if (line.starts_with("use ")) return static_cast<u32>(at);
    const size_t next = std::min(source.find('\n', at), source.size() - 1) + 1;
    if (line.empty() || line == "\r") head = next;
    if (!line.empty() && line != "\r" && !line.starts_with("//")) break;
    at = next;
  }
  return static_cast<u32>(head);
}
// Nothing where the program has it: it is in error for another reason.
std::optional<Edit> insert_use(const std::string& use, std::string_view source) {
  const size_t there = source.find(use);
  if (there != std::string_view::npos && (there == 0 || source[there - 1] == '\n'))
    return std::nullopt;
  const u32 place = use_place(source);
  return Edit{place, place, use + "\n"};
}

}  // namespace

std::vector<std::string_view> standard_modules_with(std::string_view function) {
  static const std::vector<PublicFunction> functions = list_functions();
  std::vector<std::string_view> modules;
  for (const PublicFunction& f :
       std::ranges::equal_range(functions, function, {}, &PublicFunction::name))
    modules.push_back(f.module);
  return modules;
}

bool is_standard_module(std::string_view name) {
  return std::ranges::find(standard_modules(), name, &StandardModule::name) !=
         standard_modules().end();
}

bool is_standard_function(std::string_view module, std::string_view function) {
  const std::vector<std::string_view> modules = standard_modules_with(function);
  return std::ranges::find(modules, module) != modules.end();
}

std::string standard_use_items() {
  std::string items;
  for (const StandardModule& module : standard_modules())
    items += "use std." + std::string(module.name) + ";\n";
  return items;
}

std::string standard_uses_text(std::string_view function) {
  std::string text;
  for (const std::string_view module : standard_modules_with(function)) {
    if (!text.empty()) text += " or ";
    text += "`" + function_use(function, module) + "`";
  }
  return text;
}

std::optional<Edit> function_use_edit(std::string_view function, std::string_view source) {
  const std::vector<std::string_view> modules = standard_modules_with(function);
  if (modules.size() != 1) return std::nullopt;
  return insert_use(function_use(function, modules[0]), source);
}
std::optional<Edit> module_use_edit(std::string_view module, std::string_view source) {
  return insert_use("use std." + std::string(module) + ";", source);
}

}  // namespace komuz
