// SPDX-License-Identifier: Apache-2.0
#include "lang/standard_uses.h"

#include <algorithm>

#include "lang/standard_modules.h"
#include "lang/words.h"

namespace komuz {

namespace {

struct PublicFunction {
  std::string_view name, module;
  std::string_view takes;  // the type of its first parameter
};

// Of all modules, by name.
std::vector<PublicFunction> list_functions() {
  constexpr std::string_view kHead = "pub fn ";
  std::vector<PublicFunction> functions;
  for (const StandardModule& module : standard_modules())
    for (size_t at = 0; at < module.text.size(); at = module.text.find('\n', at) + 1) {
      const std::string_view line = module.text.substr(at);
      if (line.starts_with(kHead)) {
        const size_t open = line.find('('), colon = line.find(": ", open);
        const std::string_view takes = line.substr(std::min(colon + 2, line.size()));
        functions.push_back({line.substr(kHead.size(), open - kHead.size()), module.name,
                             takes.substr(0, takes.find_first_of(",)"))});
      }
      if (line.find('\n') == std::string_view::npos) break;
    }
  std::ranges::stable_sort(functions, {}, &PublicFunction::name);
  return functions;
}

const std::vector<PublicFunction>& all_functions() {
  static const std::vector<PublicFunction> functions = list_functions();
  return functions;
}
// `i64` of `[i64]`, `List[i64, 8]` and `[i64; 8]`; any other type as it is.
std::string_view element_of(std::string_view type) {
  if (type.starts_with("Bytes[")) return "u8";
  if (type.starts_with("List[")) type.remove_prefix(4);
  if (!type.starts_with('[')) return type;
  return type.substr(1, type.find_first_of("],;") - 1);
}
// The modules whose function takes such an argument; all that have it, where none does or the type is not known.
std::vector<std::string_view> modules_that_take(std::string_view function,
                                                std::string_view argument) {
  std::vector<std::string_view> modules;
  for (const PublicFunction& f : all_functions())
    if (f.name == function && !argument.empty() && element_of(f.takes) == element_of(argument))
      modules.push_back(f.module);
  return modules.empty() ? standard_modules_with(function) : modules;
}
// The module of `take_f64`, where `take` does not take an element of the type; empty: there is none.
std::string_view module_of_floats(std::string_view function, std::string_view argument) {
  for (const PublicFunction& f : all_functions())
    if (f.name == function && element_of(f.takes) == element_of(argument)) return {};
  const std::string of_floats = std::string(function) + "_f64";
  for (const PublicFunction& f : all_functions())
    if (f.name == of_floats && element_of(f.takes) == element_of(argument)) return f.module;
  return {};
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
// The `use` of names of a module, on one line; empty: the program has none. `head` ends with its `{`.
std::string_view use_of_names(std::string_view head, std::string_view source) {
  size_t at = source.find(head);
  while (at != std::string_view::npos && at > 0 && source[at - 1] != '\n')
    at = source.find(head, at + 1);
  if (at == std::string_view::npos) return {};
  const std::string_view item = source.substr(at, source.find(';', at) + 1 - at);
  return item.ends_with("};") && item.find('\n') == std::string_view::npos ? item
                                                                           : std::string_view{};
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
  std::vector<std::string_view> modules;
  for (const PublicFunction& f :
       std::ranges::equal_range(all_functions(), function, {}, &PublicFunction::name))
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

std::string standard_uses_text(std::string_view function, std::string_view argument) {
  if (const std::string_view module = module_of_floats(function, argument); !module.empty()) {
    const std::string of_floats = std::string(function) + "_f64";
    return "`" + of_floats + "`, with `" + function_use(of_floats, module) + "`";
  }
  std::string text;
  for (const std::string_view module : modules_that_take(function, argument)) {
    if (!text.empty()) text += " or ";
    text += "`" + function_use(function, module) + "`";
  }
  return text;
}

std::optional<Edit> function_use_edit(std::string_view function, std::string_view argument,
                                      std::string_view source) {
  const std::vector<std::string_view> modules = modules_that_take(function, argument);
  if (modules.size() != 1 || !module_of_floats(function, argument).empty()) return std::nullopt;
  return insert_use(function_use(function, modules[0]), source);
}
std::optional<Edit> module_use_edit(std::string_view module, std::string_view source) {
  return insert_use("use std." + std::string(module) + ";", source);
}

std::string use_with(std::string_view path, std::string_view name, std::string_view source) {
  const std::string head = "use " + std::string(path) + ".{";
  const std::string_view there = use_of_names(head, source);
  const std::string_view names =
      there.empty() ? there : there.substr(head.size(), there.size() - head.size() - 2);
  return head + std::string(trimmed(names)) + (names.empty() ? "" : ", ") + std::string(name) +
         "};";
}
std::optional<Edit> use_edit(std::string_view use, std::string_view source) {
  const std::string_view there = use_of_names(use.substr(0, use.find('{') + 1), source);
  if (use.find('{') == std::string_view::npos || there.empty())
    return insert_use(std::string(use), source);
  const u32 begin = static_cast<u32>(there.data() - source.data());
  return Edit{begin, begin + static_cast<u32>(there.size()), std::string(use)};
}

}  // namespace komuz
